package skill

import (
	"context"
	"errors"
	"fmt"

	"talaria/core/person"
	"talaria/core/skill/manifest"
	"talaria/storage"
)

// Upkeep is the library for unattended work: reflection, measuring, curating.
// It reads every scope and authorises nothing. It must never reach a tool or
// whatever else acts for a person.
type Upkeep struct{ lib *Library }

// Upkeep returns the library for unattended work.
func (l *Library) Upkeep() Upkeep { return Upkeep{l} }

// Scopes calls yield for every scope that has or had skills, and ends with its error.
func (u Upkeep) Scopes(ctx context.Context, yield func(Scope) error) error {
	docs, err := all[Scope](ctx, u.lib.store, scopesAt, knownScopes)
	if err != nil {
		return fmt.Errorf("list the scopes of skills: %w", err)
	}
	for _, doc := range docs {
		if err := yield(doc.Value); err != nil {
			return err
		}
	}
	return nil
}

// Forget takes a person's scopes off the list of those that have skills. What is
// in them goes with the person's partition.
func (u Upkeep) Forget(ctx context.Context, who person.Subject) error {
	b := storage.On(scopesAt)
	for _, id := range who.People {
		b.Delete(knownScopes, OfPerson(id).String(), storage.Any)
	}
	if _, err := u.lib.store.Commit(ctx, b); err != nil {
		return fmt.Errorf("forget where a person has skills: %w", err)
	}
	return nil
}

// Shelf are all skills of a scope, in every state, by name.
func (u Upkeep) Shelf(ctx context.Context, s Scope) ([]Skill, error) {
	shelf, err := u.lib.shelf(ctx, s)
	return shelf.skills, err
}

// Skill is one skill as it is now.
func (u Upkeep) Skill(ctx context.Context, r Ref) (Skill, error) {
	doc, err := u.lib.load(ctx, r)
	return doc.Value, err
}

// Bundle are the files of a revision; with Number zero, of the one in force.
func (u Upkeep) Bundle(ctx context.Context, r Ref) (manifest.Bundle, Revision, error) {
	if r.Number == 0 {
		doc, err := u.lib.load(ctx, r)
		if err != nil {
			return nil, Revision{}, err
		}
		return u.lib.inForce(ctx, doc.Value)
	}
	d, err := u.lib.loadRevision(ctx, r)
	if err != nil {
		return nil, Revision{}, err
	}
	b, err := u.lib.bundle(ctx, d.Value)
	return b, d.Value, err
}

// History are the revisions of a skill, the latest first.
func (u Upkeep) History(ctx context.Context, r Ref) ([]Revision, error) {
	return u.lib.history(ctx, r)
}

// Propose takes in a change that nobody asked for. Team is where a person's
// skill gets its rights from; the agent is the author.
func (u Upkeep) Propose(ctx context.Context, pr Proposal, team person.TeamID) (Outcome, error) {
	pr.ByAgent = true
	return u.lib.propose(ctx, person.Principal{Team: team}, pr)
}

// Retire changes the state of a skill: an agent's own that is not pinned to
// Stale, Archived or Deprecated (it failed its health check), any to Disabled
// (what it came from was deleted). None of these puts anything in force.
func (u Upkeep) Retire(ctx context.Context, r Ref, to State, reason string) (Skill, error) {
	s, err := u.lib.change(ctx, r.At(0), entry("retire to "+string(to), person.Principal{}, r, "", reason), func(c *change) error {
		own := c.skill.CreatedBy == ByAgent && !c.skill.Pinned
		switch {
		case to == Stale && own:
			return c.move(to, reason, Active)
		case to == Archived && own:
			return c.move(to, reason, Active, Stale)
		case to == Deprecated && own, to == Disabled:
			return c.move(to, reason, Active, Stale)
		}
		return ErrProtected
	})
	if err != nil {
		return s, fmt.Errorf("retire %q: %w", r.Name, err)
	}
	return s, nil
}

// Revert puts the authorised revision before the present one in force again, on
// its old authorisation.
func (u Upkeep) Revert(ctx context.Context, r Ref, reason string) (Skill, error) {
	s, err := u.lib.change(ctx, r.At(0), entry("revert", person.Principal{}, r, "", reason), func(c *change) error {
		past, err := u.lib.history(ctx, r.At(0))
		if err != nil {
			return err
		}
		for _, old := range past {
			if old.Number < c.skill.InForce && old.State == Approved {
				return c.rollback(ctx, old.Number, reason, nil)
			}
		}
		return ErrNotFound
	})
	if err != nil {
		return s, fmt.Errorf("revert %q: %w", r.Name, err)
	}
	return s, nil
}

// Remind returns the drafts of a scope whose approvers are to be reminded now.
// Each is returned once in its life, to one caller.
func (u Upkeep) Remind(ctx context.Context, s Scope) ([]Revision, error) {
	now, err := u.lib.store.Now(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for forgotten drafts: %w", err)
	}
	skills, err := u.Shelf(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("look for forgotten drafts: %w", err)
	}
	var out []Revision
	for _, skill := range skills {
		d, ok, err := u.lib.waiting(ctx, skill, now)
		if err != nil {
			return nil, fmt.Errorf("look for forgotten drafts: %w", err)
		}
		if !ok || d.Value.Reminded || now.Before(d.Value.Created.Add(u.lib.config.remindAfter())) {
			continue
		}
		d.Value.Reminded = true
		b := storage.On(s.partition()).Durable().Put(revisionsOf(skill.Ref), numberKey(d.Value.Number), d.Value, d.Revision)
		if _, err := u.lib.store.Commit(ctx, b); errors.Is(err, storage.ErrConflict) {
			continue // another replica reminds, or it was just decided
		} else if err != nil {
			return nil, fmt.Errorf("note a reminder: %w", err)
		}
		out = append(out, d.Value)
	}
	return out, nil
}

// Expire ends the drafts of a scope that nobody decided about in time, and
// returns them. Each is returned once, to one caller.
func (u Upkeep) Expire(ctx context.Context, s Scope) ([]Revision, error) {
	skills, err := u.Shelf(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("look for expired drafts: %w", err)
	}
	var out []Revision
	for _, skill := range skills {
		if skill.Pending == 0 {
			continue
		}
		r, err := u.expire(ctx, skill.Ref)
		if errors.Is(err, ErrUnchanged) {
			continue
		}
		if err != nil {
			return out, fmt.Errorf("end an expired draft: %w", err)
		}
		out = append(out, r)
	}
	return out, nil
}

func (u Upkeep) expire(ctx context.Context, r Ref) (out Revision, err error) {
	late := func(c *change) (storage.Doc[Revision], error) {
		d, err := c.revision(ctx, c.skill.Pending)
		if errors.Is(err, ErrNotFound) || err == nil && (d.Value.State == Expired || d.Value.StateAt(c.now) != Expired) {
			err = ErrUnchanged
		}
		return d, err
	}
	// Looked at first, so that a draft that still waits leaves no entry.
	c := &change{lib: u.lib, known: true}
	doc, err := u.lib.load(ctx, r)
	if err != nil {
		return out, err
	}
	c.skill = doc.Value
	if c.now, err = u.lib.store.Now(ctx); err != nil {
		return out, err
	}
	if _, err = late(c); err != nil {
		return out, err
	}
	_, err = u.lib.change(ctx, r.At(0), entry("expire", person.Principal{}, r, "", "nobody decided in time"), func(c *change) error {
		d, err := late(c)
		if err != nil {
			return err
		}
		d.Value.State = Expired
		c.put(d)
		c.skill.Pending = 0
		out = d.Value
		return nil
	})
	return out, err
}
