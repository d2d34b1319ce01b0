package observe

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"talaria/core/agent"
	"talaria/core/text"
	"talaria/core/trace"
)

// Recovery is a call that failed, and what was done about it.
type Recovery struct {
	Tool     string          `json:"tool"`
	Error    trace.ErrorKind `json:"error"`
	How      string          `json:"how"`             // how it failed
	Tried    string          `json:"tried,omitempty"` // the arguments that failed
	Next     string          `json:"next,omitempty"`  // the tool that was tried next
	Worked   string          `json:"worked,omitempty"`
	With     string          `json:"with,omitempty"` // the arguments that worked
	Retry    bool            `json:"retry,omitempty"`
	Resolved bool            `json:"resolved"`
}

// Follows reports whether what failed was only tried because an earlier failure
// pointed to it: who is told what works in place of the first comes by none of
// the others.
func (r Recovery) Follows(earlier []Recovery) bool {
	const telling = 4 // characters from which a value is no word of its own
	return slices.ContainsFunc(earlier, func(e Recovery) bool {
		return e.Tool == r.Tool && e.With == r.With && slices.ContainsFunc(Values(r.Tried), func(v string) bool {
			return len(v) >= telling && strings.Contains(e.How, v) && !strings.Contains(e.Tried, v)
		})
	})
}

// Pitfall reports whether the recovery is worth telling the next one who does
// this: another way worked. What a plain retry cured is no lesson, and neither
// is what this machine or its rights were lacking.
func (r Recovery) Pitfall() bool {
	lesson := r.Error != trace.Transient && r.Error != trace.Environment && r.Error != trace.Denied && r.Error != trace.Unclear
	return r.Resolved && r.Worked != "" && !r.Retry && lesson
}

// Recoveries are the failed calls of a task, in order.
func Recoveries(t trace.Task) []Recovery {
	calls := map[string]int{}
	for n, s := range t.Steps {
		if s.Kind == trace.ToolCall {
			calls[key(s)] = n
		}
	}
	f := follower{t, calls}
	var out []Recovery
	for n, s := range t.Steps {
		if s.Kind != trace.Observation || !s.Error.Counts() {
			continue
		}
		r := Recovery{Tool: s.Tool, Error: s.Error, How: s.Text, Tried: f.args(s)}
		f.follow(&r, n)
		out = append(out, r)
	}
	return out
}

// key names a call within its task.
func key(s trace.Step) string { return string(rune(s.Turn)) + s.Call }

// follower looks at what came after the failures of a task.
type follower struct {
	t     trace.Task
	calls map[string]int // where the steps of the calls stand
}

// args are the arguments of the call that an observation is of.
func (f follower) args(s trace.Step) string {
	if n, ok := f.calls[key(s)]; ok {
		return f.t.Steps[n].Text
	}
	return ""
}

// follow looks at what came after the failure at step n.
func (f follower) follow(r *Recovery, n int) {
	for _, s := range f.t.Steps[n+1:] {
		if s.Kind != trace.Observation || !s.Error.Counts() && !s.Success {
			continue
		}
		if made, ok := f.calls[key(s)]; ok && made < n {
			continue // made beside the one that failed, not because it had
		}
		if r.Next == "" {
			r.Next = s.Tool
		}
		same := s.Tool == r.Tool
		if !s.Success || !f.reaches(*r, n, s) {
			continue
		}
		if same || r.Worked == "" {
			r.Resolved, r.Worked, r.With = true, s.Tool, f.args(s)
			r.Retry = same && r.With == r.Tried
		}
		if same {
			return
		}
	}
}

// reaches reports whether a call that worked got to what the failed one at step
// n was for. With the same tool it did, unless the person had asked for both and
// not for the one in place of the other. Another tool must have worked on the same thing, and the turn must have come
// to its answer.
func (f follower) reaches(r Recovery, n int, s trace.Step) bool {
	failed, with := f.t.Steps[n], f.args(s)
	turn := f.t.Turns[failed.Turn]
	if s.Tool == r.Tool {
		later := f.t.Turns[s.Turn]
		instead := s.Turn > failed.Turn && Read(later.Asked, turn.Answered).Negative()
		return with == r.Tried || instead || !names(turn.Asked, r.Tried) || !names(later.Asked, with)
	}
	return s.Turn == failed.Turn && turn.Ending == agent.Answered && about(r.Tried, with)
}

// names reports whether a request holds a telling value of a call's arguments.
func names(request, args string) bool {
	const telling = 4 // characters from which a value is no word that stands everywhere
	return slices.ContainsFunc(Values(args), func(v string) bool { return len(v) >= telling && strings.Contains(request, v) })
}

// about reports whether the arguments of two calls are about the same thing:
// more than half of what the one names, the other names too.
func about(a, b string) bool {
	x, y := text.Terms(strings.Join(Values(a), " ")), text.Terms(strings.Join(Values(b), " "))
	within := func(x, y []string) bool {
		found := 0
		for _, term := range x {
			if slices.Contains(y, term) {
				found++
			}
		}
		return 2*found > len(x)
	}
	return within(x, y) || within(y, x)
}

// Values are the texts and numbers in a call's arguments, the whole where these
// are no JSON.
func Values(args string) []string {
	d := json.NewDecoder(strings.NewReader(args))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return []string{args}
	}
	return leaves(v)
}

func leaves(v any) (out []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case json.Number:
		return []string{v.String()}
	case []any:
		for _, x := range v {
			out = append(out, leaves(x)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = append(out, leaves(v[name])...)
		}
	}
	return out
}
