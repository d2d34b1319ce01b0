package wording

// home are the texts of package home: people's pages and empty conversations.
var home = map[string]string{
	"Your requests":                  "你的请求",
	"Nothing of yours is under way.": "目前没有进行中的请求。",
	"Waiting for your decision":      "等你决定",
	"What I remember":                "我记得的内容",
	"Nothing yet. Tell me \"remember that ...\", or use `/memory add TEXT`.": "还没有。告诉我“记住……”，或使用 `/memory add TEXT`。",
	"Your jobs": "你的定时任务",
	"None. `/jobs add every Friday at 17:00 remind me to send the report` makes one.": "还没有。例如 `/jobs add 每周五17:00 提醒我发周报`。",
	"I keep nothing about you.": "我没有保存关于你的任何内容。",

	"Some things to begin with":                             "可以这样开始",
	"What can you do?":                                      "你能做什么？",
	"What can you do for me here?":                          "你在这里能帮我做什么？",
	"What do you remember?":                                 "你记得什么？",
	"What do you remember about me and my work?":            "关于我和我的工作，你记得什么？",
	"Remind me tomorrow":                                    "明天提醒我",
	"Remind me tomorrow at 9:00 to plan the day.":           "明天早上9点提醒我安排当天的工作。",
	"What have you learned?":                                "你学会了什么？",
	"Which skills have you learned, and what are they for?": "你学会了哪些技能，分别有什么用？",

	"waiting":   "等待中",
	"under way": "进行中",
	"failed":    "失败",
}
