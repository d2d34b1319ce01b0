package curate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"talaria/core/agent"
	"talaria/core/learning"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/storage"
)

// Config is what a Curator works with. Model may be nil: then nothing is
// rewritten.
type Config struct {
	Store  *storage.Store
	Upkeep skill.Upkeep
	Model  agent.Model
	Checks []skill.Check // of the health check
	Limits Limits        // zero: Defaults
	// Team is where a scope's skills get their rights from.
	Team func(ctx context.Context, s skill.Scope) (person.TeamID, error)
	// Announce shows a draft to those who decide about a scope.
	Announce func(ctx context.Context, s skill.Scope, o skill.Outcome) error
	// Tell reports to those who decide about a scope, once for each of its looks.
	Tell func(ctx context.Context, r Report) error
	// Post puts the weekly digest before them.
	Post func(ctx context.Context, d Digest) error
	// Spent books what was asked of the model for a scope; nil: nobody does.
	Spent func(s skill.Scope, u agent.Usage)
	Log   *slog.Logger
}

// Curator looks after skills and cards. It has no state of its own: what it
// must not forget is in the store.
type Curator struct{ cfg Config }

// New returns a curator.
func New(c Config) *Curator {
	if c.Limits == (Limits{}) {
		c.Limits = Defaults()
	}
	return &Curator{c}
}

// Nightly looks at every scope, does what can be taken back, asks about the
// rest, and reports. Begun again after a failure, it goes on with what is left.
func (c *Curator) Nightly(ctx context.Context) error {
	return c.each(ctx, func(s skill.Scope) error {
		l, err := c.look(ctx, s)
		if err != nil || len(l.Skills)+len(l.Cards) == 0 {
			return err // nothing there, or somebody who was forgotten
		}
		p := Decide(l, c.cfg.Limits)
		r, err := c.Apply(ctx, p)
		if err == nil && len(r.Done) > 0 {
			err = c.cfg.Tell(ctx, r)
		}
		if err != nil {
			return err
		}
		return c.note(ctx, s, func(m *memo) { m.looked(p, c.cfg.Limits.AskedAgain) })
	})
}

// Plan is what a look at a scope comes to now. It changes nothing.
func (c *Curator) Plan(ctx context.Context, s skill.Scope) (Plan, error) {
	l, err := c.look(ctx, s)
	if err != nil {
		return Plan{}, err
	}
	return Decide(l, c.cfg.Limits), nil
}

// Keep has a skill left as it is: nobody is asked about its revision any more.
func (c *Curator) Keep(ctx context.Context, r skill.Ref) error {
	now, err := c.cfg.Store.Now(ctx)
	if err != nil {
		return err
	}
	s, err := c.cfg.Upkeep.Skill(ctx, r.At(0))
	if err != nil {
		return err
	}
	return c.note(ctx, r.Scope, func(m *memo) {
		for _, k := range []Kind{Improve, Prune, Rewrite} {
			m.Asked[(Subject{Skill: s}).about(k, "").Once] = now
		}
	})
}

// each calls f for every scope that has skills, or where somebody works. What
// fails in one does not keep the others from their turn.
func (c *Curator) each(ctx context.Context, f func(skill.Scope) error) error {
	var errs []error
	seen := map[skill.Scope]bool{}
	one := func(s skill.Scope) error {
		if seen[s] {
			return nil
		}
		seen[s] = true
		off, err := c.stopped(ctx, s)
		if err == nil && !off {
			err = f(s)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("look after %s: %w", s.Kind, err))
		}
		return ctx.Err()
	}
	err := c.cfg.Upkeep.Scopes(ctx, one)
	if err == nil {
		err = Worked(ctx, c.cfg.Store, one)
	}
	return errors.Join(append(errs, err)...)
}

// stopped reports whether a scope is left as it is, since its people switched
// learning off.
func (c *Curator) stopped(ctx context.Context, s skill.Scope) (bool, error) {
	switch s.Kind {
	case skill.Person:
		return learning.PersonStopped(ctx, c.cfg.Store, s.Person)
	case skill.Space:
		return learning.PlaceStopped(ctx, c.cfg.Store, s.Place)
	}
	return false, nil
}

// memo is what is remembered of the looks at a scope.
type memo struct {
	Last  time.Time            `json:"last"`
	Asked map[string]time.Time `json:"asked"`
}

