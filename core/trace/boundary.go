package trace

import (
	"regexp"
	"slices"
	"time"
)

// soonAfter is how long a request that names a file or page of the task before
// it is taken for a part of the same work.
const soonAfter = 5 * time.Minute

// Another is the similarity below which two requests are not alike.
const Another = 0.5

// Words is what a message says about the task before it.
type Words struct {
	Continues bool // a mark of a correction or a follow-up
	Builds    bool // asks for something on top of the last result
}

// Boundary decides whether a turn begins a new task, and by what the one before
// ended. idle is the silence that ends one, alike the similarity of two requests.
func (t Task) Boundary(r Raw, w Words, idle time.Duration, alike func(a, b string) float64) (ended Settling, fresh bool) {
	next := r.Turn
	switch {
	case t.Session != r.Session:
		return ByNew, true
	case next.Began.Sub(t.Last()) >= idle:
		return ByIdle, true
	case next.Scheduled != (t.Start == Scheduled):
		return ByRequest, true
	case next.Agrees != "" && !slices.ContainsFunc(t.Turns, func(have Turn) bool { return have.ID == next.Agrees }):
		return ByRequest, true // a yes to what was asked about before this task
	case w.Continues, next.Asked == "":
		return "", false
	case t.about(next):
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

// things are files and pages as requests name them.
var things = regexp.MustCompile(`https?://[^\s<>"'，。；、（）]*[\p{L}\p{N}/]|[\p{L}\p{N}_-][\p{L}\p{N}_.-]+\.[A-Za-z][A-Za-z0-9]{0,4}\b`)

// about reports whether a request of the same person, soon after, names a file
// or page that the task's own requests name.
func (t Task) about(next *RawTurn) bool {
	if next.Who != t.Person || next.Began.Sub(t.Last()) >= soonAfter {
		return false
	}
	known := things.FindAllString(t.Request, -1)
	for _, turn := range t.Turns {
		known = append(known, things.FindAllString(turn.Asked, -1)...)
	}
	return slices.ContainsFunc(things.FindAllString(next.Asked, -1), func(name string) bool { return slices.Contains(known, name) })
}
