package measure

import (
	"context"
	"errors"
	"fmt"

	"talaria/core/learning"
	"talaria/core/learning/observe"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/trace"
	"talaria/storage"
)

// Library finds the skill that somebody used by its name.
type Library interface {
	Find(ctx context.Context, p person.Principal, name string) (skill.Skill, error)
}

// Upkeep keeps how skills have done.
type Upkeep interface {
	Record(ctx context.Context, r skill.Ref, u skill.Use) (skill.Stats, error)
}

// People says who somebody is now, with the rights of now; the members of a
// space have some without a role of their own.
type People interface {
	Renew(ctx context.Context, p person.Principal) (person.Principal, error)
}

// Uses is a learning.Listener that records the uses of skills: once a task is
// quiet, and again when it is settled or feedback came late. The library keeps
// the last word of each task.
type Uses struct {
	Store   *storage.Store
	Library Library
	Upkeep  Upkeep
	People  People
	Next    learning.Listener // told afterwards
}

var _ learning.Listener = Uses{}

// Task implements learning.Listener.
func (u Uses) Task(ctx context.Context, n learning.Notice) error {
	if err := u.record(ctx, n); err != nil {
		return fmt.Errorf("record the uses of skills: %w", err)
	}
	return u.Next.Task(ctx, n)
}

func (u Uses) record(ctx context.Context, n learning.Notice) error {
	p := person.ShardOf(n.Place)
	t, err := trace.Get(ctx, u.Store, p, n.Task)
	if errors.Is(err, storage.ErrNotFound) || err == nil && len(t.Value.Skills) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	o, err := learning.ObservationOf(ctx, u.Store, p, n.Task)
	if err != nil {
		return err
	}
	who, err := u.People.Renew(ctx, person.Principal{Identity: t.Value.Asker, Place: t.Value.Place, Direct: t.Value.Direct})
	if err != nil {
		return err
	}
	for _, s := range t.Value.Skills {
		found, err := u.Library.Find(ctx, who, s.Skill)
		if errors.Is(err, skill.ErrNotFound) {
			continue // forgotten, or no longer theirs to see
		}
		if err != nil {
			return err
		}
		if _, err := u.Upkeep.Record(ctx, found.Ref.At(0), useOf(t.Value, o.Observation, s.Revision)); err != nil {
			return err
		}
	}
	return nil
}

func useOf(t trace.Task, o observe.Observation, revision int) skill.Use {
	u := skill.Use{
		Task: t.ID, Place: t.Place.String(), Number: revision, Success: o.Success, Steps: o.Steps, ToolCalls: t.Calls,
		Tokens: o.Tokens, Duration: o.Duration,
	}
	for _, f := range o.Feedback {
		if f.Sign.Corrects() && !f.Other {
			u.Corrections++
		}
	}
	return u
}
