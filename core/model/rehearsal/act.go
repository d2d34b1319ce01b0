package rehearsal

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"talaria/core/agent"
)

// act is how an intent is carried out.
type act struct {
	// begin prepares the first call of step i, or does it without one.
	begin func(t *task, i int) (state, wish)
	// again is what to try after a call that was not the end of it; may be nil.
	again func(t *task, s *step, x exchange) (wish, bool)
	// tell says what a step that is done came to.
	tell func(t *task, s *step) string
	// fault is what could not be done, for "I could not ...".
	fault words
	// can is the line in the list of what rehearsal can do, with the tool that
	// it takes.
	can  words
	tool string
}

// theActs are all intents. They belong to a task and are no package variable,
// for they use the task that uses them.
func theActs() map[intent]act {
	return map[intent]act{
		remember: {tool: "memory", begin: beginRemember, tell: tellRemember, fault: words{"keep that", "记下这件事"},
			can: words{"remember something about you or your work (“remember that ...”), and forget it again", "记住关于你或工作的事（“记住……”），也可以忘掉"}},
		forget: {tool: "memory", begin: beginForget, tell: tellForget, fault: words{"forget that", "忘掉这件事"}},
		about: {begin: beginAbout, tell: tellResult,
			can: words{"tell you what I know about you", "告诉你我知道你的什么"}},
		recall: {begin: beginRecall, again: searchAgain, tell: tellSearch, fault: words{"look that up", "查这件事"}},
		search: {tool: "session_search", begin: beginSearch, again: searchAgain, tell: tellSearch, fault: words{"search earlier conversations", "搜索以前的对话"},
			can: words{"search earlier conversations (“what did we say about ...”)", "搜索以前的对话（“我们之前说过……吗”）"}},
		fetch: {tool: "fetch", begin: beginFetch, again: fetchAgain, tell: tellFetch, fault: words{"read the page", "读取网页"},
			can: words{"read a web page (“fetch https://...”)", "读取网页（“打开 https://……”）"}},
		list:     {tool: "files_list", begin: plainCall("files_list"), tell: tellList, fault: words{"list the files", "列出文件"}},
		readFile: {tool: "files_read", begin: beginRead, again: readAgain, tell: tellRead, fault: words{"read the file", "读取文件"}},
		write: {tool: "files_write", begin: beginWrite, tell: tellWrite, fault: words{"write the file", "写文件"},
			can: words{"list, read and write files of this conversation (“save it to notes.md”)", "列出、读取和写入本对话的文件（“把它保存到 notes.md”）"}},
		extend: {tool: "files_write", begin: beginExtend, again: extendAgain, tell: tellWrite, fault: words{"add to the file", "往文件里追加"}},
		clock: {tool: "time", begin: beginClock, tell: tellClock, fault: words{"tell the time", "查时间"},
			can: words{"tell the time and date, here or elsewhere", "告诉你各地的时间和日期"}},
		compute: {begin: beginSum, tell: tellResult,
			can: words{"work out sums (“what is 15% of 80”)", "做算术（“计算 15*8”）"}},
		schedule: {tool: "schedule_create", begin: beginSchedule, tell: tellResult, fault: words{"schedule that", "安排这件事"},
			can: words{"remind you, or do something at times (“remind me every Friday at 5 to ...”)", "定时提醒你或做事（“每天早上9点提醒我……”）"}},
		jobs:    {tool: "schedule_list", begin: plainCall("schedule_list"), tell: tellResult, fault: words{"list the jobs", "列出任务"}},
		cancel:  {tool: "schedule_cancel", begin: beginCancel, again: cancelAgain, tell: tellCancel, fault: words{"delete the job", "删除任务"}},
		use:     {begin: beginUse, tell: tellUse, fault: words{"use the tool", "使用该工具"}},
		agree:   {begin: beginAgreed, tell: tellResult, fault: words{"do what you agreed to", "做你同意的事"}},
		skill:   {tool: "skill_view", begin: beginSkill, tell: tellUse, fault: words{"read the skill", "读取技能"}},
		lesson:  {begin: beginLesson, tell: tellResult},
		say:     {begin: beginSay, tell: tellResult},
		greet:   {begin: said(greetWords), tell: tellResult},
		thank:   {begin: said(thankWords), tell: tellResult},
		bye:     {begin: said(byeWords), tell: tellResult},
		who:     {begin: said(whoWords), tell: tellResult},
		help:    {begin: beginHelp, tell: tellResult},
		unknown: {begin: beginUnknown, tell: tellResult, fault: words{"work out what this asks for", "弄明白这句话要做什么"}},
	}
}

