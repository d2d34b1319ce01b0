package reflect

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/text"
)

// Outcome is how a review ended.
type Outcome string

// The outcomes.
const (
	Acted   Outcome = "acted"   // something was proposed or kept
	Nothing Outcome = "nothing" // there was nothing to learn
	Failed  Outcome = "error"
)

// Report is what a review wrote about a task. It is an audit trail and enters
// no prompt but that of a deep review.
type Report struct {
	ID          string         `json:"id"`
	Task        string         `json:"task"`
	Person      person.ID      `json:"person,omitempty"`
	Asker       chat.Identity  `json:"asker,omitzero"`   // with which account
	People      []person.ID    `json:"people,omitempty"` // all who spoke in the task
	Place       string         `json:"place,omitempty"`
	Address     chat.Address   `json:"address,omitzero"` // the place or thread
	Request     string         `json:"request"`
	At          time.Time      `json:"at"`
	Cause       learning.Cause `json:"cause,omitempty"`
	Depth       Depth          `json:"depth"`
	Outcome     Outcome        `json:"outcome"`
	Error       string         `json:"error,omitempty"`
	WentWell    string         `json:"went_well,omitempty"`
	WentWrong   string         `json:"went_wrong,omitempty"`
	Why         string         `json:"why,omitempty"`
	Differently string         `json:"differently,omitempty"`
	Rules       []Rule         `json:"rules,omitempty"`
	Candidates  []string       `json:"candidates,omitempty"` // in the middle of a turn: what a skill may come of
	Learned     []string       `json:"learned,omitempty"`    // one line each, for people
	Undo        []string       `json:"undo,omitempty"`       // commands that take it back
	Declined    []string       `json:"declined,omitempty"`   // what was not learned, and why
	Refused     []string       `json:"refused,omitempty"`    // tools that the review was refused
	Tokens      int            `json:"tokens,omitempty"`
	Seen        int            `json:"seen"` // turns of the task
}

// Rule is what a report extracts: IF it is about this THEN do that.
type Rule struct {
	If         string      `json:"if"`
	Then       string      `json:"then"`
	Kind       memory.Kind `json:"kind,omitempty"` // "work" or "profile"
	Confidence float64     `json:"confidence"`
	Conflicts  []string    `json:"contradicts,omitempty"` // ids of memories
}

// said is the part of a report that a model writes.
type said struct {
	WentWell    string   `json:"went_well"`
	WentWrong   string   `json:"went_wrong"`
	Why         string   `json:"why"`
	Differently string   `json:"differently"`
	Rules       []Rule   `json:"rules"`
	Candidates  []string `json:"candidates"`
}

// The bounds of what a model writes.
const (
	maxRules  = 10
	maxAnswer = 1000 // characters
)

var errNoReport = errors.New("the review's answer holds no report")

// parse reads a model's report: the JSON object in its answer, whatever stands
// around it.
func parse(answer string) (said, error) {
	var s said
	begin := strings.IndexByte(answer, '{')
	if begin < 0 {
		return s, errNoReport
	}
	d := json.NewDecoder(strings.NewReader(answer[begin:]))
	if err := d.Decode(&s); err != nil {
		return said{}, fmt.Errorf("%w: %v", errNoReport, err)
	}
	s.WentWell, s.WentWrong = text.Clip(s.WentWell, maxAnswer), text.Clip(s.WentWrong, maxAnswer)
	s.Why, s.Differently = text.Clip(s.Why, maxAnswer), text.Clip(s.Differently, maxAnswer)
	var rules []Rule
	for _, r := range s.Rules {
		r.If, r.Then = strings.TrimSpace(text.Clip(r.If, maxAnswer)), strings.TrimSpace(text.Clip(r.Then, maxAnswer))
		if r.Then == "" || len(rules) == maxRules {
			continue
		}
		if r.Kind != memory.Profile {
			r.Kind = memory.Work
		}
		r.Confidence = min(max(r.Confidence, 0), 1)
		rules = append(rules, r)
	}
	s.Rules = rules
	s.Candidates = s.Candidates[:min(len(s.Candidates), maxCandidates)]
	for n := range s.Candidates {
		s.Candidates[n] = text.Clip(strings.TrimSpace(s.Candidates[n]), maxCandidate)
	}
	return s, nil
}

// What people are told of how closely it was looked, and of what came of it.
var (
	looks = map[Depth]string{Quick: "A quick look on %s.", Standard: "A look on %s.", Deep: "A close look on %s."}
	came  = map[Outcome]string{Acted: "I learned from it.", Nothing: "There was nothing new to learn.", Failed: "It did not come to its end."}
)

// Markdown is the report for people.
func (r Report) Markdown() string { return r.Worded(func(english string) string { return english }) }

// Worded is Markdown with its headings as in puts them.
func (r Report) Worded(in func(english string) string) string {
	var b strings.Builder
	at := r.At.UTC().Format(in("2 January 2006, 15:04 UTC"))
	fmt.Fprintf(&b, "**%s** %q\n\n%s %s\n", in("Review of"), text.Clip(r.Request, 120), fmt.Sprintf(in(cmp.Or(looks[r.Depth], looks[Standard])), at), in(came[r.Outcome]))
	for _, part := range []struct{ title, text string }{
		{"What went well", r.WentWell}, {"What went wrong", r.WentWrong}, {"Why", r.Why}, {"What to do differently", r.Differently},
	} {
		if part.text != "" {
			fmt.Fprintf(&b, "\n**%s:** %s\n", in(part.title), part.text)
		}
	}
	list(&b, in("Rules"), rulesShown(r.Rules))
	list(&b, in("Worth a skill, perhaps"), r.Candidates)
	list(&b, in("Learned"), r.Learned)
	list(&b, in("Not learned"), r.Declined)
	list(&b, in("Refused"), r.Refused)
	if r.Error != "" {
		fmt.Fprintf(&b, "\n%s: %s\n", in("It broke off"), r.Error)
	}
	return b.String()
}

func list(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n**%s:**\n", title)
	for _, l := range lines {
		fmt.Fprintf(b, "- %s\n", l)
	}
}

func rulesShown(rules []Rule) []string {
	var out []string
	for _, r := range rules {
		when := "ALWAYS"
		if r.If != "" {
			when = "IF " + r.If + " THEN"
		}
		out = append(out, fmt.Sprintf("%s %s (%.0f %%)", when, r.Then, 100*r.Confidence))
	}
	return out
}
