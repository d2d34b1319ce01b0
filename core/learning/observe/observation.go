package observe

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"talaria/core/agent"
	"talaria/core/text"
	"talaria/core/trace"
)

// Observation is what is computed from a trace.
type Observation struct {
	Task        string        `json:"task"`
	Settled     bool          `json:"settled"` // the task is over; late feedback may still change it
	Success     bool          `json:"success"`
	Why         string        `json:"why,omitempty"` // why it is no success
	Feedback    []Feedback    `json:"feedback,omitempty"`
	Worth       float64       `json:"worth,omitempty"`     // of the corrections, the highest
	Corrected   bool          `json:"corrected,omitempty"` // somebody corrected the work
	Remember    bool          `json:"remember,omitempty"`  // somebody asked to keep this way of working
	Recoveries  []Recovery    `json:"recoveries,omitempty"`
	Kind        string        `json:"kind,omitempty"` // id of the kind of task
	Similar     int           `json:"similar"`        // earlier tasks of that kind
	Efficiency  float64       `json:"efficiency"`     // 0 to 1, beside the best so far; 0 without success
	Rubric      Rubric        `json:"rubric"`
	Value       float64       `json:"value"` // learning value, 0 to 1
	Steps       int           `json:"steps"`
	Tools       []string      `json:"tools,omitempty"`
	Messages    int           `json:"messages"`
	Tokens      int           `json:"tokens"`
	Duration    time.Duration `json:"duration"`
	Skills      []trace.Use   `json:"skills,omitempty"`
	ProvenRight bool          `json:"proven_right,omitempty"` // it was corrected and then right
}

// Pitfalls are the recoveries that the next one should know of and that none of
// the given texts, those of the skills in use, tells already.
func (o Observation) Pitfalls(known ...string) []Recovery {
	var out []Recovery
	for n, r := range o.Recoveries {
		told := slices.ContainsFunc(known, func(k string) bool { return tells(k, r) })
		if r.Pitfall() && !told && !r.Follows(o.Recoveries[:n]) {
			out = append(out, r)
		}
	}
	return out
}

// tells reports whether a text names most of what went wrong.
func tells(known string, r Recovery) bool {
	have, terms, found := text.Counts(known), text.Terms(r.How), 0
	for _, t := range terms {
		if have[t] > 0 {
			found++
		}
	}
	return len(terms) > 0 && 3*found >= 2*len(terms)
}

// Rubric says whether a task generalises. Each part is worth a quarter.
type Rubric struct {
	Recurs     bool `json:"recurs"`
	Output     bool `json:"output"`     // something clear came out of it
	Several    bool `json:"several"`    // it took several steps
	Conditions bool `json:"conditions"` // it depends on something, and says on what
}

// Score is 0 to 1.
func (r Rubric) Score() float64 {
	n := 0
	for _, yes := range []bool{r.Recurs, r.Output, r.Several, r.Conditions} {
		if yes {
			n++
		}
	}
	return float64(n) / 4
}

// Past is what came before a task.
type Past struct {
	Kind        Kind     // of the task; the zero value for a new kind
	Corrections []string // earlier ones of the people in it, the oldest first
	Worths      Worths   // of corrections
	Weights     Weights  // of the learning value; zero: DefaultWeights
	Alike       func(a, b string) float64
}

// Observe computes what a task tells.
func Observe(t trace.Task, past Past) Observation {
	o := Observation{
		Task: t.ID, Settled: t.Settled != "", Feedback: feedbackOf(t), Recoveries: Recoveries(t),
		Kind: past.Kind.ID, Similar: past.Kind.Before(t.ID), Steps: t.Calls, Tools: t.Tools(), Messages: t.Messages(),
		Tokens: t.Tokens(), Duration: t.Duration(), Skills: t.Skills,
	}
	o.Why = failure(t, o)
	o.Success = o.Why == ""
	for _, f := range o.Feedback {
		if f.Sign.Corrects() && !f.Other {
			o.Corrected = true
			o.Worth = max(o.Worth, past.Worths.of(f, past.Corrections, past.Alike))
		}
	}
	for _, turn := range t.Turns {
		o.Remember = o.Remember || Remembers(turn.Asked)
	}
	o.ProvenRight = o.Corrected && o.Success
	if o.Success {
		o.Efficiency = past.Kind.Efficiency(o)
	}
	o.Rubric = rubric(t, o)
	o.Value = cmp.Or(past.Weights, DefaultWeights()).value(o)
	return o
}

