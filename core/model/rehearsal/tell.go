package rehearsal

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// Lengths of what is quoted in an answer, in characters.
const (
	maxExcerpt = 700
	maxShown   = 2500
)

// kept begins what the memory tool says when a statement is in force.
const kept = "Kept"

var (
	forgetAllWords = words{
		"I forget one thing at a time (“forget which editor I use”). Everything that is kept about you goes with `/forget me`, in our direct conversation.",
		"我一次忘掉一件事（“忘掉我用什么编辑器”）。要清除关于你的一切，请在私聊里发送 `/forget me`。",
	}
	greetWords = words{
		"Hello! I'm Talaria in rehearsal: a set of rules, not a language model. I can do a few real things; ask for “help” to see which.",
		"你好！我是处于演练模式的 Talaria：我是一组规则，不是语言模型。我能做几件实实在在的事，说“帮助”可以看到。",
	}
	thankWords = words{"You're welcome.", "不客气。"}
	byeWords   = words{"Goodbye!", "再见！"}
	whoWords   = words{
		"I'm Talaria, running on its built-in rehearsal model. That is no language model: it follows rules for common requests, so that you can try everything without a key. Name a real one under `[model]` in config.toml and I will think for myself.",
		"我是 Talaria，现在用的是内置的演练模型（rehearsal）。它不是语言模型，只是按规则处理常见的请求，这样不用密钥也能试用。在 config.toml 的 `[model]` 里填上真正的模型，我就能自己思考了。",
	}
	lessonWords = words{
		"The review of this conversation takes it up, and proposes a skill for approval if there is something to keep. `/skills pending` lists what waits.",
		"对这段对话的复盘会处理它，如果有值得保留的做法，就会提出一个待批准的技能。用 `/skills pending` 查看。",
	}

	noLessonWords = words{
		"Nothing comes of that: my operator has learning switched off.",
		"这件事我记不下来：运维人员关闭了学习。",
	}

	notUnderstoodWords = words{
		"I don't understand this: I'm the rehearsal model, which follows rules and is no language model.",
		"这句话我没看懂：我是演练模型，只按规则工作，不是语言模型。",
	}
	abilitiesWords = words{"What I can do here:", "我在这里能做的事："}
	severalWords   = words{"- several of these in one message (“fetch ..., then save it to notes.md”), and the steps of a skill", "- 一条消息里做几件事（“打开……，然后保存到 notes.md”），也能执行技能的步骤"}
	realWords      = words{"For everything else name a language model under `[model]` in config.toml.", "其他的事，请在 config.toml 的 `[model]` 里配置一个语言模型。"}

	whichWords       = words{"Which of them? Write “delete job” and its id.", "是哪一个？请写“删除任务”和它的 id。"}
	noToolWords      = words{"there is no tool `%s` here", "这里没有 `%s` 这个工具"}
	nothingWords     = words{"there is nothing that this could mean", "不知道指的是哪段内容"}
	noAddressWords   = words{"there is no address in your message", "消息里没有网址"}
	noSuchFileWords  = words{"there is no file “%s”", "没有文件“%s”"}
	otherFilesWords  = words{"; there are: %s", "；现有：%s"}
	noTextWords      = words{"the text is empty, and I leave the file as it is", "内容是空的，文件保持原样"}
	notWholeWords    = words{"I can't read all that is in it, and leave it as it is", "文件内容读不全，保持原样"}
	writtenWords     = words{"“%s” is written.", "已写入“%s”。"}
	insteadWords     = words{"There is no file “%s”; this is the one whose name is nearest.\n", "没有文件“%s”，名字最接近的是：\n"}
	noFileWords      = words{"no file is named", "没有给出文件名"}
	noZoneWords      = words{"I don't know the time zone of “%s”; a name such as Europe/Berlin works", "我不知道“%s”的时区，可以用 Asia/Shanghai 这样的名称"}
	noSumWords       = words{"this is no sum that I can work out", "这个算式我算不了"}
	noFactsWords     = words{"I remember nothing about you yet. Tell me something with “remember that ...”.", "我还没有记住你的任何事。用“记住……”告诉我吧。"}
	knowWords        = words{"This is what I remember:\n%s", "我记得的是：\n%s"}
	knowNothingWords = words{"I remember nothing about “%s”.", "关于“%s”我什么也没记住。"}

	rememberedWords = words{"I'll remember: %s", "记住了：%s"}
	askedWords      = words{"About “%s”: %s", "关于“%s”：%s"}
	forgottenWords  = words{"Forgotten: %s", "已忘掉：%s"}
	foundWords      = words{"I found this in earlier conversations:\n\n%s", "在以前的对话里找到：\n\n%s"}
	notFoundWords   = words{"I found nothing about “%s” in the conversations that you can read.", "在你能看到的对话里没有找到关于“%s”的内容。"}
	whenWords       = words{"When, and of what? Such as: remind me tomorrow at 9 to call Ann.", "什么时候，提醒什么？例如：明天9点提醒我给安娜打电话。"}
	timeWords       = words{"It is %s.", "现在是%s。"}
	pageWords       = words{"**%s**\n%s", "**%s**\n%s"}
	listWords       = words{"The files of this conversation:\n%s", "本对话的文件：\n%s"}
	fileWords       = words{"**%s**\n%s", "**%s**\n%s"}
	usedWords       = words{"`%s` says:\n%s", "`%s` 的结果：\n%s"}

	failedWords  = words{"I could not %s: %s", "没能%s：%s"}
	skippedWords = words{"I left this out, since the step before it failed: “%s”", "前一步失败了，所以没有做：“%s”"}
	followWords  = words{"I followed the skill **%s**:", "我按技能 **%s** 做了："}
	emptyWords   = words{"Your message has no text that I could go by.", "消息里没有我能处理的文字。"}
	pictureWords = words{"I can't see pictures: the rehearsal model reads text only.", "我看不到图片：演练模型只能读文字。"}
)

