package wording

// answers are what is said in place of a model's answer, around it, and to
// those who may not have one.
var answers = map[string]string{
	"Yes, do it":  "好，去做吧",
	"Yes":         "同意",
	"No":          "不同意",
	"%s, said %s": "%s（%s）",
	"That did not work; the reason is in my log. Please press again.":                        "没有成功；原因在我的日志里。请再按一次。",
	"That did not work; the reason is in my log. Please try again.":                          "没有成功；原因在我的日志里。请再试一次。",
	"This question waits for no answer any more. If you still want it, please ask me again.": "这个问题已经不再等待回答。如果还需要，请再问我一次。",
	"Only the person who asked for this can decide on it.":                                   "只有提出这件事的人才能决定。",
	"I am still busy with your earlier messages, and as many as I can keep are waiting. " +
		"I did not take this one, and take none until I have answered one of them; please send it again later, or send `/stop`.": "我还在处理你之前的消息，等待的已经满了。" +
		"这一条我没有收下，在我回答完其中一条之前你再发的也不会收下；请稍后再发，或者发送 `/stop`。",
	"Something went wrong on my side, and I could not finish this. It is noted in my log; please try again.": "我这边出了问题，没能完成。日志里有记录；请再试一次。",
	"I started on this many times and was interrupted each time, so I gave up. Please ask in another way.":   "我开始了很多次，每次都被中断，所以放弃了。请换个方式再问。",
	"The thread that this is for is gone or closed, so I say it here.":                                       "这条消息所属的话题已经不在或已关闭，所以在这里说。",
	"I could not deliver my answer: the platform refused it (%s).":                                           "我的回答没能送达：平台拒绝了（%s）。",
	"I may have answered this before an interruption. Please ask again if you do not see it.":                "在一次中断之前我可能已经回答过了。如果没有看到，请再问一次。",
	"(I stopped here.)": "（我在这里停下了。）",
	"I can't read what I keep of our conversation, so I can't answer here: it is damaged where it is stored. " +
		"Whoever runs me finds in my log what is to be done; until then I may be of use in another place.": "我读不到保存的对话内容，所以无法在这里回答：存储的数据已损坏。" +
		"运维人员可以在我的日志里看到该怎么处理；在那之前，也许可以在别的地方找我。",
	"I have nothing to say to that.": "对此我没有要说的。",
	"You have used up today's budget with me. It starts anew at midnight UTC; `/usage` shows it, and an admin can raise it.": "你今天的额度已经用完了。UTC 零点重新开始；`/usage` 可以查看，管理员可以提高。",
	"So this run did not take place. `/jobs set %s model none` has the job use the usual model.":                             "所以这次没有运行。`/jobs set %s model none` 让这个任务使用通常的模型。",
	"No skill `%s` is in force for you here; `/skills` lists those that are.":                                                "这里没有对你生效的技能 `%s`；`/skills` 会列出可用的技能。",
	"They may use: %s.": "可以使用：%s。",
	"There is no model `%s` that your jobs may use.":                                                       "没有你的任务可以使用的模型 `%s`。",
	"There is no tool `%s` that you may use here.":                                                         "这里没有你可以使用的工具 `%s`。",
	"This reached me late (I was away), so I did not act on it. Please send it again if it still matters.": "这条消息到得晚了（我不在线），所以我没有处理。如果还需要，请再发一次。",
	"Hello! I don't know you yet. Please give this code to an admin of mine: `%s`\n\n" +
		"They let you in with `/pair %s`. It is good for an hour.": "你好！我还不认识你。请把这个代码交给我的管理员：`%s`\n\n" +
		"管理员用 `/pair %s` 让你加入。代码一小时内有效。",

	"I have no answer: the language model returned nothing. Please put your request in other words.":         "我没有答案：语言模型什么都没有返回。请换个说法再问。",
	"*(An address written with hxxp or [.] is none that you or a text here gave, so I made no link of it.)*": "*（写成 hxxp 或带 [.] 的地址，既不是你给的，也不在这里的文字里，所以我没有把它做成链接。）*",
	"*(My answer was cut off here. Ask me to go on if you need the rest.)*":                                  "*（回答到这里被截断了。需要后面的内容，请让我继续。）*",
	"The language model declined to answer this. You could put your request differently.":                    "语言模型拒绝回答这个问题。可以换个方式再问。",
	"*(The language model stopped here because of its own policy.)*":                                         "*（语言模型因自身的规定在这里停下了。）*",
	"I can't use the language model: it did not accept my key or my rights. " +
		"Whoever runs me has to correct that; `talaria doctor` shows how.": "我无法使用语言模型：它不接受我的密钥或权限。" +
		"需要由运维人员修正；`talaria doctor` 会说明怎么做。",
	"I can't use the language model: it is not set up as it should be. That is no fault of your message. " +
		"Whoever runs me has to correct that; `talaria doctor` shows how.": "我无法使用语言模型：它的设置不对。这不是你的消息的问题。" +
		"需要由运维人员修正；`talaria doctor` 会说明怎么做。",
	"I can't use the language model: the credit or quota of the account that pays for it is used up. " +
		"Whoever runs me has to see to that; asking again does not help until then.": "我无法使用语言模型：付费账户的余额或额度已用完。" +
		"需要由运维人员处理；在那之前再问也没有用。",
	"The language model takes no more requests just now. Please try again %s.": "语言模型现在不接受更多请求。请%s再试。",
	"in a few minutes": "几分钟后",
	"in a minute":      "一分钟后",
	"in %d minutes":    "%d 分钟后",
	"This is too long for the language model, even after I shortened our conversation. " +
		"Please send less at once, or begin anew with `/new`.": "对语言模型来说内容太长了，缩短对话之后也还是太长。" +
		"请一次少发一些，或用 `/new` 重新开始。",
	"The language model broke off its answer several times, so I have none to give. Please ask again.": "语言模型几次中断了回答，所以我给不出答案。请再问一次。",
	"The language model did not accept this request, or answered it with something unreadable. " +
		"Please put it differently, or begin anew with `/new`.": "语言模型没有接受这个请求，或者返回了无法读取的内容。" +
		"请换个说法，或用 `/new` 重新开始。",
	"I can't reach the language model just now. Please ask again in a few minutes.": "我现在连不上语言模型。请几分钟后再问。",
	"I stopped before I was done, because the limit of steps, time or tokens for this is reached. " +
		"Ask me to go on, or ask for a smaller part.": "还没做完我就停下了，因为步骤、时间或 token 已到上限。" +
		"可以让我继续，或者只问其中一部分。",
	"Done before that: %s.": "在此之前已完成：%s。",
}

