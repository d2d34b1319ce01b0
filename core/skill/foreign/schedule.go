package foreign

import (
	"encoding/json"
	"fmt"
	"slices"
)

// jobs lists the scheduled tasks.
func (r *reader) jobs() {
	const file = "cron/jobs.json"
	var raw json.RawMessage
	if !r.json(file, &raw) {
		return
	}
	var records []json.RawMessage
	if json.Unmarshal(raw, &records) != nil { // today's form has them under a key
		var table struct {
			Jobs []json.RawMessage `json:"jobs"`
		}
		if json.Unmarshal(raw, &table) != nil {
			r.odd("%q is no JSON of the expected form and was left out", file)
			return
		}
		records = table.Jobs
	}
	for i, record := range records {
		j, ok := ReadJob(record)
		if !ok {
			r.odd("Job %d of %q is no job and was left out", i+1, file)
			continue
		}
		r.home.Jobs = append(r.home.Jobs, j)
	}
}

// ReadJob reads the record of one job, false where it is none, or has more than
// a megabyte.
func ReadJob(record json.RawMessage) (Job, bool) {
	var fields map[string]any
	if len(record) > maxRecord || json.Unmarshal(record, &fields) != nil || fields == nil {
		return Job{}, false
	}
	return newJob(fields, record), true
}

func newJob(fields map[string]any, record json.RawMessage) Job {
	j := Job{
		ID: textOf(fields["id"]), Name: textOf(fields["name"]), Prompt: textOf(fields["prompt"]),
		Schedule: schedule(fields), Deliver: textOf(fields["deliver"]), Enabled: true, Record: record,
	}
	if enabled, ok := fields["enabled"].(bool); ok {
		j.Enabled = enabled
	}
	skills, _ := fields["skills"].([]any)
	for _, name := range append(skills, fields["skill"]) {
		if name := textOf(name); name != "" && !slices.Contains(j.Skills, name) {
			j.Skills = append(j.Skills, name)
		}
	}
	return j
}

// schedule says when a job is due: as it is displayed, else by its parts.
func schedule(fields map[string]any) string {
	parts, _ := fields["schedule"].(map[string]any)
	for _, s := range []string{
		textOf(parts["expr"]), textOf(parts["run_at"]), textOf(fields["schedule_display"]), textOf(parts["display"]), textOf(fields["schedule"]),
	} {
		if s != "" {
			return s
		}
	}
	if minutes := count(parts["minutes"]); minutes > 0 {
		return fmt.Sprintf("every %dm", minutes)
	}
	return ""
}
