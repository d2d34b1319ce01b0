package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/curate"
	"talaria/core/learning/measure"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/gateway/config"
	"talaria/scheduler"
	"talaria/storage"
)

// curating is what looks after skills and cards, and what carries changed
// preferences out.
type curating struct {
	*curate.Curator
	switches curate.Switches
	library  *skill.Library
}

// Unswitch takes the latest change of somebody's preferences back.
func (c curating) Unswitch(ctx context.Context, who person.Principal) (curate.Switch, []string, error) {
	return c.switches.Undo(ctx, who, c.library)
}

// newCurating makes it, and has the scheduler run it: each of its looks is done
// by one replica, under a lease.
func (a *App) newCurating(c config.Config) (curating, error) {
	out := curating{
		Curator: curate.New(curate.Config{
			Store: a.store, Upkeep: a.library.Upkeep(), Model: a.background, Checks: a.skillChecks(), Limits: c.Learning.UpkeepLimits(),
			Team: a.teamOf, Announce: a.skills.Curated, Tell: a.skills.Reported, Post: a.skills.Digested,
			Spent: func(s skill.Scope, u agent.Usage) {
				if s.Kind == skill.Person { // what is shared is nobody's bill
					a.meter.Reviewed(person.Principal{Person: s.Person}, u)
				}
			},
			Log: a.log,
		}),
		switches: curate.Switches{Store: a.store, Upkeep: a.library.Upkeep(), Tell: a.skills.Switched},
		library:  a.library,
	}
	if !c.Learning.Enabled {
		return out, nil
	}
	const often = time.Minute // so that what rests on a deleted source is soon out of use
	a.jobs.System("learning: sources", scheduler.Every(often), out.Sources)
	if !c.Learning.Curator.Enabled {
		return out, nil
	}
	now, zone := time.Now(), Zone(c.Scheduler)
	nights, err := c.Learning.Curator.Nights(zone, now)
	if err != nil {
		return out, fmt.Errorf("learning.curator.nightly: %w", err)
	}
	weeks, err := c.Learning.Curator.Weeks(zone, now)
	if err != nil {
		return out, fmt.Errorf("learning.curator.weekly: %w", err)
	}
	a.jobs.System("learning: curate", nights, out.Nightly)
	a.jobs.System("learning: digest", weeks, out.Weekly)
	return out, nil
}

// teamOf is where the skills of a scope get their rights from: a person's from
// the team that they work in.
func (a *App) teamOf(ctx context.Context, s skill.Scope) (person.TeamID, error) {
	if s.Kind != skill.Person {
		return s.Team, nil
	}
	p, _, err := a.directory.Reach(ctx, s.Person)
	return p.Team, err
}

// listener is who is told of tasks: what counts the uses of skills, what hears
// of changed preferences, then the review.
func (a *App) listener() learning.Listener {
	watch := &curate.Watch{Store: a.store, People: a.directory, Switches: a.curating.switches, Next: a.reviewer}
	return measure.Uses{Store: a.store, Library: a.library, Upkeep: a.library.Upkeep(), People: a.directory, Next: watch}
}

// deleted notes that a message is gone, for what was learned from it.
func (a *App) deleted(ctx context.Context, place chat.Address, message string) error {
	if !a.o.Config.Learning.Enabled {
		return nil
	}
	return curate.Deleted(ctx, a.store, place, message)
}

// forgot notes that somebody deleted a card, for the skills that rest on it.
func (o offices) forgot(ctx context.Context, who person.Principal, c memory.Card) error {
	return curate.CardDeleted(ctx, o.store, who, c)
}

// skillEraser disables what others have learned from somebody who is forgotten.
// Upkeep authorises nothing, so it needs nobody's rights.
func skillEraser(s *storage.Store) person.Eraser {
	library := skill.New(s, nil, skill.Config{}, slog.New(slog.DiscardHandler))
	return curate.Eraser{Store: s, Upkeep: library.Upkeep()}
}
