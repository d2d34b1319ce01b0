package rehearsal

import (
	"encoding/json"
	"fmt"
	"strings"

	"talaria/core/agent"
)

// improveBegin is how the product's prompt for the improvement of a skill begins.
const improveBegin = "You improve a skill of Talaria"

// improvable is what that request tells of a skill and its uses.
type improvable struct {
	Text      string
	Rewrite   bool
	Failed    []reviewed
	Succeeded []reviewed
}

// improve answers the product's request for a better text of a skill. The
// general way from failed uses to a change: what people said was wrong, with
// their reasons, and what worked in the end where something failed, become
// pitfalls of the skill. Where it fails more often than it helps, its steps
// are those of the latest task that succeeded.
func improve(r agent.Request) (string, bool) {
	if !strings.HasPrefix(r.Prefix, improveBegin) || len(r.Messages) == 0 {
		return "", false
	}
	var d improvable
	body, found := enclosed(r.Messages[len(r.Messages)-1].Text, "<skill>\n", "\n</skill>")
	if !found || json.Unmarshal([]byte(body), &d) != nil {
		return "", false
	}
	text, what := d.Text, []string{}
	if steps := d.steps(); len(steps) > 0 {
		if next := withSteps(text, steps); next != text {
			text, what = next, append(what, "its steps are those of the tasks that succeeded")
		}
	}
	next := text
	for _, task := range append(d.Failed, d.Succeeded...) {
		next = task.improved(next)
	}
	if next != text {
		text, what = next, append(what, "it has what went wrong")
	}
	answer := map[string]string{"reason": "nothing in the failed tasks is about its text", "text": ""}
	if len(what) > 0 {
		answer = map[string]string{"reason": "uses of it failed; now " + strings.Join(what, ", and "), "text": text}
	}
	out, err := json.Marshal(answer)
	return string(out), err == nil
}

// steps are those to be written anew, none unless the skill is to be.
func (d improvable) steps() []string {
	if !d.Rewrite {
		return nil
	}
	for _, task := range d.Succeeded { // the latest first
		if steps := task.procedure(); len(steps) > 0 {
			return steps
		}
	}
	return nil
}

// withSteps puts steps in the place of a text's numbered ones.
func withSteps(skill string, steps []string) string {
	var list strings.Builder
	for n, s := range steps {
		fmt.Fprintf(&list, "%d. %s\n", n+1, s)
	}
	var b strings.Builder
	done := false
	for line := range strings.Lines(skill) {
		if !numbered().MatchString(strings.TrimRight(line, "\r\n ")) {
			b.WriteString(line)
			continue
		}
		if !done {
			done = true
			b.WriteString(list.String())
		}
	}
	if !done {
		return strings.TrimRight(skill, "\n") + "\n\n" + stepsPart.in(languageOf(skill)) + "\n\n" + list.String()
	}
	return b.String()
}
