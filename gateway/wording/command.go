package wording

// summaries say what each command does, in menus and in /help.
var summaries = map[string]string{
	"a daily briefing of what is new":                                                             "每天的新消息简报",
	"how the work goes: success, steps and use of skills over time":                               "工作进展：成功率、步骤和技能的使用",
	"everything that I keep about you, as a file":                                                 "以文件形式导出我保存的关于你的一切",
	"erase everything that I keep about you":                                                      "删除我保存的关于你的一切",
	"what I can do":                                                                               "我能做什么",
	"what I do for you at times, and reminders":                                                   "我定时为你做的事和提醒",
	"what I have learned here, as a graph; change or drop a part of it":                           "我在这里学到的东西，以图表示；可以修改或删除",
	"join your accounts on several platforms":                                                     "把你在几个平台上的账号连接起来",
	"what I remember here: see, change, share, take back":                                         "我在这里记得什么：查看、修改、分享、撤销",
	"which model I think with":                                                                    "我用哪个模型思考",
	"start afresh, forgetting this conversation (not what I remember about you)":                  "重新开始，忘掉这次对话（我记得的关于你的事不变）",
	"let somebody in by the code that I showed them":                                              "用我给对方的代码让对方加入",
	"what I learned from our work: look at it again, list the reports, see one":                   "回顾我们的工作，看看我学到了什么",
	"give somebody a role: admin, approver, member, guest or nobody":                              "给某人一个角色：admin、approver、member、guest 或 nobody",
	"find what was said before, where you can read":                                               "查找以前说过的话",
	"let me into this place, or out of it; whether I learn; let your traces be used for training": "让我进入这里或离开；我是否学习；训练数据的许可",
	"what I have learned to do: see, approve, change, share":                                      "我学会的技能：查看、批准、修改、分享",
	"what I am doing in this conversation":                                                        "我在这次对话中正在做什么",
	"stop what I am doing":                                                                        "停下我正在做的事",
	"what I can use for you":                                                                      "我能为你使用什么工具",
	"what you used today":                                                                         "你今天用了多少",
	"who you are to me: see it and set it right":                                                  "你在我眼里是谁：查看并更正",
}

// purposes say what each tool does.
var purposes = map[string]string{
	"tells the date and time, here or elsewhere":                     "告诉你这里或别处的日期和时间",
	"remembers what you want remembered, and corrects or forgets it": "记住你让我记住的事，也可以更正或忘掉",
	"searches earlier conversations that you can read":               "在你能看到的以往对话里查找",
	"lists the files of this conversation":                           "列出这次对话里的文件",
	"reads a file of this conversation":                              "读取这次对话里的文件",
	"writes a file, and sends it to you":                             "写文件，并发给你",
	"reads a skill that fits what you want":                          "读取适合你需要的技能",
	"looks for a skill":                                              "查找技能",
	"runs a script of a skill, shut in":                              "在隔离环境里运行技能的脚本",
	"drafts a skill, or a change of one, for you to approve":         "起草技能或对技能的修改，由你批准",
	"sets a reminder, or has something done at times":                "设置提醒，或定时做事",
	"lists your reminders and jobs":                                  "列出你的提醒和定时任务",
	"cancels one of them":                                            "取消其中一个",
	"reads a public web page":                                        "读取公开网页",
}