// call wants a tool, if the request offers it or the task has used it before:
// a request that lets no tool be used must still tell what was done with them.
func (t *task) call(s *step, tool string, args map[string]any) (state, wish) {
	_, offered := t.tool(tool)
	used := slices.ContainsFunc(t.exchanges, func(x exchange) bool { return x.call.Name == tool })
	if !offered && !used {
		s.reason = noToolWords.in(t.language, tool)
		return failed, wish{}
	}
	return pending, wish{tool, args}
}

func plainCall(tool string) func(*task, int) (state, wish) {
	return func(t *task, i int) (state, wish) { return t.call(t.steps[i], tool, map[string]any{}) }
}

// local finishes a step with a text of rehearsal's own.
func local(s *step, text string) (state, wish) {
	s.result = text
	return done, wish{}
}

// refuse finishes a step that cannot be done.
func refuse(s *step, why string) (state, wish) {
	s.reason = why
	return failed, wish{}
}

func said(w words) func(*task, int) (state, wish) {
	return func(t *task, i int) (state, wish) { return local(t.steps[i], w.in(t.language)) }
}

// beginSay says what it is told to, as a job does that greets a channel.
func beginSay(t *task, i int) (state, wish) {
	s := t.steps[i]
	return local(s, upper(clean(s.slots["text"])))
}

func encode(args map[string]any) json.RawMessage {
	raw, err := json.Marshal(args)
	if err != nil {
		return json.RawMessage("{}") // cannot be: strings, numbers and what came out of JSON
	}
	return raw
}

func beginRemember(t *task, i int) (state, wish) {
	s := t.steps[i]
	text := s.slots["text"]
	if refersBack(text) {
		text = brief(t.last(i), 400)
	}
	if text == "" {
		return refuse(s, nothingWords.in(t.language))
	}
	s.slots["text"] = text
	args := map[string]any{"action": "add", "text": text}
	if personal().MatchString(text) {
		args["kind"] = "profile"
	}
	return t.call(s, "memory", args)
}

// personal statements are about who the person is and what they like.
var personal = lazily(`(?i)^(?:my name|call me|i(?:'m| am| prefer| like| love| hate| dislike| always| never| live| speak)\b|我(?:叫|的名字|喜欢|偏好|习惯|讨厌|不喜欢|住)|叫我)`)

// everything is what somebody wants forgotten who means themselves.
var everything = map[string]bool{
	"everything": true, "everything about me": true, "all about me": true, "all of it": true, "me": true, "all": true,
	"一切": true, "所有": true, "所有事": true, "我": true, "关于我的一切": true, "全部": true,
}

func beginForget(t *task, i int) (state, wish) {
	s := t.steps[i]
	old := s.slots["text"]
	if everything[strings.ToLower(old)] {
		return local(s, forgetAllWords.in(t.language))
	}
	if best, ok := nearest(t.facts, old); ok {
		old = best // as it is kept, which is what the tool wants to see
	}
	s.slots["text"] = old
	return t.call(s, "memory", map[string]any{"action": "remove", "old": old})
}

func beginSearch(t *task, i int) (state, wish) {
	s := t.steps[i]
	return t.call(s, "session_search", map[string]any{"query": s.slots["query"]})
}

// searchAgain tries the one word that says most, where all words together
// found nothing.
func searchAgain(_ *task, s *step, x exchange) (wish, bool) {
	if x.outcome.Failed || foundSome(x.outcome.Text) {
		return wish{}, false
	}
	word := longestWord(s.slots["query"])
	if s.tries > 1 || word == "" || word == s.slots["query"] {
		return wish{}, false
	}
	return wish{"session_search", map[string]any{"query": word}}, true
}

// foundSome: a list of finds is numbered.
func foundSome(text string) bool { return strings.HasPrefix(text, "1.") }

func longestWord(text string) string {
	longest := ""
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,.;:!?，。；：！？\"“”", r) }) {
		if len([]rune(w)) > len([]rune(longest)) {
			longest = w
		}
	}
	return longest
}

func beginRecall(t *task, i int) (state, wish) {
	s := t.steps[i]
	topic := s.slots["topic"]
	s.slots["query"] = topic
	if hits := matching(t.facts, topic); len(hits) > 0 {
		return local(s, knowWords.in(t.language, bullets(hits)))
	}
	if _, ok := t.tool("session_search"); !ok && len(t.exchanges) == 0 {
		return local(s, knowNothingWords.in(t.language, topic))
	}
	return beginSearch(t, i)
}

func beginAbout(t *task, i int) (state, wish) {
	if len(t.facts) == 0 {
		return local(t.steps[i], noFactsWords.in(t.language))
	}
	return local(t.steps[i], knowWords.in(t.language, bullets(t.facts)))
}

