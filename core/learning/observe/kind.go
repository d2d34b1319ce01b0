package observe

import (
	"slices"
	"time"

	"talaria/core/person"
	"talaria/core/trace"
)

// Kind is a kind of task: requests of one scope that are alike.
type Kind struct {
	ID       string    `json:"id"` // the first task's
	Scope    string    `json:"scope"`
	Label    string    `json:"label"`    // the first request
	Requests []Request `json:"requests"` // some of its requests, the latest last
	Points   []Point   `json:"points"`   // its tasks in order, the latest
	Best     *Best     `json:"best,omitempty"`
}

// Request is what one of a kind's tasks was asked for with.
type Request struct {
	Text string    `json:"text"`
	Who  person.ID `json:"who"`
}

// Point is one task of a kind: what the curve is made of.
type Point struct {
	Task       string        `json:"task"`
	At         time.Time     `json:"at"`
	Success    bool          `json:"success"`
	Steps      int           `json:"steps"`
	Tokens     int           `json:"tokens"`
	Duration   time.Duration `json:"duration"`
	Recoveries int           `json:"recoveries"`
	Corrected  bool          `json:"corrected"`
	Skills     int           `json:"skills"` // how many were used
}

// Best is the best successful task of a kind so far.
type Best struct {
	Task    string `json:"task"`
	Steps   int    `json:"steps"`
	Tokens  int    `json:"tokens"`
	Snippet string `json:"snippet"` // its final output
}

// The most that a kind keeps.
const (
	maxRequests = 8
	maxRequest  = 300 // characters of one
	maxPoints   = 200
	maxSnippet  = 1000
)

// head is the beginning of a request, by which it is compared.
func head(s string) string { return first(s, maxRequest) }

func first(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most])
	}
	return s
}

// fits is how alike a request is to those of the kind.
func (k Kind) fits(request string, alike func(a, b string) float64) float64 {
	best := 0.0
	for _, r := range k.Requests {
		best = max(best, alike(r.Text, request))
	}
	return best
}

// Sort returns the kind that a task is of, or a new one where none fits.
func Sort(kinds []Kind, t trace.Task, alike func(a, b string) float64) Kind {
	var fits Kind
	best := Alike
	for _, k := range kinds {
		if k.Scope != t.Scope() {
			continue
		}
		if k.at(t.ID) >= 0 {
			return k
		}
		if s := k.fits(head(t.Request), alike); s >= best && t.Request != "" {
			fits, best = k, s
		}
	}
	if fits.ID != "" {
		return fits
	}
	return Kind{ID: t.ID, Scope: t.Scope(), Label: head(t.Request)}
}

func (k Kind) at(task string) int {
	return slices.IndexFunc(k.Points, func(p Point) bool { return p.Task == task })
}

// Of reports whether somebody's words are in the kind.
func (k Kind) Of(is func(person.ID) bool) bool {
	return slices.ContainsFunc(k.Requests, func(r Request) bool { return is(r.Who) })
}

// Before counts the kind's tasks before one, or all where it is not among them.
func (k Kind) Before(task string) int {
	if n := k.at(task); n >= 0 {
		return n
	}
	return len(k.Points)
}

// With is the kind with a task's observation in it, once.
func (k Kind) With(t trace.Task, o Observation) Kind {
	p := Point{
		Task: t.ID, At: t.Last(), Success: o.Success, Steps: o.Steps, Tokens: o.Tokens, Duration: o.Duration,
		Recoveries: len(o.Recoveries), Corrected: o.Corrected, Skills: len(o.Skills),
	}
	k.Points = slices.Clone(k.Points)
	if n := k.at(t.ID); n >= 0 {
		k.Points[n] = p
	} else {
		k.Points = append(k.Points, p)
		k.Points = k.Points[max(len(k.Points)-maxPoints, 0):]
	}
	r := Request{head(t.Request), t.Person}
	known := slices.ContainsFunc(k.Requests, func(have Request) bool { return have.Text == r.Text })
	if r.Text != "" && !known {
		k.Requests = append(slices.Clone(k.Requests), r)
		if len(k.Requests) > maxRequests { // the first stays: it is what the kind began with
			k.Requests = slices.Delete(k.Requests, 1, 2)
		}
	}
	k.Best = k.best(t, o)
	return k
}

// best is the best task once o is known. A best one that turned out to be no
// success makes room.
func (k Kind) best(t trace.Task, o Observation) *Best {
	now := &Best{Task: t.ID, Steps: o.Steps, Tokens: o.Tokens, Snippet: first(t.Output(), maxSnippet)}
	have := k.Best
	if have != nil && have.Task == t.ID {
		have = nil
	}
	switch {
	case !o.Success:
		return have
	case have == nil, now.Steps < have.Steps, now.Steps == have.Steps && now.Tokens < have.Tokens:
		return now
	}
	return have
}

// Efficiency compares an observation with the best of the kind: by steps, and
// by tokens where the steps are as many. Without one it is 1.
func (k Kind) Efficiency(o Observation) float64 {
	if k.Best == nil || k.Best.Task == o.Task {
		return 1
	}
	if o.Steps != k.Best.Steps {
		return ratio(k.Best.Steps, o.Steps)
	}
	return ratio(k.Best.Tokens, o.Tokens)
}

func ratio(best, actual int) float64 {
	if actual <= best || actual == 0 {
		return 1
	}
	return float64(max(best, 1)) / float64(actual)
}
