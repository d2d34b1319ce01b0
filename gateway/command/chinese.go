package command

// chinese says what the commands do to people who use Telegram or Discord in
// Chinese.
var chinese = map[string]string{
	"brief":    "每天的新消息简报",
	"curve":    "工作进展：成功率、步骤和技能的使用",
	"export":   "以文件形式导出我保存的关于你的一切",
	"forget":   "删除我保存的关于你的一切",
	"help":     "我能做什么",
	"jobs":     "我定时为你做的事和提醒",
	"journey":  "我在这里学到的东西，以图表示；可以修改或删除",
	"link":     "把你在几个平台上的账号连接起来",
	"memory":   "我在这里记得什么：查看、修改、分享、撤销",
	"model":    "我用哪个模型思考",
	"new":      "重新开始，忘掉这次对话（我记得的关于你的事不变）",
	"pair":     "用我给对方的代码让对方加入",
	"reflect":  "回顾我们的工作，看看我学到了什么",
	"role":     "给某人一个角色",
	"search":   "查找以前说过的话",
	"settings": "让我进入这里或离开；训练数据的许可",
	"skills":   "我学会的技能：查看、批准、修改、分享",
	"status":   "我在这次对话中正在做什么",
	"stop":     "停下我正在做的事",
	"tools":    "我能为你使用什么工具",
	"usage":    "你今天用了多少",
	"whoami":   "你在我眼里是谁：查看并更正",
}

// told is a command's summary in other languages.
func told(name string) map[string]string {
	if text, ok := chinese[name]; ok {
		return map[string]string{"zh": text}
	}
	return nil
}