// failure says why a task is no success, or returns "".
func failure(t trace.Task, o Observation) string {
	if len(t.Turns) == 0 {
		return "nothing was done"
	}
	last := t.Turns[len(t.Turns)-1]
	switch {
	case last.Stopped:
		return "it was stopped"
	case last.Ending == agent.Asked:
		return "a person's yes is still needed"
	case last.Ending == agent.Budgeted:
		return "the budget ran out"
	case last.Ending != agent.Answered || strings.TrimSpace(last.Answered) == "":
		return "no answer was delivered"
	}
	if none(t) {
		return "no call of a tool worked"
	}
	for _, r := range o.Recoveries {
		if !r.Resolved && r.Error != trace.Missing { // that something is not there may be the answer
			return "an error of " + r.Tool + " was not resolved"
		}
	}
	if sign := Verdict(o.Feedback, len(t.Turns)-1); sign.Negative() {
		return "the last answer met with: " + string(sign)
	}
	if Undone(worked(t.Turns).Answered) {
		return "the answer says that it could not be done"
	}
	return ""
}

// none reports whether tools were called and no call worked. To have read how it
// is done is not to have done any of it.
func none(t trace.Task) bool {
	failed := false
	for _, s := range t.Steps {
		if s.Kind == trace.Observation && s.Success && !strings.HasPrefix(s.Tool, "skill") {
			return false
		}
		failed = failed || s.Kind == trace.Observation && s.Error.Counts()
	}
	return failed
}

// worked is the last turn that was about the work, and not about keeping it or
// about thanks.
func worked(turns []trace.Turn) trace.Turn {
	for n, t := range slices.Backward(turns) {
		words := Read(t.Asked, "")
		if n == 0 || !Remembers(t.Asked) && !(words.Thanks && !words.Builds) {
			return t
		}
	}
	return trace.Turn{}
}

// Verdict is what the person who asked made of the answer of a turn: their last
// word on it, Silence for none.
func Verdict(all []Feedback, turn int) Sign {
	for _, f := range slices.Backward(all) {
		if f.Turn == turn && !f.Other {
			return f.Sign
		}
	}
	return Silence
}

// conditions are words that tie what is done to something.
var conditions = oneOf(`\b(?:if|when|whenever|unless|until|before|after|every|each|only|except|in case|depending|otherwise|as soon as)\b`, `如果|假如|若|当|每(?:次|天|周|月|当|个)|除非|之前|之后|以前|以后|只有|否则|一旦|的时候`)

const clearOutput = 12 // characters from which an answer is taken for one

func rubric(t trace.Task, o Observation) Rubric {
	said := t.Request
	for _, turn := range t.Turns {
		said += "\n" + turn.Asked
	}
	return Rubric{
		Recurs:     o.Similar > 0,
		Output:     utf8.RuneCountInString(strings.TrimSpace(t.Output())) >= clearOutput,
		Several:    o.Steps >= 3,
		Conditions: conditions.MatchString(normal(said)),
	}
}

// Weights are what the learning value is made of: what each sign of it is worth,
// and from where on it is one.
type Weights struct {
	Success, Tools, Recovered, General float64 // they should come to 1

	LeastTools int     // distinct ones
	Rubric     float64 // score from which a task generalises
}

// DefaultWeights are those that are used where the operator says nothing.
func DefaultWeights() Weights {
	return Weights{Success: 0.4, Tools: 0.2, Recovered: 0.2, General: 0.2, LeastTools: 3, Rubric: 0.5}
}

// value is the learning value, 0 to 1.
func (w Weights) value(o Observation) float64 {
	v := 0.0
	if o.Success {
		v += w.Success
	}
	if len(o.Tools) >= w.LeastTools {
		v += w.Tools
	}
	if slices.ContainsFunc(o.Recoveries, func(r Recovery) bool { return r.Resolved }) {
		v += w.Recovered
	}
	if o.Rubric.Score() >= w.Rubric {
		v += w.General
	}
	return min(v, 1)
}
