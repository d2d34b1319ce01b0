package config

import (
	"fmt"
	"time"

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
}

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

func (l *loader) checkJob(key string, j Job) {
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