// commands are the texts of package command, but for memory, people and jobs.
var commands = map[string]string{
	"`/%s` takes nothing after it, so I did nothing. Send the command by itself and the rest after it.":                    "`/%s` 后面不带内容，所以我什么都没做。请单独发送这个命令，其余的随后再发。",
	"`/%s` takes one line, and your message has more, so I did nothing. Send the command by itself and the rest after it.": "`/%s` 只占一行，而你的消息不止一行，所以我什么都没做。请把命令单独发出，其余的随后再发。",
	"I don't know `/%s`.%s Send `/help` for what I can do.":                                                                "没有 `/%s` 这个命令。%s发送 `/help` 看看我能做什么。",
	" Did you mean `/%s`?": "你是想用 `/%s` 吗？",
	"`%s`: %s.":            "`%s`：%s。",
	"`/%s` needs the role **%s**; yours is **%s**. An admin can change that with `/role`.":                     "`/%s` 需要角色 **%s**；你的角色是 **%s**。管理员可以用 `/role` 更改。",
	"I don't know you yet, so I did nothing. Write to me in a direct message: there I say how you are let in.": "我还不认识你，所以什么都没做。请私信我：我会告诉你怎样加入。",
	"Guests can't use me here, so I did nothing. An admin can change that.":                                    "访客不能在这里使用我，所以什么都没做。管理员可以更改。",
	"I am switched off in this place, so I did nothing. An admin can change that with `/settings here on`.":    "我在这里已被关闭，所以什么都没做。管理员可以用 `/settings here on` 打开。",
	"That button is of no use any more.":           "这个按钮已经失效了。",
	"This needs the role **%s**; yours is **%s**.": "这需要角色 **%s**；你的角色是 **%s**。",
	"Just write to me; in a group, mention me or reply to me. I remember what you ask me to remember, " +
		"find what was said before, read pages, and keep files for our conversation.": "直接给我写就行；在群里请 @我 或回复我。我会记住你让我记住的事，" +
		"查找以前说过的话，读网页，并为我们的对话保存文件。命令也可以用中文写，例如 /帮助、/记忆、/技能、/提醒、/停止。",
	"That did not work: %s.": "没有成功：%s。",

	"A fresh start. What was said before is no longer in my mind here; `/search` still finds it.":  "重新开始了。之前说过的话我在这里不再记着；用 `/search` 仍然能找到。",
	"`/stop all` stops everybody's requests, so it needs the role **admin**. `/stop` stops yours.": "`/stop all` 会停下所有人的请求，需要角色 **admin**。`/stop` 只停下你的。",
	"Nothing was running.": "没有正在进行的事。",
	"Stopped.":             "已停止。",
	"Everything is stopped that was under way where you are an admin.": "你担任管理员的地方，正在进行的请求都已停止。",
	"Stopped %d requests.":                 "已停止 %d 个请求。",
	"Working on your request: %s.":         "正在处理你的请求：%s。",
	"Working on your request.":             "正在处理你的请求。",
	"Nothing is running.":                  "目前没有进行中的事。",
	" Waiting after it: %d.":               "后面还有 %d 个在等。",
	" Exchanges in this conversation: %d.": "本次对话已有 %d 轮。",

	"Requests today: %d; tokens in: %d (%d of them cached), out: %d.":      "今天：%d 个请求，输入 %d 个 token（其中 %d 个来自缓存），输出 %d 个。",
	" %d of these tokens went into learning from your tasks.":              "其中 %d 个用于从你的任务中学习。",
	" Learning may use %d tokens a day here, of which %d are left.":        "这里每天最多可用 %d 个 token 来学习，还剩 %d 个。",
	" Of your daily budget of %d tokens, %d are left.":                     "每日额度 %d 个 token，还剩 %d 个。",
	"For you I can use:\n\n- %s":                                           "我可以为你使用：\n\n- %s",
	"I think with **%s**. It is set under `[model]` in the configuration.": "我用的模型是 **%s**，在配置的 `[model]` 里设置。",

	"Usage: `/search WORDS`. A day in it counts: yesterday, last Tuesday, 上周, 2026-05-01.": "用法：`/search WORDS`。可以带上日期：昨天、上周二、上周、2026-05-01。",
	"Nothing was found where you can read.":                                                "在你能看到的地方没有找到。",
	"I":                                                                                    "我",
	"you":                                                                                  "你",

	"Please write that to me in a direct conversation: it concerns nobody else.":                                         "请私聊告诉我：这与别人无关。",
	"`/forget me` erases everything that I keep about you. For a single thing: `/memory delete ID`, `/whoami strike N`.": "`/forget me` 会删除我保存的关于你的一切。只删一条：`/memory delete ID`、`/whoami strike N`。",
	"That code is not good, or no longer. Nothing was erased; `/forget me` gives you a new one.":                         "这个代码无效或已过期。什么都没有删除；`/forget me` 会给你一个新的。",
	"That code has done its work: you were forgotten. `/forget me` gives you a new one for what you said since.":         "这个代码已经用过：我已经忘掉你了。之后你说的话，用 `/forget me` 取得新代码即可删除。",
	"You are forgotten. Within a minute nothing is left of what you said to me and what I remembered of you. " +
		"An older backup still holds it; whoever runs me can restore that without bringing you back. What is in this chat itself is yours to delete.": "已经忘掉你了。一分钟之内，你对我说过的话和我记得的关于你的一切都不会留下。" +
		"旧备份里还留有这些内容；运行我的人恢复备份时，可以不把它们带回来。聊天窗口里的内容由你自己删除。",
	"This erases, for good and at once, everything that I keep about you, on all your linked accounts: what I remember, " +
		"our conversations and their files, what you said to me in shared places and my answers to it, cards that you gave a space, " +
		"your jobs, settings, roles given in chat and links. It can't be taken back. `/export` gives you a copy first.\n\n" +
		"If you are sure, send within ten minutes: `/forget me %s`": "这会立即并永久删除我保存的关于你的一切，包括所有已关联的账号：我记得的内容、" +
		"我们的对话和文件、你在公共场合对我说的话和我的回答、你分享出去的记忆、" +
		"你的定时任务、设置、聊天中授予的角色和账号关联。这无法撤销。`/export` 可以先给你一份副本。\n\n" +
		"如果确定，请在十分钟内发送：`/forget me %s`",
	"Everything that I keep about you: `readable.md` to read, `everything.json` with all of it, and your files.": "我保存的关于你的一切：`readable.md` 供阅读，`everything.json` 包含全部内容，还有你的文件。",

	"2 Jan":                     "1月2日",
	"2 Jan 15:04":               "1月2日 15:04",
	"2 Jan 2006":                "2006年1月2日",
	"2 Jan 2006 15:04":          "2006年1月2日 15:04",
	"2 January":                 "1月2日",
	"2 January 2006":            "2006年1月2日",
	"2 January, 15:04 UTC":      "1月2日 15:04 UTC",
	"2 January 2006, 15:04 UTC": "2006年1月2日 15:04 UTC",
}

