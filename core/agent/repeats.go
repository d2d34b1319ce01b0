package agent

import "encoding/json"

const (
	maxSame    = 2 // times that a call may come to the same before it is refused
	maxStrikes = 3 // refusals before the turn is brought to its end
)

// repeats notices a model that goes round in circles: a call made again with
// the same result, whatever calls lie between. A change to the world that was
// not made before wipes the slate, since then looking again makes sense.
type repeats struct {
	calls   map[string]repeat
	strikes int
}

type repeat struct {
	same int // times in a row with this result
	last string
}

// refuse reports whether a call is one too many.
func (r *repeats) refuse(c Call) bool { return r.calls[callKey(c)].same >= maxSame }

// note takes in what a call came to.
func (r *repeats) note(c Call, o Outcome, changed bool) {
	if o.Text == repeatText {
		r.strikes++
		return
	}
	key := callKey(c)
	before, known := r.calls[key]
	if r.calls == nil {
		r.calls = map[string]repeat{}
	}
	if changed && !known {
		for k, v := range r.calls {
			r.calls[k] = repeat{0, v.last}
		}
	}
	now := repeat{1, o.Text}
	if known && before.last == o.Text {
		now.same = before.same + 1
	}
	r.calls[key] = now
}

// callKey is the same for calls that ask for the same.
func callKey(c Call) string {
	var v any
	if json.Unmarshal(c.Args, &v) == nil {
		if sorted, err := json.Marshal(v); err == nil {
			return c.Name + " " + string(sorted)
		}
	}
	return c.Name + " " + string(c.Args)
}