// report is the answer once nothing is left to be called.
func (t *task) report() string {
	if len(t.steps) == 0 {
		t.understandNothing()
	}
	var parts []string
	for _, s := range t.steps {
		if s.state == moot || s.intent == skill && s.state == done && t.procedure.name != "" {
			continue // nothing was done, or the skill's steps stand for it
		}
		parts = append(parts, t.tell(s))
	}
	if t.procedure.name == "" && len(parts) == 1 {
		return parts[0]
	}
	for i := range parts {
		parts[i] = fmt.Sprintf("%d. %s", i+1, indent(parts[i]))
	}
	text := strings.Join(parts, "\n")
	if t.procedure.name != "" {
		text = followWords.in(t.language, t.procedure.name) + "\n" + text
	}
	return text
}

// understandNothing makes the one step of a message that asks for nothing a
// rule knows.
func (t *task) understandNothing() {
	s := &step{clause: t.input, slots: slots{}}
	t.steps = []*step{s}
	switch {
	case t.input != "":
		t.begin(0)
	case t.pictures > 0:
		s.state, _ = local(s, pictureWords.in(t.language))
	default:
		s.state, _ = local(s, emptyWords.in(t.language))
	}
}

func (t *task) tell(s *step) string {
	switch s.state {
	case failed:
		return failedWords.in(t.language, t.acts[s.intent].fault.in(t.language), s.reason)
	case skipped:
		return skippedWords.in(t.language, brief(s.clause, 80))
	}
	return t.acts[s.intent].tell(t, s)
}

// abilities lists what can be done with the tools of this request.
func (t *task) abilities() string {
	lines := []string{abilitiesWords.in(t.language)}
	for _, i := range []intent{remember, about, search, fetch, write, schedule, clock, compute} {
		if t.offers(t.acts[i]) {
			lines = append(lines, "- "+t.acts[i].can.in(t.language))
		}
	}
	if len(t.tools) > 1 {
		lines = append(lines, severalWords.in(t.language))
	}
	return strings.Join(lines, "\n") + "\n\n" + realWords.in(t.language)
}

// tellCancel asks which of several jobs is meant.
func tellCancel(t *task, s *step) string {
	if len(jobLine().FindAllString(s.result, 2)) > 1 {
		return s.result + "\n\n" + whichWords.in(t.language)
	}
	return s.result
}

func tellResult(_ *task, s *step) string { return s.result }

