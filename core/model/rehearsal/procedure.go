package rehearsal

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxProcedure is how many steps of a skill are carried out; the product's own
// skills have ten at most.
const maxProcedure = 20

// procedure is the numbered steps of a skill.
type procedure struct {
	name     string
	template string // how it is asked for, if it says so
	lines    []string
	detours  []detour
}

// detour is that a tool works with another value than the one that is asked for.
type detour struct{ tool, asked, works string }

// in is a step, filled in, with what works.
func (d detour) in(line string) string {
	before, after, found := strings.Cut(line, d.asked)
	if !found || !strings.Contains(line, "`"+d.tool+"`") || ofName().MatchString(before) || inName().MatchString(after) {
		return line
	}
	return before + d.works + after
}

// detours are those that a skill's pitfalls tell of.
func detours(text string) []detour {
	var out []detour
	for _, m := range pitfallLine().FindAllStringSubmatch(text, -1) {
		tried, with := argsOf(m[2]), argsOf(m[4])
		for _, name := range slices.Sorted(maps.Keys(tried)) {
			if m[1] == m[3] && tried[name] != "" && with[name] != "" && with[name] != tried[name] {
				out = append(out, detour{m[1], tried[name], with[name]})
			}
		}
	}
	return out
}

var (
	pitfallLine = lazily("(?m)^- `(\\w+)` (?:fails with|失败的用法：) ?(\\{.*?\\}) ?[(（].*[)）][;；] ?(?:what works:|可行的是) ?`(\\w+)` (?:with )?(\\{.*)$")
	ofName      = lazily(`[\w./-]$`)
	inName      = lazily(`^[\w/-]`)

	numbered  = lazily(`^\s{0,3}(\d{1,2})[.)、]\s*(\S.*)$`)
	heading   = lazily(`^#{1,6}\s+(.*)$`)
	stepsHead = lazily(`(?i)step|procedure|workflow|how to|步骤|流程|做法`)
	skillName = lazily(`(?im)(?:^|<skill[^>\n]*?\b)name\s*[:=]\s*["']?([a-z0-9][a-z0-9-]*)|^#+\s*(?:skill|技能)[:：]?\s*([a-z0-9][a-z0-9-]*)`)
	skillMark = lazily(`(?m)^\[skill ([a-z0-9-]+), revision \d+\]$`)
	emphasis  = lazily(`\*\*|__`)
	holder    = lazily(`[{<$\[].*`)
	byTool    = lazily("(?i)\\s*(?:with|using|by|via|用|使用)\\s*(?:the )?`[a-z][a-z0-9_]*`(?: tool|工具)?")
	ticked    = lazily("`([a-z][a-z0-9_]*)`")
)

// skillFor returns the procedure that the product put before the message, if
// the message wants it: by name, in words that no rule knows, or by asking for
// things that are all among its steps.
func skillFor(s *scene, own []*step) (procedure, bool) {
	p, ok := readProcedure(s.block)
	if !ok {
		return p, false
	}
	has := map[intent]bool{unknown: true, skill: true}
	for _, st := range p.steps(s) {
		has[st.intent] = true
	}
	if len(has) == 2 {
		return p, false // no step that rules can carry out
	}
	for _, st := range own {
		if !has[st.intent] {
			return p, false
		}
	}
	return p, true
}

// readProcedure finds the numbered list in a text that is most likely the
// steps: the first under a heading that says so, else the longest.
func readProcedure(text string) (procedure, bool) {
	var best, list []string
	var sure, under bool
	keep := func() {
		if !sure && len(list) > 0 && (under || len(list) > len(best)) {
			best, sure = list, under
		}
		list = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n ")
		item := numbered().FindStringSubmatch(line)
		switch {
		case heading().MatchString(line):
			keep()
			under = stepsHead().MatchString(line)
		case item != nil:
			if n, _ := strconv.Atoi(item[1]); n != len(list)+1 {
				keep()
			}
			list = append(list, item[2])
		case len(list) > 0 && strings.HasPrefix(line, "  "):
			list[len(list)-1] += " " + strings.TrimSpace(line)
		}
	}
	keep()
	p := procedure{name: "?", template: templateOf(text), lines: best[:min(len(best), maxProcedure)], detours: detours(text)}
	if m := skillMark().FindStringSubmatch(text); m != nil {
		p.name = m[1]
	} else if m := skillName().FindStringSubmatch(text); m != nil {
		p.name = m[1] + m[2]
	}
	return p, len(best) > 0
}

// templateOf is how a skill is asked for, empty where it does not say.
func templateOf(text string) string {
	for _, lead := range []string{asking.en, asking.zh} {
		if _, template, ok := strings.Cut(text, lead); ok {
			template, _, _ = strings.Cut(template, "\n")
			return template
		}
	}
	return ""
}