// people are the texts about who may do what.
var people = map[string]string{
	"Please write `/link` to me in a direct conversation: codes are for nobody else's eyes.":                                                  "请私聊发送 `/link`：代码不能让别人看到。",
	"A terminal joins no other account. `/link` alone gives you a code here, by which your other account joins you.":                          "终端不能加入别的账号。在这里只写 `/link` 会得到一个代码，你的另一个账号可以用它加入。",
	"Usage: `/link undo ACCOUNT`. `/whoami` lists your accounts.":                                                                             "用法：`/link undo ACCOUNT`。`/whoami` 会列出你的账号。",
	"Write this to me from your other account, in a direct conversation: `/link %s`\n\nThe code is good for ten minutes and for one account.": "请用你的另一个账号私聊发给我：`/link %s`\n\n代码十分钟内有效，只能用于一个账号。",
	"Linked: you and `%s` are one person to me now. What I remembered for either is yours in both. " +
		"`/link undo %s` takes it back, within seven days as if it had never been.": "已关联：在我这里，你和 `%s` 现在是同一个人。两边记得的内容都归你。" +
		"`/link undo %s` 可以撤销，七天之内就像没有关联过一样。",
	"`%s` is linked to you now, and sees what I remember for you. If that account is not yours, write `/link undo %s` at once.": "`%s` 现在和你关联了，能看到我为你记得的内容。如果那个账号不是你的，请马上发送 `/link undo %s`。",
	"`%s` is no account. `/whoami` lists yours.":                                                                                                                     "`%s` 不是账号。`/whoami` 会列出你的账号。",
	"`%s` is on its own again, with what came with it.":                                                                                                              "`%s` 又独立了，带着它原来的内容。",
	"Usage: `/pair CODE`. A stranger who writes to me is shown a code; with it you let them in.":                                                                     "用法：`/pair CODE`。陌生人给我写信时会看到一个代码；用它可以让对方加入。",
	"Welcome. You are my first admin. `/help` lists what you can do; `/settings here on` lets me into a group.":                                                      "欢迎。你是我的第一位管理员。`/help` 列出你能做的事；`/settings here on` 让我进入一个群。",
	"You are let in. Write to me whenever you like; `/help` lists what I can do.":                                                                                    "你已获准加入。随时可以给我写；`/help` 列出我能做的事。",
	"`%s` may talk to me now. I could not tell them; please do.":                                                                                                     "`%s` 现在可以和我说话了。我没能通知对方，请你转告。",
	"`%s` may talk to me now, and I have told them.":                                                                                                                 "`%s` 现在可以和我说话了，我已经通知对方。",
	"Usage: `/role ACCOUNT ROLE [here]`, such as `/role telegram:42 approver`. Accounts are ids, not names; `/whoami` tells people theirs.":                          "用法：`/role ACCOUNT ROLE [here]`，例如 `/role telegram:42 approver`。账号是 id，不是名字；每个人用 `/whoami` 可以看到自己的。",
	"`%s` is no account; it looks like `telegram:42` or `slack:T1:U1`. Names can be given away, so I take ids only.":                                                 "`%s` 不是账号；账号形如 `telegram:42` 或 `slack:T1:U1`。名字可能被冒用，所以我只认 id。",
	"`%s` is no role. The roles are admin, approver, member, guest and nobody.":                                                                                      "`%s` 不是角色。角色有 admin、approver、member、guest 和 nobody。",
	"`%s` has the role **%s** here still: the configuration, or a role given in more places than this, gives it.":                                                    "`%s` 在这里仍然是 **%s**：这是配置或更大范围的角色给的。",
	"`%s` is **%s** here now. What the configuration gives stays.":                                                                                                   "`%s` 现在在这里是 **%s**。配置给的角色不变。",
	"`%s` is **%s** in your team now. What the configuration gives stays.":                                                                                           "`%s` 现在在你的团队里是 **%s**。配置给的角色不变。",
	"This is our own conversation; there is nothing to let me into. In a group, `/settings here on` lets its full members talk to me.":                               "这是我们的私聊，不需要让我进入。在群里，`/settings here on` 让正式成员可以和我说话。",
	"The full members of this place may talk to me now, by mention or reply.":                                                                                        "这里的正式成员现在可以用 @ 或回复和我说话了。",
	"I am silent in this place from now on.":                                                                                                                         "从现在起，我在这里不再说话。",
	"Redacted traces of what you and I work on may be exported as training data, where everybody else in them agreed too. `/settings training off` takes that back.": "我们一起工作的记录（已去除敏感内容）可以导出为训练数据，前提是其中的其他人也都同意。`/settings training off` 可以收回。",
	"Nothing of what you and I work on is exported as training data.":                                                                                                "我们一起工作的内容不会导出为训练数据。",
	"Redacted traces of what you and I work on are **not** exported as training data; `/settings training on` allows it.":                                            "我们一起工作的记录**不会**导出为训练数据；`/settings training on` 可以允许。",
	"Redacted traces of what you and I work on **may** be exported as training data; `/settings training off` takes that back.":                                      "我们一起工作的记录（已去除敏感内容）**可以**导出为训练数据；`/settings training off` 可以收回。",
	"I learn from %s again, from the next message on.":                                                                                                               "从下一条消息起，我又会从%s学习。",
	"I learn nothing more from %s: no record is kept, nothing is looked back at and nothing proposed. " +
		"The skills and memories that there are stay as they are, and in use. `/settings learning on` takes that back.": "我不再从%s学习：不留记录，不回顾，也不提建议。" +
		"已有的技能和记忆保持不变，继续使用。`/settings learning on` 可以恢复。",
	"I learn nothing: my operator has switched it off for everybody.":                                 "我不学习：运维人员已经为所有人关闭了学习。",
	"I learn from %s; `/settings learning off` ends that.":                                            "我会从%s学习；`/settings learning off` 可以关闭。",
	"I learn **nothing** from %s; `/settings learning on` changes that.":                              "我**不**从%s学习；`/settings learning on` 可以打开。",
	"what is done in this place":                                                                      "这里做的事",
	"`%s` is nothing that can be set. This is:\n":                                                     "`%s` 不是可以设置的项目。可以设置的有：\n",
	"Your time zone, language and quiet hours are set with `/whoami`, in a direct conversation.":      "你的时区、语言和免打扰时间请在私聊里用 `/whoami` 设置。",
	"This is our own conversation. In a group, `/settings here on` lets its full members talk to me.": "这是我们的私聊。在群里，`/settings here on` 让正式成员可以和我说话。",
	"In this place, %s. `/settings here on` and `/settings here off` change that.":                    "在这里，%s。`/settings here on` 和 `/settings here off` 可以更改。",
	"its full members may talk to me":                                                                 "正式成员可以和我说话",
	"I am silent":                                                                                     "我不说话",
	"only people whom I know may talk to me":                                                          "只有我认识的人可以和我说话",

	"You are `%s`, and your role here is **%s**. What I know of you I tell in a direct conversation.": "你是 `%s`，在这里的角色是 **%s**。我对你的了解只在私聊里说。",
	"You are `%s`, and your role here is **%s**.":                                                     "你是 `%s`，在这里的角色是 **%s**。",
	"\n- linked: `%s`":    "\n- 已关联：`%s`",
	"What I know of you:": "我对你的了解：",
	"Usage: `/whoami strike N`, `/whoami correct N TEXT`, `/whoami confirm N`, `/whoami zone Europe/Berlin`, `/whoami language NAME`, `/whoami quiet 22-7`; " +
		"`off` instead of a value takes it away. `/whoami` shows the numbers.": "用法：`/whoami strike N`（删除）、`/whoami correct N TEXT`（更正）、`/whoami confirm N`（确认）、`/whoami zone Asia/Shanghai`（时区）、`/whoami language 中文`（语言）、`/whoami quiet 22-7`（免打扰）；" +
		"把值写成 `off` 就是取消。`/whoami` 会显示编号。",
	"That is no name of a language.": "这不是语言的名称。",
	"Quiet hours are two hours of the day, such as `/whoami quiet 22-7`; `/whoami quiet off` ends them.":                                                                                             "免打扰时间是一天中的两个钟点，例如 `/whoami quiet 22-7`；`/whoami quiet off` 取消。",
	"`/whoami strike N` deletes a line, which then stays away, `/whoami correct N TEXT` puts another in its place, `/whoami confirm N` says that it is right. `/memory` shows what else I remember.": "`/whoami strike N` 删除一行，以后也不会再出现；`/whoami correct N TEXT` 换成别的内容；`/whoami confirm N` 表示没错。`/memory` 显示我还记得什么。",
	"time zone: UTC, as you have told me none (`/whoami zone NAME`)":                                                                                                                                 "时区：UTC，因为你没有告诉我（`/whoami zone NAME`）",
	"time zone: %s, where it is %s (you told me)":                                                                                                                                                    "时区：%s，那里现在是 %s（你告诉我的）",
	"language: the one that you write in":                                                                                                                                                            "语言：你写什么语言就用什么语言",
	"; what I say by myself, such as this, is in English or Chinese":                                                                                                                                 "；我自己的提示（例如这一条）只有英文和中文",
	"language: %s (you told me)":                        "语言：%s（你告诉我的）",
	"; the platform says %s":                            "；平台上是 %s",
	"quiet hours: none (`/whoami quiet 22-7`)":          "免打扰时间：没有（`/whoami quiet 22-7`）",
	"quiet hours: %d:00 to %d:00 (you told me)":         "免打扰时间：%d:00 到 %d:00（你告诉我的）",
	"%s *(%.0f%% sure; %s)*%s":                          "%s *（把握 %.0f%%；%s）*%s",
	"%s *(%.0f%% sure; %s; last %s)*%s":                 "%s *（把握 %.0f%%；%s；最近 %s）*%s",
	"concluded from our conversation":                   "从我们的对话推断",
	"from outside our conversation":                     "来自对话之外",
	"you said so, %d×":                                  "你说过 %d 次",
	" on %s":                                            "（%s）",
	"concluded from what you said, %d×, last %s":        "从你说过的话推断，%d 次，最近 %s",
	"; %d× you said otherwise":                          "；有 %d 次你说的不一样",
	"There is no line %q; `/whoami` shows the numbers.": "没有编号为 %q 的行；`/whoami` 会显示编号。",
	"Struck: %s\n\n`/memory undo` takes it back.":       "已删除：%s\n\n`/memory undo` 可以撤销。",
	"There is nothing to strike: that is only what I do as long as you tell me nothing else.": "没有可删除的内容：那只是你没有告诉我别的时候我的做法。",
	"There is nothing to confirm: you told me yourself.":                                      "不需要确认：这是你自己告诉我的。",
	"Set that with `/whoami zone NAME`, `/whoami language NAME` or `/whoami quiet 22-7`.":     "请用 `/whoami zone NAME`、`/whoami language NAME` 或 `/whoami quiet 22-7` 设置。",
	"I believed: %s\n\nI know now: %s\n\n`/memory undo` takes it back.":                       "我原来以为：%s\n\n现在知道了：%s\n\n`/memory undo` 可以撤销。",
}