func beginFetch(t *task, i int) (state, wish) {
	s := t.steps[i]
	at := strings.TrimRight(s.slots["url"], ".,;:!?)]}\"'")
	if at == "" {
		at = firstURL(t.input)
	}
	if at == "" {
		return refuse(s, noAddressWords.in(t.language))
	}
	if !strings.Contains(at, "://") {
		at = "https://" + at
	}
	s.slots["url"] = at
	return t.call(s, "fetch", map[string]any{"url": at})
}

// fetchAgain tries plain HTTP where no server answered over HTTPS. An answer,
// also a bad one, is an answer.
func fetchAgain(_ *task, s *step, x exchange) (wish, bool) {
	u, err := url.Parse(s.slots["url"])
	if !x.outcome.Failed || err != nil || u.Scheme != "https" || !unreachable().MatchString(x.outcome.Text) {
		return wish{}, false
	}
	u.Scheme = "http"
	s.slots["url"] = u.String()
	return wish{"fetch", map[string]any{"url": u.String()}}, true
}

var unreachable = lazily(`(?i)can(?:'t|not) be reached|unreachable|connection refused|certificate|handshake`)

func beginClock(t *task, i int) (state, wish) {
	s := t.steps[i]
	args := map[string]any{}
	if place := strings.TrimSpace(more().ReplaceAllString(s.slots["zone"], " ")); place != "" {
		zone, ok := zoneOf(place)
		if !ok {
			return refuse(s, noZoneWords.in(t.language, place))
		}
		args["zone"] = zone
	}
	return t.call(s, "time", args)
}

func beginSum(t *task, i int) (state, wish) {
	s := t.steps[i]
	value, err := calculate(s.slots["sum"])
	if err != nil {
		return refuse(s, noSumWords.in(t.language))
	}
	return local(s, strings.TrimSpace(s.slots["sum"])+" = "+number(value))
}

// beginSchedule hands the whole wording over: the time is found in it by the
// grammar of schedules.
func beginSchedule(t *task, i int) (state, wish) {
	s := t.steps[i]
	if s.slots["text"] == "" {
		return local(s, whenWords.in(t.language))
	}
	return t.call(s, "schedule_create", map[string]any{"text": s.slots["text"]})
}

func beginCancel(t *task, i int) (state, wish) {
	s := t.steps[i]
	if s.slots["id"] == "" {
		return t.call(s, "schedule_list", map[string]any{})
	}
	return t.call(s, "schedule_cancel", map[string]any{"id": s.slots["id"]})
}

// cancelAgain deletes the job where there is one alone.
func cancelAgain(_ *task, _ *step, x exchange) (wish, bool) {
	listed := jobLine().FindAllStringSubmatch(x.outcome.Text, 2)
	if x.call.Name != "schedule_list" || len(listed) != 1 {
		return wish{}, false
	}
	return wish{"schedule_cancel", map[string]any{"id": listed[0][1]}}, true
}

// jobLine is how schedule_list begins the line of a job.
var jobLine = lazily("(?m)^(?:- )?`([a-z2-7]{5,20})` ")

func beginLesson(t *task, i int) (state, wish) {
	if t.unlearned {
		return local(t.steps[i], noLessonWords.in(t.language))
	}
	return local(t.steps[i], lessonWords.in(t.language))
}

// beginAgreed waits for the call that is made already.
func beginAgreed(t *task, _ int) (state, wish) { return pending, wish{tool: t.agreed.Name} }

func beginHelp(t *task, i int) (state, wish) { return local(t.steps[i], t.abilities()) }

// beginUnknown answers what fits no rule: from what is known, if it is a
// question about that, else with what can be done.
func beginUnknown(t *task, i int) (state, wish) {
	s := t.steps[i]
	if hits := matching(t.facts, s.clause); len(hits) > 0 && asks().MatchString(s.clause) {
		return local(s, knowWords.in(t.language, bullets(hits)))
	}
	if len(t.steps) > 1 {
		return refuse(s, "“"+brief(s.clause, 80)+"”")
	}
	return local(s, notUnderstoodWords.in(t.language)+"\n\n"+t.abilities())
}

var asks = lazily(`(?i)[?？吗么呢]\s*$|^(?:what|where|who|when|which|how|why|is|are|do|does|did|can)\b|什么|哪|谁|几|怎么|多少`)

// offers are what a request must offer for an act to be of use.
func (t *task) offers(a act) bool {
	if a.tool == "" {
		return true
	}
	_, ok := t.tool(a.tool)
	return ok
}

// schema is the part of a tool's JSON Schema that filling it in takes.
type schema struct {
	Properties map[string]struct {
		Type string `json:"type"`
		Enum []any  `json:"enum"`
	} `json:"properties"`
	Required []string `json:"required"`
}

func schemaOf(spec agent.Spec) schema {
	var s schema
	if json.Unmarshal(spec.Schema, &s) != nil {
		return schema{}
	}
	return s
}
