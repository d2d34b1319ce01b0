package foreign

import (
	"cmp"
	"encoding/json"
)

// Op is what a change of memory does to one entry.
type Op string

// The ops, as a home names them.
const (
	Add     Op = "add"
	Replace Op = "replace"
	Remove  Op = "remove"
)

// Entry is one step of a change of memory.
type Entry struct {
	Op   Op
	Kind Kind
	Old  string // text that the entry holds which is replaced or removed
	Text string // of the entry that is added
}

// Entries are the steps of a pending change of memory, in their order; none
// where it is about something else, or a step is none that is known.
func (p Pending) Entries() []Entry {
	type step struct {
		Action  string `json:"action"`
		Content string `json:"content"`
		Old     string `json:"old_text"`
	}
	var record struct {
		Payload struct {
			step
			Target     string `json:"target"`
			Operations []step `json:"operations"`
		} `json:"payload"`
	}
	if p.About != "memory" || json.Unmarshal(p.Record, &record) != nil {
		return nil
	}
	steps := record.Payload.Operations
	if len(steps) == 0 {
		steps = []step{record.Payload.step}
	}
	kind := Work
	if record.Payload.Target == "user" {
		kind = Profile
	}
	var out []Entry
	for _, s := range steps {
		e := Entry{Op(cmp.Or(s.Action, p.Action)), kind, s.Old, s.Content}
		known := e.Op == Add && e.Text != "" || e.Op == Replace && e.Text != "" && e.Old != "" || e.Op == Remove && e.Old != ""
		if !known {
			return nil
		}
		out = append(out, e)
	}
	return out
}
