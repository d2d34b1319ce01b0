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
	args := argsOf(s.Args)
	switch s.Tool {
	case "fetch":
		return "Fetch the page " + d.place(args["url"], "{address}") + " with `fetch`."
	case "files_write":
		return "Write " + d.written(args["text"], last) + " to " + d.place(args["name"], "{file}") + " with `files_write`."
	case "files_read":
		return "Read the file " + d.place(args["name"], "{file}") + " with `files_read`."
	case "files_list":
		return "List the files with `files_list`."
	case "session_search":
		return "Search earlier conversations for " + d.place(args["query"], "{topic}") + " with `session_search`."
	case "time":
		if zone := args["zone"]; zone != "" {
			return "Tell me the time in " + zone + " with `time`."
		}
		return "Tell the time with `time`."
	}
	var whole map[string]any
	if json.Unmarshal([]byte(s.Args), &whole) != nil || len(whole) == 0 {
		return fmt.Sprintf("Call `%s`.", s.Tool)
	}
	for name, value := range whole {
		if text, ok := value.(string); ok {
			whole[name] = d.value(name, text, last)
		}
	}
	shown, _ := json.Marshal(whole) // it came out of JSON
	return fmt.Sprintf("Call `%s` with %s.", s.Tool, shown)
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
		return "the result"
	case readPage(last).title == text:
		return "the title"
	case d.given(text):
		return "{text}"
	}
	return "the result"
}

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
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %s\ntools: [%s]\n---\n\n# %s\n\n## When to use\n\n- %s%s\n\n## Steps\n\n",
		name, description, strings.Join(toolsOf(steps), ", "), strings.ReplaceAll(name, "-", " "), asking, d.template())
	for n, s := range steps {
		fmt.Fprintf(&b, "%d. %s\n", n+1, s)
	}
	b.WriteString("\n## Parameters\n\n" + parametersOf(steps))
	b.WriteString("\n## What it does not do\n\n- Anything beyond these steps.\n\n## Success criteria\n\n- Every step succeeded, and the person has the result.\n")
	return withPoint(d.improved(b.String()), "## Pitfalls", "A step that fails is told, with what it said.")
}

// asking begins the line of a skill that says how it is asked for.
const asking = "Somebody asks for this or the like: "

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
func parametersOf(steps []string) string {
	found := unique(anyHole().FindAllString(strings.Join(steps, "\n"), -1))
	found = slices.DeleteFunc(found, func(p string) bool { return p == lastResult })
	if len(found) == 0 {
		return "- None.\n"
	}
	for n, p := range found {
		found[n] = "- " + p + ", as the request names it."
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
