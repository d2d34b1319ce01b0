package observe

import (
	"talaria/core/agent"
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

// Pitfall reports whether the recovery is worth telling the next one who does
// this: another way worked. What a plain retry cured is no lesson, and neither
// is what this machine or its rights were lacking.
func (r Recovery) Pitfall() bool {
	lesson := r.Error != trace.Transient && r.Error != trace.Environment && r.Error != trace.Denied && r.Error != trace.Unclear
	return r.Resolved && r.Worked != "" && !r.Retry && lesson
}

// Recoveries are the failed calls of a task, in order.
func Recoveries(t trace.Task) []Recovery {
	args := map[string]string{}
	for _, s := range t.Steps {
		if s.Kind == trace.ToolCall {
			args[key(s)] = s.Text
		}
	}
	var out []Recovery
	for n, s := range t.Steps {
		if s.Kind != trace.Observation || !s.Error.Counts() {
			continue
		}
		r := Recovery{Tool: s.Tool, Error: s.Error, How: s.Text, Tried: args[key(s)]}
		r.follow(t, n, args)
		out = append(out, r)
	}
	return out
}

// key names a call within its task.
func key(s trace.Step) string { return string(rune(s.Turn)) + s.Call }

// follow looks at what came after the failure at step n.
func (r *Recovery) follow(t trace.Task, n int, args map[string]string) {
	answered := t.Turns[t.Steps[n].Turn].Ending == agent.Answered
	for _, s := range t.Steps[n+1:] {
		if s.Kind != trace.Observation || !s.Error.Counts() && !s.Success {
			continue
		}
		if r.Next == "" {
			r.Next = s.Tool
		}
		same := s.Tool == r.Tool
		if !s.Success || !same && (s.Turn != t.Steps[n].Turn || !answered) {
			continue
		}
		if same || r.Worked == "" {
			r.Resolved, r.Worked, r.With = true, s.Tool, args[key(s)]
			r.Retry = same && r.With == r.Tried
		}
		if same {
			return
		}
	}
}
