package rehearsal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxDistilled is how many steps a skill gets at most.
const maxDistilled = 10

// procedure is what worked in a task, as steps that a skill can have: the
// calls that succeeded, in order, each once. What was only of that day (names
// of files, addresses) becomes a place to fill in, as far as the request gave
// it.
func (d reviewed) procedure() []string {
	var out []string
	for _, t := range d.Turns {
		for _, s := range t.Steps {
			if s.Tool == "" || s.Failed != "" || slices.Contains(unlearned, s.Tool) {
				continue
			}
			out = append(out, d.step(s))
		}
	}
	out = unique(out)
	return out[:min(len(out), maxDistilled)]
}

// unlearned are tools that are no part of how work is done.
var unlearned = []string{"memory", "skill_view", "skills_search", "skill_manage"}

func (d reviewed) step(s reviewedStep) string {
	var args map[string]any
	_ = json.Unmarshal([]byte(s.Args), &args) // a cut-off document leaves none
	arg := func(name, otherwise string) string {
		value, _ := args[name].(string)
		if value == "" || d.given(value) {
			return otherwise
		}
		return value
	}
	switch s.Tool {
	case "fetch":
		return "Fetch the page " + arg("url", "{address}") + " with `fetch`."
	case "files_write":
		return "Write the result to " + arg("name", "{file}") + " with `files_write`."
	case "files_read":
		return "Read the file " + arg("name", "{file}") + " with `files_read`."
	case "files_list":
		return "List the files with `files_list`."
	case "session_search":
		return "Search earlier conversations for " + arg("query", "{topic}") + " with `session_search`."
	case "time":
		return "Tell the time with `time`."
	}
	for name, value := range args {
		if text, ok := value.(string); ok && d.given(text) {
			args[name] = "{" + name + "}"
		}
	}
	shown, err := json.Marshal(args)
	if err != nil || len(args) == 0 {
		return fmt.Sprintf("Call `%s`.", s.Tool)
	}
	return fmt.Sprintf("Call `%s` with %s.", s.Tool, shown)
}

// given reports whether a value stands in what the person wrote.
func (d reviewed) given(value string) bool {
	value = strings.TrimSpace(value)
	return value != "" && slices.ContainsFunc(d.Turns, func(t reviewedTurn) bool { return strings.Contains(t.Asked, value) })
}

// skill writes the SKILL.md.
func (d reviewed) skill(name string, steps []string) string {
	purpose := strings.TrimRight(d.general(), ".!?。！？")
	description, _ := json.Marshal(brief(purpose, 300) + ". Use it when somebody asks for this or the like.")
	var b strings.Builder
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %s\ntools: [%s]\n---\n\n# %s\n\n## When to use it\n\nSomebody asks: %s\n\n## Steps\n\n",
		name, description, strings.Join(toolsOf(steps), ", "), strings.ReplaceAll(name, "-", " "), brief(purpose, 300))
	for n, s := range steps {
		fmt.Fprintf(&b, "%d. %s\n", n+1, s)
	}
	b.WriteString("\n## What it does not do\n\nAnything beyond these steps.\n\n## Success\n\nEvery step succeeded, and the person has the result.\n")
	return withLessons(b.String(), append(d.lessons(), "If a step fails, say so and try another way once."))
}

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
	numbers = lazily(`\b\d[\d.,:/-]*\b`)
	blanks  = lazily(`\s+`)
)

// general is the request without what was only of that day.
func (d reviewed) general() string {
	text := anyURL().ReplaceAllString(d.Request, "a page")
	for file := firstFile(text); file != ""; file = firstFile(text) {
		text = strings.ReplaceAll(text, file, "a file")
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
	words := strings.FieldsFunc(strings.ToLower(d.general()), func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return len(w) < 2 || slices.Contains(small, w) })
	if words = unique(words); len(words) >= 2 {
		return strings.Join(words[:min(len(words), maxWords)], "-")
	}
	name := strings.ReplaceAll(strings.Join(toolsOf(steps), "-"), "_", "-")
	if name == "" {
		name = "work"
	}
	return strings.Trim(name[:min(len(name), 60)], "-") + "-task"
}
