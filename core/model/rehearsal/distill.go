package rehearsal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDistilled is how many steps a skill gets at most.
const maxDistilled = 10

// procedure is what worked in a task, as steps that a skill can have: the
// calls that succeeded, in order, each once. What was only of that day (names
// of files, addresses) becomes a place to fill in, as far as the request gave
// it.
func (d reviewed) procedure() []string {
	var out []string
	last := ""
	for _, t := range d.Turns {
		for _, s := range t.Steps {
			if s.Tool == "" || s.Failed != "" || slices.Contains(unlearned, s.Tool) {
				continue
			}
			out = append(out, d.step(s, last))
			last = s.Result
		}
	}
	out = unique(out)
	return out[:min(len(out), maxDistilled)]
}

// unlearned are tools that are no part of how work is done.
var unlearned = []string{"memory", "skill_view", "skills_search", "skill_manage"}

// step puts a call into words that rehearsal itself understands. last is what
// the call before came to.
func (d reviewed) step(s reviewedStep, last string) string {
	args, l := argsOf(s.Args), d.language()
	switch s.Tool {
	case "fetch":
		return words{"Fetch the page %s with `fetch`.", "用 `fetch` 读取网页 %s 。"}.in(l, d.place(args["url"], "{address}"))
	case "files_write":
		return words{"Write %s to %s with `files_write`.", "用 `files_write` 把 %s 写到 %s 。"}.in(l, d.written(args["text"], last), d.place(args["name"], "{file}"))
	case "files_read":
		return words{"Read the file %s with `files_read`.", "用 `files_read` 读取文件 %s 。"}.in(l, d.place(args["name"], "{file}"))
	case "files_list":
		return words{"List the files with `files_list`.", "用 `files_list` 列出文件。"}.in(l)
	case "session_search":
		return words{"Search earlier conversations for %s with `session_search`.", "用 `session_search` 搜索以前的对话：%s 。"}.in(l, d.place(args["query"], "{topic}"))
	case "time":
		if zone := args["zone"]; zone != "" {
			return words{"Tell me the time in %s with `time`.", "用 `time` 告诉我 %s 的时间。"}.in(l, zone)
		}
		return words{"Tell the time with `time`.", "用 `time` 告诉我时间。"}.in(l)
	}
	var whole map[string]any
	if json.Unmarshal([]byte(s.Args), &whole) != nil || len(whole) == 0 {
		return words{"Call `%s`.", "调用 `%s` 。"}.in(l, s.Tool)
	}
	for name, value := range whole {
		if text, ok := value.(string); ok {
			whole[name] = d.value(name, text, last)
		}
	}
	shown, _ := json.Marshal(whole) // it came out of JSON
	return words{"Call `%s` with %s.", "调用 `%s` 参数 %s 。"}.in(l, s.Tool, shown)
}

// value is an argument of a call as a skill has it.
func (d reviewed) value(name, text, last string) string {
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed != "" && trimmed == strings.TrimSpace(last):
		return lastResult
	case !d.given(d.meant(text)):
		return text
	case isFile(trimmed):
		return d.place(trimmed, "{file}")
	case firstURL(trimmed) == trimmed:
		return d.place(trimmed, "{address}")
	}
	return "{" + name + "}"
}

// lastResult stands in a step for what the step before came to.
const lastResult = "{result}"

// argument is a member of a JSON object whose value is a text.
var argument = lazily(`"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*")`)

// argsOf are the texts among a call's arguments. A document that was cut to
// size still has those that are whole.
func argsOf(raw string) map[string]string {
	out := map[string]string{}
	for _, m := range argument().FindAllStringSubmatch(raw, -1) {
		var value string
		if json.Unmarshal([]byte(m[2]), &value) == nil {
			out[m[1]] = value
		}
	}
	return out
}

// place is a value as a skill has it: itself, or where the request gave it the
// place to fill in, numbered where the request gave several of the kind.
func (d reviewed) place(value, holder string) string {
	if value == "" {
		return holder
	}
	value, literal := d.meant(value), value
	if !d.given(value) {
		return literal
	}
	if all := givenFor(holder, d.asked()); len(all) > 1 {
		if n := slices.Index(all, value); n >= 0 {
			return fmt.Sprintf("%s %d}", strings.TrimSuffix(holder, "}"), n+1)
		}
	}
	return holder
}