// looked notes a look that was carried out. What was asked so long ago may be
// asked again.
func (m *memo) looked(p Plan, again time.Duration) {
	m.Last = p.At
	for key, at := range m.Asked {
		if p.At.Sub(at) > again {
			delete(m.Asked, key)
		}
	}
	for _, a := range p.Actions {
		if a.Once != "" {
			m.Asked[a.Once] = p.At
		}
	}
}

const memos = "curate" // documents of memo, by scope

// at is the partition of a scope: what is kept of a person goes with them.
func at(s skill.Scope) storage.Partition {
	if s.Kind == skill.Person {
		return storage.Person(string(s.Person))
	}
	return storage.Team(string(s.Team))
}

func (c *Curator) memo(ctx context.Context, s skill.Scope) (storage.Doc[memo], error) {
	d, err := storage.Get[memo](ctx, c.cfg.Store, at(s), memos, s.String())
	if errors.Is(err, storage.ErrNotFound) {
		d, err = storage.Doc[memo]{Revision: storage.Absent}, nil
	}
	if d.Value.Asked == nil {
		d.Value.Asked = map[string]time.Time{}
	}
	return d, err
}

func (c *Curator) note(ctx context.Context, s skill.Scope, change func(*memo)) error {
	for {
		d, err := c.memo(ctx, s)
		if err != nil {
			return fmt.Errorf("note a look: %w", err)
		}
		change(&d.Value)
		_, err = c.cfg.Store.Commit(ctx, storage.On(at(s)).Put(memos, s.String(), d.Value, d.Revision))
		if !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}

// look reads a scope.
func (c *Curator) look(ctx context.Context, s skill.Scope) (Look, error) {
	now, err := c.cfg.Store.Now(ctx)
	if err != nil {
		return Look{}, err
	}
	m, err := c.memo(ctx, s)
	if err != nil {
		return Look{}, err
	}
	l := Look{Scope: s, Now: now, Last: m.Value.Last, Asked: m.Value.Asked}
	shelf, err := c.cfg.Upkeep.Shelf(ctx, s)
	if err != nil {
		return Look{}, err
	}
	for _, k := range shelf {
		one, err := c.subject(ctx, k)
		if err != nil {
			return Look{}, fmt.Errorf("look at %q: %w", k.Name, err)
		}
		if k.Live() && k.Pending == 0 && l.looked(one) {
			met, err := c.met(ctx, one)
			if err != nil {
				return Look{}, fmt.Errorf("look at what %q met: %w", k.Name, err)
			}
			one.Pitfalls = met.points
		}
		l.Skills = append(l.Skills, one)
	}
	if h := c.memory(s); h != nil {
		if l.Cards, err = h.List(ctx); err != nil {
			return Look{}, err
		}
	}
	return l, nil
}

func (c *Curator) subject(ctx context.Context, k skill.Skill) (Subject, error) {
	s := Subject{Skill: k}
	if !k.Live() {
		return s, nil
	}
	var err error
	if s.Stats, err = c.cfg.Upkeep.Stats(ctx, k.Ref); err != nil {
		return s, err
	}
	uses, err := c.cfg.Upkeep.Uses(ctx, k.Ref, s.Stats.Uses())
	if err != nil {
		return s, err
	}
	for _, u := range uses {
		if u.Number == k.InForce && len(s.Uses) < c.cfg.Limits.Window {
			s.Uses = append(s.Uses, u)
		}
	}
	if k.InForce < 2 {
		return s, nil
	}
	past, err := c.cfg.Upkeep.History(ctx, k.Ref)
	for _, r := range past {
		if r.Number < k.InForce && r.State == skill.Approved && s.Before == 0 {
			s.Before = r.Number
		}
	}
	return s, err
}

// memory is what is remembered in a scope, nil for a team, which has no cards.
// It is the shelf as its people have it, with the rights to change confidence
// and state.
func (c *Curator) memory(s skill.Scope) *memory.Handle {
	switch s.Kind {
	case skill.Person:
		return memory.For(c.cfg.Store, person.Principal{Person: s.Person, Role: person.Member, Direct: true})
	case skill.Space:
		return memory.For(c.cfg.Store, person.Principal{Team: s.Team, Place: s.Place, Role: person.Member})
	}
	return nil
}
