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
	var fields map[string]any
	if json.Unmarshal(record, &fields) != nil || fields == nil {
		r.odd("%q is no pending change and was left out", name)
		return
	}
	payload, _ := fields["payload"].(map[string]any)
	p := Pending{
		ID: text(fields["id"]), About: about, Action: text(fields["action"]), Summary: text(fields["summary"]),
		By: text(fields["origin"]), Created: instant(fields["created_at"]), Record: record,
	}
	if p.Action == "" {
		p.Action = text(payload["action"])
	}
	r.home.Pending = append(r.home.Pending, p)
}