// meant is what the request gave where a call with it failed and the same tool
// worked with this value: the value was found on that day, and the next request
// gives another. What it was found to be stands among the pitfalls.
func (d reviewed) meant(value string) string {
	for _, r := range d.Recoveries {
		if !r.pitfall() || r.Worked != r.Tool || d.given(value) {
			continue
		}
		tried, with := argsOf(r.Tried), argsOf(r.With)
		for _, name := range slices.Sorted(maps.Keys(with)) {
			if strings.TrimSpace(with[name]) == strings.TrimSpace(value) && d.given(tried[name]) {
				return tried[name]
			}
		}
	}
	return value
}

// written is what was put into a file: what came before, the title of it, or a
// text that the request gave.
func (d reviewed) written(text, last string) string {
	text = strings.TrimSpace(text)
	switch {
	case text == "", strings.TrimSpace(last) == text:
	case readPage(last).title == text:
		return words{"the title", "标题"}.in(d.language())
	case d.given(text):
		return "{text}"
	}
	return words{"the result", "结果"}.in(d.language())
}

// language is the one that a skill is written in: that of the request.
func (d reviewed) language() language { return languageOf(d.Request) }

// givenFor are the values of a text that can fill a place, each once, in their
// order.
func givenFor(holder, text string) []string {
	switch holder {
	case "{address}":
		return unique(allURLs(text))
	case "{file}":
		return unique(allFiles(text))
	}
	return nil
}

// asked is all that the person asked for. A correction asks for nothing of that
// day: what it names is how the work is done.
func (d reviewed) asked() string {
	var all []string
	for _, t := range d.Turns {
		corrects := slices.ContainsFunc(d.Feedback, func(f heard) bool { return f.Text == t.Asked && strings.Contains(f.Sign, "correction") })
		if !corrects {
			all = append(all, t.Asked)
		}
	}
	return strings.Join(all, "\n")
}

// given reports whether a value stands in what the person wrote.
func (d reviewed) given(value string) bool {
	value = strings.TrimSpace(value)
	return value != "" && strings.Contains(d.asked(), value)
}

// skill writes the SKILL.md.
func (d reviewed) skill(name string, steps []string) string {
	purpose := brief(strings.TrimRight(d.general(), ".!?。！？"), 300)
	description, _ := json.Marshal(purpose) // a text
	var b strings.Builder
	l := d.language()
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %s\ntools: [%s]\n---\n\n# %s\n\n%s\n\n- %s%s\n\n%s\n\n",
		name, description, strings.Join(toolsOf(steps), ", "), strings.ReplaceAll(name, "-", " "), words{"## When to use", "## 何时使用"}.in(l), asking.in(l), d.template(), stepsPart.in(l))
	for n, s := range steps {
		fmt.Fprintf(&b, "%d. %s\n", n+1, s)
	}
	b.WriteString(words{"\n## Parameters\n\n", "\n## 参数\n\n"}.in(l) + parametersOf(steps, l))
	b.WriteString(words{
		"\n## What it does not do\n\n- Anything beyond these steps.\n\n## Success criteria\n\n- Every step succeeded, and the person has the result.\n",
		"\n## 不做什么\n\n- 这些步骤以外的事。\n\n## 成功标准\n\n- 每一步都成功，提出请求的人拿到了结果。\n",
	}.in(l))
	return withPoint(d.improved(b.String()), pitfallsPart, words{"A step that fails is told, with what it said.", "哪一步失败了，就告诉对方，并说明原因。"}.in(l))
}

// The parts of a skill that are found again, in either language.
var (
	stepsPart    = words{"## Steps", "## 步骤"}
	rulesPart    = words{"## Rules", "## 规则"}
	pitfallsPart = words{"## Pitfalls", "## 注意事项"}
	// asking begins the line that says how it is asked for.
	asking = words{"Somebody asks for this or the like: ", "有人这样或类似地要求："}
)

// template is the request with places for what was only of that day.
func (d reviewed) template() string {
	text := strings.Join(strings.Fields(d.request()), " ")
	for _, t := range d.Turns {
		for _, s := range t.Steps {
			args := argsOf(s.Args)
			for _, name := range slices.Sorted(maps.Keys(args)) {
				value := strings.TrimSpace(args[name])
				if hole := d.value(name, value, ""); hole != value {
					text = opened(text, value, hole)
				}
			}
		}
	}
	return brief(text, 300)
}