// jobs are the texts of /jobs and the buttons of jobs.
var jobs = map[string]string{
	"Resume":  "恢复",
	"Pause":   "暂停",
	"Run now": "现在运行",
	"- `/jobs` lists your jobs\n" +
		"- `/jobs add every Friday at 17:00 remind me to send the report` makes one\n" +
		"- `/jobs add every weekday at 8 summarise what was decided yesterday` has me work on something\n" +
		"- `/jobs show`, `pause`, `resume`, `run` and `delete` take the job's id\n" +
		"- `/jobs set ID RULE VALUE` changes one of %s\n" +
		"- `/jobs import` offers those that you brought from another assistant": "- `/jobs` 列出你的定时任务\n" +
		"- `/jobs add 每周五17:00 提醒我发周报` 新建提醒\n" +
		"- `/jobs add 每个工作日早上8点 总结昨天的决定` 让我定时做事\n" +
		"- `/jobs show`、`pause`、`resume`、`run`、`delete` 后面写任务的 id\n" +
		"- `/jobs set ID RULE VALUE` 修改其中一项：%s\n" +
		"- `/jobs import` 列出你从别的助手带来的任务",
	"Which one? Say `/jobs %s`.\n%s":       "哪一个？请发送 `/jobs %s`。\n%s",
	"Paused: %s":                           "已暂停：%s",
	"On again: %s":                         "已恢复：%s",
	"It runs now, beside its schedule: %s": "现在额外运行一次：%s",
	"I don't know `/jobs %s`.\n%s":         "没有 `/jobs %s`。\n%s",
}

