package skill

import (
	"context"
	"fmt"
	"slices"

	"talaria/core/person"
)

// Disable takes a skill out of use: at once for every call, within the five
// seconds that memories live for lists.
func (l *Library) Disable(ctx context.Context, p person.Principal, r Ref, reason string) (Skill, error) {
	return l.move(ctx, p, r, "disable", reason, Disabled, Active, Stale, Archived, Deprecated)
}

// Enable undoes Disable, in the revision that was authorised.
func (l *Library) Enable(ctx context.Context, p person.Principal, r Ref, reason string) (Skill, error) {
	return l.move(ctx, p, r, "enable", reason, Active, Disabled)
}

// Archive puts a skill away.
func (l *Library) Archive(ctx context.Context, p person.Principal, r Ref, reason string) (Skill, error) {
	return l.move(ctx, p, r, "archive", reason, Archived, Active, Stale, Disabled, Deprecated)
}

// Restore brings an archived skill back, in the revision that was authorised.
func (l *Library) Restore(ctx context.Context, p person.Principal, r Ref, reason string) (Skill, error) {
	return l.move(ctx, p, r, "restore", reason, Active, Archived)
}

// move changes the state of a skill on the word of somebody who may decide.
func (l *Library) move(ctx context.Context, p person.Principal, r Ref, action, reason string, to State, from ...State) (Skill, error) {
	s, err := l.change(ctx, r.At(0), entry(action, p, r, "", reason), func(c *change) error {
		if err := l.mayDecide(ctx, p, r.Scope); err != nil {
			return err
		}
		return c.move(to, reason, from...)
	})
	if err != nil {
		return s, fmt.Errorf("%s %q: %w", action, r.Name, err)
	}
	return s, nil
}

func (c *change) move(to State, reason string, from ...State) error {
	switch {
	case !c.known:
		return ErrNotFound
	case c.skill.State == to, !slices.Contains(from, c.skill.State):
		return ErrUnchanged
	}
	c.skill.State, c.skill.Why = to, clip(reason)
	return nil
}

// Pin protects a skill from unattended changes, or ends that.
func (l *Library) Pin(ctx context.Context, p person.Principal, r Ref, pinned bool) (Skill, error) {
	action := "pin"
	if !pinned {
		action = "unpin"
	}
	s, err := l.change(ctx, r.At(0), entry(action, p, r, "", ""), func(c *change) error {
		if err := l.mayDecide(ctx, p, r.Scope); err != nil {
			return err
		}
		switch {
		case !c.known:
			return ErrNotFound
		case c.skill.Pinned == pinned:
			return ErrUnchanged
		}
		c.skill.Pinned = pinned
		return nil
	})
	if err != nil {
		return s, fmt.Errorf("%s %q: %w", action, r.Name, err)
	}
	return s, nil
}

// Rollback puts an earlier revision, r.Number, in force again. Only one that
// was authorised before can be; p needs the rights that approving it would
// need now.
func (l *Library) Rollback(ctx context.Context, p person.Principal, r Ref, reason string) (Skill, error) {
	s, err := l.change(ctx, r.At(0), entry("roll back", p, r, "", reason), func(c *change) error {
		if err := l.mayDecide(ctx, p, r.Scope); err != nil {
			return err
		}
		d, err := c.revision(ctx, r.Number)
		if err != nil {
			return err
		}
		target := d.Value
		target.Adds = Added(c.skill.Permissions, target.Permissions)
		now, err := l.mayApprove(ctx, p, target)
		if err != nil {
			return err
		}
		return c.rollback(ctx, r.Number, reason, &Grant{By: now.Person, As: now.Identity, Role: now.Role})
	})
	if err != nil {
		return s, fmt.Errorf("roll back %q: %w", r.Name, err)
	}
	return s, nil
}

// rollback makes an earlier authorised revision the skill's. With a grant it is
// authorised anew, else its old authorisation holds.
func (c *change) rollback(ctx context.Context, to int, reason string, g *Grant) error {
	target, err := c.revision(ctx, to)
	if err != nil {
		return err
	}
	switch {
	case c.skill.Hash == "", to == c.skill.InForce:
		return ErrUnchanged
	case target.Value.Grant == nil || target.Value.Grant.Hash != target.Value.Hash:
		return fmt.Errorf("revision %d was never authorised: %w", to, ErrStale)
	}
	if _, err := c.lib.bundle(ctx, target.Value); err != nil {
		return err
	}
	current, err := c.revision(ctx, c.skill.InForce)
	if err != nil {
		return err
	}
	current.Value.State, current.Value.Decided = RolledBack, clip(reason)
	c.put(current)
	target.Value.State = Approved
	if g != nil {
		g.Hash, g.At = target.Value.Hash, c.now
		target.Value.Grant = g
	}
	c.put(target)
	state, why := c.skill.State, c.skill.Why
	c.enforce(target.Value)
	if state == Disabled || state == Archived { // going back is no answer to a veto
		c.skill.State, c.skill.Why = state, why
	}
	return nil
}