// opened is a text with a place instead of a value. A value of one letter, which
// stands in many a word, is meant only where it is quoted.
func opened(text, value, hole string) string {
	if utf8.RuneCountInString(value) > 1 {
		return strings.ReplaceAll(text, value, hole)
	}
	return inQuotes().ReplaceAllStringFunc(text, func(quoted string) string {
		if clean(quoted) == value {
			return strings.Replace(quoted, value, hole, 1)
		}
		return quoted
	})
}

// parametersOf lists the places of steps to fill in.
func parametersOf(steps []string, l language) string {
	found := unique(anyHole().FindAllString(strings.Join(steps, "\n"), -1))
	found = slices.DeleteFunc(found, func(p string) bool { return p == lastResult })
	if len(found) == 0 {
		return words{"- None.\n", "- 无。\n"}.in(l)
	}
	for n, p := range found {
		found[n] = words{"- %s, as the request names it.", "- %s：以请求中的为准。"}.in(l, p)
	}
	return strings.Join(found, "\n") + "\n"
}

var anyHole = lazily(`\{[a-z_]+(?: \d+)?\}`)

// toolsOf are the tools that steps name, in order.
func toolsOf(steps []string) []string {
	var out []string
	for _, s := range steps {
		for _, m := range ticked().FindAllStringSubmatch(s, -1) {
			out = append(out, m[1])
		}
	}
	return unique(out)
}

var (
	numbers  = lazily(`\b\d[\d.,:/-]*\b`)
	blanks   = lazily(`\s+`)
	inQuotes = lazily(`"[^"\n]+"|“[^”\n]+”|「[^」\n]+」`)
)

// request is what was asked for: the first words, unless they asked for nothing,
// and those of later turns in which something was done that is no answer to a
// correction.
func (d reviewed) request() string {
	text := ""
	for n, t := range d.Turns {
		asked := strings.TrimSpace(t.Asked)
		if n == 0 {
			asked = strings.TrimSpace(d.Request)
		}
		corrects := slices.ContainsFunc(d.Feedback, func(f heard) bool { return f.Text == t.Asked })
		called := slices.ContainsFunc(t.Steps, func(s reviewedStep) bool { return s.Tool != "" && s.Failed == "" })
		switch {
		case n > 0 && (corrects || !called), !called && idle(asked):
		case text == "":
			text = asked
		default:
			text = strings.TrimRight(text, " .!?。！？") + words{", then ", "，然后"}.in(languageOf(text)) + asked
		}
	}
	return cmp.Or(text, strings.TrimSpace(d.Request))
}

// idle reports whether words ask for nothing that could be done.
func idle(words string) bool {
	i, _ := understand(words, languageOf(words))
	return slices.Contains([]intent{greet, thank, bye, help, who, nothing, unknown}, i)
}

// general is the request without what was only of that day.
func (d reviewed) general() string {
	l := languageOf(d.Request)
	text := anyURL().ReplaceAllString(d.request(), words{"a page", "网页"}.in(l))
	text = inQuotes().ReplaceAllString(text, words{"a text", "一段文字"}.in(l))
	for _, file := range allFiles(text) {
		text = strings.ReplaceAll(text, file, words{"a file", "文件"}.in(l))
	}
	text = numbers().ReplaceAllString(text, "")
	return strings.TrimSpace(blanks().ReplaceAllString(text, " "))
}

// small are words that name nothing.
var small = strings.Fields("a an the and or of to in on at for from with by it its this that then please me my our your you i we is are be do file page result remember how")

// maxWords is how many words of a request go into a name.
const maxWords = 4

// skillName is a name for the kind of work: the words of the request that name
// something, or where it has none in Latin letters what the tools do.
func (d reviewed) skillName(steps []string) string {
	said := strings.FieldsFunc(strings.ToLower(d.general()), func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) })
	said = slices.DeleteFunc(said, func(w string) bool { return len(w) < 2 || slices.Contains(small, w) })
	if said = unique(said); len(said) >= 2 {
		return strings.Join(said[:min(len(said), maxWords)], "-")
	}
	parts := unique(strings.FieldsFunc(strings.Join(toolsOf(steps), " "), func(r rune) bool { return r == '_' || r == ' ' }))
	if len(parts) == 0 {
		parts = []string{"work"}
	}
	name := strings.Join(parts, "-")
	return strings.Trim(name[:min(len(name), 58)], "-") + "-task"
}
