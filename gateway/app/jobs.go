package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/config"
	"talaria/gateway/daily"
	"talaria/gateway/inbox"
	"talaria/gateway/lane"
	"talaria/gateway/outbox"
	"talaria/gateway/wording"
	"talaria/scheduler"
	"talaria/scheduler/when"
	"talaria/storage"
)

// newScheduler connects the scheduler to people, inbox and outbox.
func (a *App) newScheduler(c config.Scheduler) *scheduler.Scheduler {
	return scheduler.New(scheduler.Config{
		Store: a.store, People: a.directory, Hand: a.hand, Tell: a.tell, Replica: a.replica, Log: a.log, Zone: Zone(c),
		Outcome: func(ctx context.Context, place chat.Address, key string) (scheduler.Outcome, error) {
			return outcome(ctx, a.store, place, key)
		},
		Command: func(name string) bool {
			_, ok := a.commands.Lookup(name)
			return ok
		},
		Lacks: a.lacks,
		Brief: func(ctx context.Context, who person.Principal, key string, s when.Schedule) (string, error) {
			return daily.NewDesk(a.daily()).Ordered(ctx, who, key, s)
		},
		For: func(ctx context.Context, who person.ID) context.Context {
			ctx, err := wording.ForUnasked(ctx, a.store, who)
			if err != nil {
				a.log.Warn("a person's language is not known", "err", err)
			}
			return ctx
		},
		In:     func(ctx context.Context) scheduler.Tongue { return wording.In(ctx) },
		Limits: scheduler.Limits{Jobs: c.MaxJobsPerPerson, Every: c.MinInterval.Duration},
	})
}

// hand keeps a job's event like any other.
func (a *App) hand(ctx context.Context, e chat.Event, who person.Principal) error {
	return a.inbox.Keep(ctx, inbox.Envelope{Event: e, Who: who})
}

// outcome is what became of a job's turn: how it ended stands where the lane
// wrote it, what was delivered in the row of its first message.
func outcome(ctx context.Context, s *storage.Store, place chat.Address, key string) (scheduler.Outcome, error) {
	ran, over, err := lane.ReadRan(ctx, s, place, key)
	if err != nil || !over {
		return scheduler.Outcome{}, err
	}
	o := scheduler.Outcome{Over: true, Broken: ran.Ending == agent.Broken, Silent: ran.Silent, Tokens: ran.Tokens, Output: ran.Output}
	shard := person.ShardOf(place)
	row, err := s.Row(ctx, shard, outbox.PartKey(key, 0))
	if errors.Is(err, storage.ErrNotFound) {
		return o, nil
	}
	if err != nil {
		return o, err
	}
	said, err := outbox.Read(row)
	o.State, o.Error, o.Moved = string(row.State), said.Error, said.Moved
	o.Gone = strings.HasSuffix(said.Error, chat.Gone.String())
	o.Refused = strings.HasSuffix(said.Error, chat.NotAllowed.String())
	return o, err
}

// universal are the names that machines have for UTC: people are told "UTC".
var universal = []string{"Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "UCT", "Universal", "Zulu"}

// Zone is the zone of people who told none: the configured one, else the
// machine's by its name, since a job must mean the same in every replica.
func Zone(c config.Scheduler) *time.Location {
	name := c.Zone
	if name == "" {
		name = os.Getenv("TZ")
	}
	if link, err := os.Readlink("/etc/localtime"); name == "" && err == nil {
		_, name, _ = strings.Cut(link, "zoneinfo/")
	}
	zone, err := time.LoadLocation(name)
	if err != nil || slices.Contains(universal, name) {
		return time.UTC
	}
	return zone
}

// configured brings the operator's jobs in line with the configuration. All
// replicas come to the same jobs. One that can't be had is told and left out.
func (a *App) configured(ctx context.Context, c config.Scheduler) {
	var orders []scheduler.Standing
	for _, name := range slices.Sorted(maps.Keys(c.Jobs)) {
		order, err := a.standing(ctx, name, *c.Jobs[name], Zone(c))
		if err != nil {
			a.log.Error("job of the configuration left out", "job", name, "err", err)
			continue
		}
		orders = append(orders, order)
	}
	if err := a.jobs.Stand(ctx, orders); err != nil {
		a.log.Error("jobs of the configuration not brought up to date", "err", err)
	}
}

func (a *App) standing(ctx context.Context, name string, j config.Job, zone *time.Location) (scheduler.Standing, error) {
	now, err := a.store.Now(ctx)
	if err != nil {
		return scheduler.Standing{}, err
	}
	s, err := j.Schedule(zone, now)
	if err != nil {
		return scheduler.Standing{}, fmt.Errorf("schedule: %w", err)
	}
	author := chat.Author{Identity: j.Owner.Identity}
	who, err := a.directory.Resolve(ctx, author, j.Place.Address, j.Place.Address == chat.Address{})
	rules := scheduler.Defaults(false)
	rules.Use = scheduler.Use{Skills: j.Skills, Tools: j.Tools, Model: j.Model, Tokens: j.Tokens}
	return scheduler.Standing{Name: name, Owner: who, Order: scheduler.Order{
		Rules: rules, Schedule: s, Prompt: j.Prompt, Say: j.Say, Origin: chat.Member, Targets: []scheduler.Target{{Place: j.Place.Address}},
	}}, err
}

// Jobs is the scheduler for a look at a store and changes in it, without a bot
// around it.
func Jobs(s *storage.Store) *scheduler.Scheduler {
	return scheduler.New(scheduler.Config{
		Store: s, Log: slog.New(slog.DiscardHandler), Zone: time.UTC,
		Outcome: func(ctx context.Context, place chat.Address, key string) (scheduler.Outcome, error) {
			return outcome(ctx, s, place, key)
		},
	})
}
