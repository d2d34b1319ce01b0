package trace

import (
	"time"
)

// IdleAfter is the silence that ends a task.
const IdleAfter = 30 * time.Minute

// Another is the similarity below which two requests are not alike.
const Another = 0.5

// Words is what a message says about the task before it.
type Words struct {
	Continues bool // a mark of a correction or a follow-up
	Builds    bool // asks for something on top of the last result
}

// Boundary decides whether a turn begins a new task, and by what the one before
// ended. alike is the similarity of two requests.
func (t Task) Boundary(r Raw, w Words, alike func(a, b string) float64) (ended Settling, fresh bool) {
	next := r.Turn
	switch {
	case t.Session != r.Session:
		return ByNew, true
	case next.Began.Sub(t.Last()) >= IdleAfter:
		return ByIdle, true
	case next.Scheduled != (t.Start == Scheduled):
		return ByRequest, true
	case w.Continues, next.Asked == "":
		return "", false
	case alike(t.lastRequest(), next.Asked) < Another && alike(t.Request, next.Asked) < Another:
		return ByRequest, true
	}
	return "", false
}

func (t Task) lastRequest() string {
	if len(t.Turns) == 0 {
		return t.Request
	}
	return t.Turns[len(t.Turns)-1].Asked
}