func tellRemember(t *task, s *step) string {
	if strings.HasPrefix(s.result, kept) {
		return rememberedWords.in(t.language, s.slots["text"])
	}
	return askedWords.in(t.language, s.slots["text"], s.result)
}

func tellForget(t *task, s *step) string {
	if s.tries == 0 {
		return s.result // no call was made
	}
	return forgottenWords.in(t.language, s.slots["text"])
}

func tellSearch(t *task, s *step) string {
	switch {
	case s.tries == 0:
		return s.result // told from what is known
	case foundSome(s.result):
		return foundWords.in(t.language, cut(s.result, maxShown))
	}
	return notFoundWords.in(t.language, s.slots["query"])
}

func tellClock(t *task, s *step) string {
	now := s.result
	if t.language == chinese {
		now = weekdaysZH().Replace(now)
	}
	return timeWords.in(t.language, now)
}

// weekdaysZH puts the days of the week, as the tool tells them, into Chinese.
var weekdaysZH = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("Monday, ", "星期一，", "Tuesday, ", "星期二，", "Wednesday, ", "星期三，", "Thursday, ", "星期四，",
		"Friday, ", "星期五，", "Saturday, ", "星期六，", "Sunday, ", "星期日，")
})

// page is what the fetch tool tells of one: some lines of header, then text.
type page struct{ title, address, text string }

var header = lazily(`^(Address|Title|Type): (.*)$`)

func readPage(result string) page {
	var p page
	head, text, found := strings.Cut(result, "\n\n")
	for line := range strings.Lines(head) {
		m := header().FindStringSubmatch(strings.TrimSpace(line))
		switch {
		case m == nil:
			return page{text: result}
		case m[1] == "Address":
			p.address = m[2]
		case m[1] == "Title":
			p.title = strings.TrimSpace(m[2])
		}
	}
	if !found {
		return page{text: result}
	}
	p.text = text
	return p
}

func tellFetch(t *task, s *step) string {
	p := readPage(s.result)
	title := p.title
	if title == "" {
		title = s.slots["url"]
	}
	return pageWords.in(t.language, title, quote(brief(p.text, maxExcerpt)))
}

func tellList(t *task, s *step) string {
	if !strings.HasPrefix(s.result, "- ") {
		return s.result
	}
	return listWords.in(t.language, cut(s.result, maxShown))
}

func tellRead(t *task, s *step) string {
	text := fileWords.in(t.language, s.slots["name"], quote(cut(s.result, maxShown)))
	if wanted := s.slots["wanted"]; wanted != "" {
		return insteadWords.in(t.language, wanted) + text
	}
	return text
}

func tellWrite(t *task, s *step) string {
	if t.language == chinese {
		return writtenWords.in(t.language, s.slots["name"])
	}
	return s.result
}

func tellUse(t *task, s *step) string {
	return usedWords.in(t.language, s.slots["tool"], quote(cut(s.result, maxShown)))
}

// quote marks a foreign text as such.
func quote(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n> ")
}

func bullets(list []string) string { return "- " + strings.Join(list, "\n- ") }

func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n   ") }

// cut shortens a text to so many characters.
func cut(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return strings.TrimSpace(string(runes[:most])) + " …"
}

// brief is the beginning of a text without empty lines, cut where a line or a
// sentence ends if one does.
func brief(text string, most int) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "\n")
	runes := []rune(text)
	if len(runes) <= most {
		return strings.TrimSpace(text)
	}
	short := string(runes[:most])
	if at := strings.LastIndexAny(short, "\n.!?。！？"); at > len(short)/2 {
		_, size := utf8.DecodeRuneInString(short[at:])
		short = short[:at+size]
	}
	return strings.TrimSpace(short) + " …"
}

// reason is what is worth telling of a tool's failure: its first line, and the
// list below it of what would do instead.
func reason(text string) string {
	const most = 5
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	for _, prefix := range []string{"error: ", "failed: "} {
		first = strings.TrimPrefix(first, prefix)
	}
	told := []string{cut(first, 300)}
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "- ") || len(told) > most {
			break
		}
		told = append(told, cut(line, 120))
	}
	return strings.Join(told, "\n")
}
