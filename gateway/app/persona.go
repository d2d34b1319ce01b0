package app

import (
	"fmt"
	"time"

	"talaria/core/learning/persona"
	"talaria/core/learning/reflect"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/gateway/config"
)

// pictures has the scheduler keep the picture of each person, at the time of the
// curator, unless it is switched off. One replica does it, under a lease.
func (a *App) pictures(c config.Config) error {
	l := c.Learning
	if !l.Enabled || !l.Person.Enabled {
		return nil
	}
	nights, err := l.Curator.Nights(Zone(c.Scheduler), time.Now())
	if err != nil {
		return fmt.Errorf("learning.curator.nightly: %w", err)
	}
	a.jobs.System("learning: people", nights, persona.New(persona.Config{
		Store: a.store, Model: a.background, People: a.directory,
		Memory:    func(p person.Principal) *memory.Handle { return memory.For(a.store, p) },
		Budget:    reflect.Budget{Store: a.store, Daily: l.Reflection.DailyTokens},
		MaxTokens: l.Reflection.MaxTokens, Lines: l.Person.Lines, Window: time.Duration(l.Person.Days) * 24 * time.Hour,
		Spent: a.meter.Reviewed, Log: a.log,
	}).Nightly)
	return nil
}