// lessons are the texts about what was learned: notices of reviews, /reflect,
// /journey and /curve.
var lessons = map[string]string{
	"I learned: %s": "我学到了：%s",
	"I noted something about how you like to be served; in our direct conversation `/memory` shows it.": "我记下了你的一点偏好；在我们的私聊里发送 `/memory` 可以查看。",
	"I set aside, until you confirm it, what outside content said: %s":                                  "外部内容里这样说，我先放在一边，等你确认：%s",
	"It held again, so I am sure of it now: %s":                                                         "这一点再次成立，现在我确定了：%s",
	"It held again: %s":            "这一点再次成立：%s",
	"I noted, not certain yet: %s": "我记下了，还不确定：%s",
	" (less sure now: %s)":         "（现在不那么确定的：%s）",
	"I noted the correction. This kind of work did well before, so it stays as it is until this is said once more, or “from now on” with it.": "我记下了这次纠正。这类工作之前一直做得不错，所以先不改；再说一次，或者加上“以后”，我就改。",
	"I noted the correction. The skill %s did well before, so it stays as it is until this is said once more, or “from now on” with it.":      "我记下了这次纠正。技能 %s 之前一直做得不错，所以先不改；再说一次，或者加上“以后”，我就改。",
	"I took back the last change of the skill %s: it was contradicted before it did well once.":                                               "我撤回了技能 %s 的上一次改动：它还没有成功过一次就被否定了。",
	"I changed the skill %s: %s": "我修改了技能 %s：%s",
	"The draft of the skill %s was confirmed once more; it still waits for a decision.": "技能 %s 的草稿又得到一次证实，仍在等待决定。",
	"A draft of the skill %s is blocked by a check: %s":                                 "技能 %s 的草稿没有通过检查：%s",
	"I drafted a skill, %s: %s":                                                         "我起草了一个技能 %s：%s",
	"I drafted a change of the skill %s: %s":                                            "我起草了对技能 %s 的修改：%s",
	"See":                                                                               "查看",
	"Undo":                                                                              "撤销",
	"Learned, and taken back: %s\n\n%s":                                                 "学到之后又撤销了：%s\n\n%s",
	"The report of that is gone; `/memory` and `/skills list` show what is in force.":                                                    "那份报告已经没有了；`/memory` 和 `/skills list` 显示现在有效的内容。",
	"Usage: `/reflect` looks at our last task again, `/reflect deep` more closely; `/reflect list` and `/reflect show ID` show reports.": "用法：`/reflect` 回顾我们最近的任务，`/reflect deep` 看得更仔细；`/reflect list` 和 `/reflect show ID` 显示报告。",
	"There is nothing to look at yet: I have no record of a task in this conversation.":                                                  "还没有可以回顾的：这次对话里没有任务的记录。",
	"Learning is switched off here; `/settings learning on` switches it on again.":                                                       "这里关闭了学习；`/settings learning on` 可以重新打开。",
	"I stopped looking, since you wrote. Send `/reflect` again when it is quiet.":                                                        "因为你写了消息，我停下了回顾。空闲时请再发送 `/reflect`。",
	"There was nothing to look at.": "没有可以回顾的。",
	"There are no reports here yet. I look back at a task once it was quiet for a minute.": "这里还没有报告。任务结束安静一分钟后，我会回顾。",
	"%s\n`/reflect show ID` shows one whole.":                                              "%s\n`/reflect show ID` 显示完整的一份。",
	"No report here has the id `%s`; `/reflect list` shows them.":                          "这里没有 id 为 `%s` 的报告；`/reflect list` 会列出来。",
	"acted":                           "有收获",
	"nothing":                         "没有新内容",
	"error":                           "出错",
	"A quick look on %s.":             "%s 的快速回顾。",
	"A look on %s.":                   "%s 的回顾。",
	"A close look on %s.":             "%s 的深入回顾。",
	"I learned from it.":              "我从中学到了东西。",
	"There was nothing new to learn.": "没有新的可学。",
	"It did not come to its end.":     "没有完成。",
	"Review of":                       "回顾",
	"What went well":                  "做得好的",
	"What went wrong":                 "出问题的",
	"Why":                             "原因",
	"What to do differently":          "下次怎么做",
	"Rules":                           "规则",
	"Learned":                         "学到的",
	"Worth a skill, perhaps":          "也许值得做成技能的",
	"Not learned":                     "没有采纳的",
	"Refused":                         "被拒绝的",
	"It broke off":                    "中断了",

	"Usage: `/journey`, `/journey delete ID`, `/journey edit ID TEXT`.":                                                                          "用法：`/journey`、`/journey delete ID`、`/journey edit ID TEXT`。",
	"I have learned nothing here yet. It begins with the first things that you tell me to remember, and with the first work that is done again.": "我在这里还没有学到什么。从你让我记住的第一件事，和第一次重复做的工作开始。",
	"**%s** is put away. `/skills restore %s` brings it back.":                                                                                   "**%s** 已收起。`/skills restore %s` 可以恢复。",
	"A skill is edited with `/skills edit %s`.":                                                                                                  "技能请用 `/skills edit %s` 修改。",
	"Usage: `/journey edit %s TEXT`.":                                                                                                            "用法：`/journey edit %s TEXT`。",
	"There is no `%s` in the graph; `/journey` shows the ids.":                                                                                   "图里没有 `%s`；`/journey` 会显示 id。",
	"There is nothing to draw yet: no task is over here since I keep count. One is after `/new`, with another request, or after half an hour of silence.": "还没有可画的：自我开始统计以来，这里没有结束的任务。`/new`、另一个请求或半小时的沉默会结束一个任务。",
	"The data:": "数据：",
	"**Skills and memories: %d**, ties: %d; made by me: %d, used: %d, alone: %.0f %%": "**技能和记忆：%d**，关联：%d；我做的：%d，用过的：%d，孤立的：%.0f %%",
	"… and more": "……还有更多",
	"`/journey delete ID` drops a part, `/journey edit ID TEXT` changes a memory.": "`/journey delete ID` 删除一部分，`/journey edit ID TEXT` 修改一条记忆。",
	"Ids of memories:": "记忆的 id：",
	"%d. **%s**: %d×, %.0f %% success, skills used in %.0f %%\n`%s`":    "%d. **%s**：%d 次，成功率 %.0f %%，使用技能 %.0f %%\n`%s`",
	" (will not reach %.0f %% as it goes)":                              "（照这样达不到 %.0f %%）",
	" (%.0f %% from task %d on, by the fit)":                            "（按拟合，从第 %[2]d 个任务起达到 %[1].0f %%）",
	"Too few tasks for a trend.":                                        "任务太少，看不出趋势。",
	"Steps: %.1f at first, %.1f now. Seconds: %.1f at first, %.1f now.": "步骤：开始 %.1f，现在 %.1f。秒数：开始 %.1f，现在 %.1f。",
}