// steps makes steps of the lines, with what the message gives filled in.
func (p procedure) steps(s *scene) []*step {
	var out []*step
	for _, line := range p.lines {
		line = fill(emphasis().ReplaceAllString(line, ""), p.template, s.input)
		for _, d := range p.detours {
			line = d.in(line)
		}
		for _, c := range clauses(line) {
			out = append(out, s.stepOf(c, len(out) > 0))
		}
	}
	return out
}

// stepOf makes a step of a clause of a skill. Skills are written for models
// that think, so where no rule knows the wording a tool that it names counts,
// and then its verb.
func (s *scene) stepOf(clause string, follows bool) *step {
	bare := strings.TrimSpace(strings.ReplaceAll(byTool().ReplaceAllString(clause, ""), "`", ""))
	i, found := understand(bare, languageOf(bare))
	if i == unknown || i == compute || i == remember && !strings.Contains(strings.ToLower(clause), "remember") {
		i, found = s.named(clause), slots{}
	}
	for name, value := range found {
		literal := i != write || name != "text" || refersBack(value) || strings.ContainsAny(clause, "\"“「")
		if holder().MatchString(value) || !literal {
			delete(found, name) // a description of what to put here, not the thing itself
		}
	}
	switch i {
	case write, readFile:
		if found["name"] == "" {
			found["name"] = firstFile(clause)
		}
		if own := s.own(i, "name"); i == write && own != "" && !strings.Contains(s.input, found["name"]) {
			found["name"] = own // the person says where to, whatever the skill has
		}
		if found["name"] == "" {
			found["name"] = firstFile(s.input)
		}
		if strings.Contains(clause, "{text}") {
			quoted := strings.Trim(inQuotes().FindString(s.input), `"“”「」`)
			found["text"] = cmp.Or(s.own(write, "text"), quoted)
		}
	case fetch:
		if found["url"] == "" {
			found["url"] = firstURL(s.input)
		}
	case search:
		if found["query"] == "" {
			found["query"] = s.input
		}
	case remember:
		if found["text"] == "" {
			found["text"] = s.input
		}
	case use:
		found["tool"] = s.mentioned(clause)
		_, args, _ := strings.Cut(clause, "`"+found["tool"]+"`")
		args = strings.TrimSpace(args)
		for _, lead := range []string{"with {", "参数 {"} {
			if rest, ok := strings.CutPrefix(args, lead); ok {
				args = "{" + strings.TrimRight(rest, ".。 ")
			}
		}
		found["args"] = args
	}
	return newStep(i, found, clause, follows)
}

// verbs are what a step of a skill may say of the tools of this product.
var verbs = []struct {
	intent intent
	expr   pattern
}{
	{search, lazily(`(?i)\bsearch\b.*\b(?:conversation|session|history|chat)|session_search|搜索.*(?:对话|记录)`)},
	{fetch, lazily(`(?i)\b(?:fetch|download|visit|browse)\b|\b(?:open|read|load|get)\b.*\b(?:page|site|url|link|address|article)\b|(?:打开|抓取|获取|读取|访问).*(?:网页|页面|链接|网址|文章)`)},
	{list, lazily(`(?i)\blist\b.*\bfiles\b|列出.*文件`)},
	{readFile, lazily(`(?i)\b(?:read|open)\b.*\b(?:file|notes?)\b|(?:读取?|打开).*文件`)},
	{write, lazily(`(?i)\b(?:save|write|store|append|put)\b|保存|写入|写到|存到`)},
	{clock, lazily(`(?i)\b(?:time|date|today)\b|时间|日期|今天`)},
	{remember, lazily(`(?i)\bremember\b|\bmemory\b|记住`)},
}

// toolIntents are the tools that an intent has of its own.
var toolIntents = map[string]intent{
	"fetch": fetch, "session_search": search, "time": clock, "memory": remember,
	"files_list": list, "files_read": readFile, "files_write": write, "skill_view": skill,
}

// named is the intent of a clause by the tool or the verb in it.
func (s *scene) named(clause string) intent {
	if tool := s.mentioned(clause); tool != "" {
		if i, ok := toolIntents[tool]; ok {
			return i
		}
		return use
	}
	for _, v := range verbs {
		if v.expr().MatchString(clause) {
			return v.intent
		}
	}
	return unknown
}

// mentioned is the tool of this request that a clause names in code marks.
func (s *scene) mentioned(clause string) string {
	for _, m := range ticked().FindAllStringSubmatch(clause, -1) {
		if _, ok := s.tool(m[1]); ok || slices.ContainsFunc(s.exchanges, func(x exchange) bool { return x.call.Name == m[1] }) {
			return m[1]
		}
	}
	return ""
}

// called is a skill's name before what it is called with.
var called = lazily(`^/[a-z0-9][a-z0-9_-]*\s*`)

// own is a slot of what the message itself asks for, empty where it does not
// say.
func (s *scene) own(i intent, slot string) string {
	for _, own := range parse(called().ReplaceAllString(s.input, ""), s.language) {
		if value := own.slots[slot]; own.intent == i && (slot != "text" || !refersBack(value)) {
			return value
		}
	}
	return ""
}
