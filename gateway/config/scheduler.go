package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"talaria/scheduler"
	"talaria/scheduler/when"
)

// Scheduler bounds what people may schedule, and holds the operator's jobs.
type Scheduler struct {
	Zone             string              `toml:"zone"` // IANA name; empty: the machine's
	MaxJobsPerPerson int                 `toml:"max_jobs_per_person"`
	MinInterval      Duration            `toml:"min_interval"`
	Jobs             map[string]*Job     `toml:"jobs"`
	Triggers         map[string]*Trigger `toml:"triggers"`
}

// Job is one job of the operator's.
type Job struct {
	When   string `toml:"when"` // in words or cron, recurring
	Zone   string `toml:"zone"` // empty: that of [scheduler]
	Owner  Person `toml:"owner"`
	Place  Place  `toml:"place"` // zero: the owner's direct conversation
	Prompt string `toml:"prompt"`
	Say    string `toml:"say"` // in place of Prompt
	// What a run works with; see scheduler.Use.
	Skills []string `toml:"skills"`
	Tools  []string `toml:"tools"` // empty: all that the owner may use
	Model  string   `toml:"model"` // "background", or an entry of [model.jobs]
	Tokens int      `toml:"tokens"`
}

// JobModel is a model that jobs may name, and who may have it named.
type JobModel struct {
	Endpoint
	Role string `toml:"role"` // the least one; empty: member
}

// BackgroundModel is what a job calls the model for background work.
const BackgroundModel = "background"

// Schedule reads When, in Zone or else in the zone given.
func (j Job) Schedule(zone *time.Location, now time.Time) (when.Schedule, error) {
	if j.Zone != "" {
		var err error
		if zone, err = time.LoadLocation(j.Zone); err != nil {
			return when.Schedule{}, fmt.Errorf("%q is no time zone", j.Zone)
		}
	}
	s, err := when.Parse(j.When, zone, now)
	if err == nil && s.Kind != when.Recurring {
		return s, fmt.Errorf("%q is due only once", j.When)
	}
	return s, err
}

func (l *loader) checkScheduler() {
	s := l.cfg.Scheduler
	const at = "scheduler"
	l.zone(at+".zone", s.Zone)
	l.atLeast(1, at+".max_jobs_per_person", s.MaxJobsPerPerson)
	l.positive(at+".min_interval", s.MinInterval)
	for _, name := range sortedKeys(s.Jobs) {
		l.checkJob(at+".jobs."+name, *s.Jobs[name])
	}
	for _, name := range sortedKeys(s.Triggers) {
		l.checkTrigger(at+".triggers."+name, name, *s.Triggers[name])
	}
}

// modelNames are those of models that a job may name.
func (l *loader) modelNames() []string {
	names := sortedKeys(l.cfg.Model.Jobs)
	if l.cfg.Model.Background.Named() {
		names = append(names, BackgroundModel)
	}
	return names
}

// jobModelName is a name that can be said in a sentence.
var jobModelName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

func (l *loader) checkJobModels() {
	for _, name := range sortedKeys(l.cfg.Model.Jobs) {
		m, key := l.cfg.Model.Jobs[name], "model.jobs."+name
		if name == BackgroundModel || name == "none" || !jobModelName.MatchString(name) {
			l.bad(key, fmt.Sprintf("%q is no name for a model", name), "give it a name of small letters, digits, '.', '_' and '-'")
		}
		l.endpoint(key, m.Endpoint, true)
		if m.Role != "" {
			l.oneOf(key+".role", m.Role, "member", "approver", "admin")
		}
	}
}

func (l *loader) checkJob(key string, j Job) {
	if names := l.modelNames(); j.Model != "" && !slices.Contains(names, j.Model) {
		l.bad(key+".model", fmt.Sprintf("there is no model %q for jobs", j.Model), "name one of "+strings.Join(append(names, "[model.jobs]"), ", "))
	}
	if j.Tokens != 0 {
		l.atLeast(scheduler.LeastTokens, key+".tokens", j.Tokens)
	}
	if j.Say != "" && (j.Model != "" || j.Tokens > 0 || len(j.Skills) > 0 || len(j.Tools) > 0) {
		l.bad(key+".say", "what is only said takes no skills, tools, model or tokens", "leave them out, or set prompt in place of say")
	}
	l.zone(key+".zone", j.Zone)
	if j.Owner.Platform == "" || j.Owner.Everyone {
		l.bad(key+".owner", "names nobody", "name the person whose rights the job has")
	}
	if (j.Prompt == "") == (j.Say == "") {
		l.bad(key+".prompt", "exactly one of prompt and say is needed", "set what is to be worked on, or what is to be said")
	}
	if _, err := j.Schedule(time.UTC, time.Now()); err != nil {
		l.bad(key+".when", err.Error(), `write it like "every weekday at 9:30", or as cron`)
	}
}

// zone refuses what is no time zone; an empty one has a default.
func (l *loader) zone(key, name string) {
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		l.bad(key, fmt.Sprintf("%q is no time zone", name), `write its name, like "Europe/Berlin"`)
	}
}
