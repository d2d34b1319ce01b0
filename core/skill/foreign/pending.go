package foreign

import (
	"encoding/json"
	"io/fs"
	"slices"
)

// pending reads the changes that wait for approval, a file each.
func (r *reader) pending() {
	for _, about := range []string{"memory", "skills"} {
		names, err := fs.Glob(r.fsys, "pending/"+about+"/*.json")
		if err != nil {
			continue // the pattern is well formed
		}
		for _, name := range names {
			var record json.RawMessage
			if r.json(name, &record) {
				r.wait(about, name, record)
			}
		}
	}
	slices.SortStableFunc(r.home.Pending, func(a, b Pending) int { return a.Created.Compare(b.Created) })
}

func (r *reader) wait(about, name string, record json.RawMessage) {
	p, ok := ReadPending(about, record)
	if !ok {
		r.odd("%q is no pending change and was left out", name)
		return
	}
	r.home.Pending = append(r.home.Pending, p)
}

// ReadPending reads the record of one pending change of "memory" or "skills",
// false where it is none, or has more than a megabyte.
func ReadPending(about string, record json.RawMessage) (Pending, bool) {
	var fields map[string]any
	if len(record) > maxRecord || json.Unmarshal(record, &fields) != nil || fields == nil {
		return Pending{}, false
	}
	payload, _ := fields["payload"].(map[string]any)
	p := Pending{
		ID: textOf(fields["id"]), About: about, Action: textOf(fields["action"]), Summary: textOf(fields["summary"]),
		By: textOf(fields["origin"]), Created: instant(fields["created_at"]), Record: record,
	}
	if p.Action == "" {
		p.Action = textOf(payload["action"])
	}
	return p, true
}
