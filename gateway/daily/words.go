package daily

import (
	"context"
	"fmt"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/scheduler/when"
)

// wording is a text in English and in Chinese.
type wording struct{ en, zh string }

// in is the text in a language of package when, with what goes into it.
func (w wording) in(lang string, args ...any) string {
	text := w.en
	if lang == when.Chinese {
		text = w.zh
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// post is the text as a message.
func (w wording) post(lang string, args ...any) chat.Post {
	return chat.Post{Markdown: w.in(lang, args...)}
}

// language is the one that somebody is answered in: what they told me, else what
// they write in, else what their platform says.
func (d *Desk) language(ctx context.Context, who person.Principal, e chat.Event, words string) (string, error) {
	told, err := person.ReadSettings(ctx, d.Store, who)
	if err != nil {
		return when.English, err
	}
	if told.Language != "" {
		name := strings.ToLower(told.Language)
		return chineseIf(strings.Contains(name, "chinese") || strings.Contains(name, "中文") || strings.Contains(name, "汉语") || strings.HasPrefix(name, "zh")), nil
	}
	return chineseIf(when.Language(words) == when.Chinese || strings.HasPrefix(e.Author.Language, "zh")), nil
}

func chineseIf(is bool) string {
	if is {
		return when.Chinese
	}
	return when.English
}

// The set-up.
var (
	stepWhen   = wording{"**Daily briefing**, step 1 of 3: when?", "**每日简报**，第1步（共3步）：什么时候？"}
	stepWhere  = wording{"Step 2 of 3: where? For the briefing of a channel or group, say `/brief` there.", "第2步（共3步）：在哪里？频道或群组的简报，请在那里说 `/brief`。"}
	stepPlace  = wording{"Step 2 of 3: where? Here, everybody reads it, and it tells of this place alone; in our direct conversation it is yours.", "第2步（共3步）：在哪里？在这里，大家都能看到，只讲这里的事；在私聊里，它只属于你。"}
	stepWhat   = wording{"Step 3 of 3: what? Press to take in or leave out.", "第3步（共3步）：包括什么？点按可加入或去掉。"}
	soFarWords = wording{"**Daily briefing**, %s.\n\n", "**每日简报**，%s。\n\n"}
	whenSaid   = wording{"when: %s", "时间：%s"}
	hereSaid   = wording{"where: here", "地点：这里"}
	directSaid = wording{"where: in our direct conversation", "地点：我们的私聊"}
	between    = wording{"; ", "；"}
	everyDayAt = wording{"every day at %s", "每天%s"} // as package when reads it
	otherLabel = wording{"Other", "其他"}
	hereLabel  = wording{"Here", "这里"}
	dmLabel    = wording{"Direct message", "私聊"}
	doneLabel  = wording{"Done", "完成"}
	beside     = wording{"Here it is; the buttons are for you alone.", "在这里；按钮只给你用。"}
	writeFirst = wording{"Please write to me alone first, so that I know where to find you; then press this again.", "请先单独给我发一条消息，我才知道到哪里找你；然后再按一次。"}
	notYours   = wording{"These buttons are for whoever asked for them, or are too old. `/brief` begins a set-up of your own.", "这些按钮是给设置的人用的，或者已经过期。`/brief` 开始你自己的设置。"}
	sayWhen    = wording{"Say when, such as `/brief at every weekday at 7:30`.", "请说时间，例如 `/brief at 每个工作日早上7点半`。"}
	givenUp    = wording{"The set-up is given up. `/brief` begins another one.", "设置已放弃。`/brief` 重新开始。"}
	underSetUp = wording{"Your briefing is being set up still: `/brief` shows the step, `/brief new` begins anew, `/brief off` gives it up.", "你的简报还在设置中：`/brief` 显示当前步骤，`/brief new` 重新开始，`/brief off` 放弃。"}
)

// The briefing that there is.
var (
	comingNow   = wording{"It is being gathered. If there is nothing new since the last one, I say nothing.", "正在收集。如果自上次以来没有新内容，我就不说什么。"}
	pausedWords = wording{"Your briefing is paused. `/brief resume` has it come again.", "你的简报已暂停。`/brief resume` 恢复。"}
	onAgain     = wording{"Your briefing is on again: %s", "你的简报已恢复：%s"}
	offWords    = wording{"Your briefing does not come any more. `/brief` sets one up anew.", "不再发简报了。`/brief` 可以重新设置。"}
	usage       = wording{"`/brief` sets a briefing up or shows it. Then there are `now`, `pause`, `resume`, `off`, `new`, `at every weekday at 7:30`, " +
		"`add here` in a channel, `add https://…`, and `remove` with what was added.",
		"`/brief` 设置或显示简报。另外还有 `now`（现在发）、`pause`（暂停）、`resume`（恢复）、`off`（取消）、`new`（重新设置）、`at 每个工作日早上7点半`、" +
			"在频道里说 `add here`、`add https://…`，以及 `remove` 加上已添加的内容。"}
	noneOwn   = wording{"You have no briefing. `/brief` sets one up.", "你没有简报。`/brief` 可以设置。"}
	noneHere  = wording{"You have set up no briefing for this place; `/brief` does. Your own is shown in our direct conversation.", "你没有为这里设置简报；`/brief` 可以设置。你自己的简报在私聊里显示。"}
	shownAs   = wording{"**%s** comes %s, %s. %s\n\n%s\n\n%s", "**%s**：%s，%s。%s\n\n%s\n\n%s"}
	yours     = wording{"Your daily briefing", "你的每日简报"}
	ofPlace   = wording{"The daily briefing of this place", "这里的每日简报"}
	inDirect  = wording{"in our direct conversation", "发到我们的私聊"}
	inPlace   = wording{"here", "发到这里"}
	nextTimes = wording{"Next: %s.", "接下来：%s。"}
	isPaused  = wording{"It is paused%s.", "已暂停%s。"}
	nothing   = wording{"- nothing yet", "- 还没有内容"}
	noneYet   = wording{" (none chosen yet)", "（还没有选择）"}
	useHint   = wording{"`/brief add https://…` watches a page or feed; `/brief now` has it come now, `pause`, `resume` and `off` do what they say, `new` sets it up anew.",
		"`/brief add https://…` 关注一个网页或订阅源；`/brief now` 现在就发，`pause` 暂停，`resume` 恢复，`off` 取消，`new` 重新设置。"}
	addHint   = wording{"`/brief add here`, said in a channel, takes that channel in.", "在频道里说 `/brief add here` 可以加入那个频道。"}
	noPast    = wording{"%s does not let bots read what was said before, so I can't tell what happened there.", "%s 不允许机器人读取以前的消息，所以我讲不了那里发生的事。"}
	addUsage  = wording{"`/brief add here` takes in the channel that it is said in, `/brief add https://example.org/feed` a page or feed.", "`/brief add here` 加入所在的频道，`/brief add https://example.org/feed` 加入网页或订阅源。"}
	sayThere  = wording{"Say that in the channel that is meant.", "请在要加入的频道里说。"}
	onlyYours = wording{"I can take in only channels of which you are a member, and I am too.", "只能加入你和我都在的频道。"}
	ownFirst  = wording{"You have no briefing of your own yet; say `/brief` in our direct conversation.", "你还没有自己的简报；请在私聊里说 `/brief`。"}
	addedTo   = wording{"Done. `/brief` in our direct conversation shows it.", "好了。私聊里的 `/brief` 可以查看。"}
	tooMany   = wording{"A briefing takes in at most %d of these; remove one first.", "一份简报最多包括 %d 个；请先去掉一个。"}
)

// noHistory says why nothing is read on a platform.
func noHistory(lang, platform string) string {
	return noPast.in(lang, command.Clipped(platform, maxText))
}
