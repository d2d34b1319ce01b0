package skill

import (
	"context"
	"fmt"

	"talaria/core/person"
	"talaria/core/skill/manifest"
	"talaria/storage"
)

// Approve puts a draft in force, whatever door the decision came by. r names
// the revision and hash what p was shown of it. Of several who decide at once,
// one does; the others get ErrDecided with the revision as it is. Other errors:
// ErrStale if it is not what was shown or what it changes has changed, ErrExpired,
// ErrBlocked, ErrNeedsAdmin, ErrNeedsAnother, person.ErrForbidden.
func (l *Library) Approve(ctx context.Context, p person.Principal, r Ref, hash string) (Revision, error) {
	var out Revision
	_, err := l.change(ctx, r.At(0), entry("approve", p, r, hash, ""), func(c *change) error {
		d, err := l.mayTouch(ctx, c, p, r)
		if err != nil {
			return err
		}
		out = d.Value
		now, err := l.mayApprove(ctx, p, d.Value)
		if err != nil {
			return err
		}
		if err := c.undecided(d.Value, hash); err != nil {
			return err
		}
		if d.Value.State == Blocked {
			return ErrBlocked
		}
		if c.skill.Hash != d.Value.Base {
			c.supersede(d, "what it changes has changed")
			c.refused = ErrStale
			return nil
		}
		if _, err := l.bundle(ctx, d.Value); err != nil {
			return err
		}
		c.activate(d, Grant{By: now.Person, As: now.Identity, Role: now.Role})
		out = c.revisions[len(c.revisions)-1].Value
		return nil
	})
	if err != nil {
		return out, fmt.Errorf("approve %q: %w", r.Name, err)
	}
	return out, nil
}

// mayTouch reads a draft for somebody who may have a say about it: in the
// scope, or as an admin about the new rights of a person's skill.
func (l *Library) mayTouch(ctx context.Context, c *change, p person.Principal, r Ref) (storage.Doc[Revision], error) {
	err := l.mayDecide(ctx, p, r.Scope)
	if err != nil && r.Scope.Kind != Person {
		return storage.Doc[Revision]{}, err
	}
	d, found := c.revision(ctx, r.Number)
	if err != nil && (found != nil || !d.Value.privileged()) {
		return storage.Doc[Revision]{}, err
	}
	return d, found
}

// undecided checks that a draft is the one that was shown, and still open.
func (c *change) undecided(r Revision, hash string) error {
	switch state := r.StateAt(c.now); {
	case r.Hash != hash:
		return ErrStale
	case state == Expired:
		return ErrExpired
	case state == Superseded:
		return ErrStale
	case state != Draft && state != Blocked:
		return ErrDecided
	case c.skill.Pending != r.Number:
		return ErrStale
	}
	return nil
}

// Reject ends a draft. The agent does not propose the same again. Who may
// approve it may reject it, and a person always what is theirs.
func (l *Library) Reject(ctx context.Context, p person.Principal, r Ref, hash, reason string) (Revision, error) {
	var out Revision
	_, err := l.change(ctx, r.At(0), entry("reject", p, r, hash, reason), func(c *change) error {
		d, err := l.mayTouch(ctx, c, p, r)
		if err != nil {
			return err
		}
		out = d.Value
		if r.Scope != OfPerson(p.Person) && r.Scope.Kind == Person {
			_, err = l.mayApprove(ctx, p, d.Value)
		}
		if err == nil {
			err = c.undecided(d.Value, hash)
		}
		if err != nil {
			return err
		}
		d.Value.State, d.Value.Decided = Rejected, clip(reason)
		c.put(d)
		c.skill.Pending = 0
		out = d.Value
		return nil
	})
	if err != nil {
		return out, fmt.Errorf("reject %q: %w", r.Name, err)
	}
	return out, nil
}

// Edit puts p's own text in the place of a pending draft, blocked ones too. It
// is a new draft, with p among those it comes from, and needs a decision.
func (l *Library) Edit(ctx context.Context, p person.Principal, r Ref, hash string, files manifest.Bundle, reason string) (Outcome, error) {
	if err := l.mayDecide(ctx, p, r.Scope); err != nil {
		return Outcome{}, fmt.Errorf("edit %q: %w", r.Name, err)
	}
	d, err := l.loadRevision(ctx, r)
	if err != nil {
		return Outcome{}, fmt.Errorf("edit %q: %w", r.Name, err)
	}
	now, err := l.store.Now(ctx)
	if err != nil {
		return Outcome{}, fmt.Errorf("edit %q: %w", r.Name, err)
	}
	skill, err := l.load(ctx, r)
	if err != nil {
		return Outcome{}, fmt.Errorf("edit %q: %w", r.Name, err)
	}
	c := &change{lib: l, now: now, skill: skill.Value}
	if err := c.undecided(d.Value, hash); err != nil {
		return Outcome{}, fmt.Errorf("edit %q: %w", r.Name, err)
	}
	return l.propose(ctx, p, Proposal{
		Ref: r.At(0), Files: files, Base: d.Value.Base, Reason: reason,
		Origin: d.Value.Origin, Provenance: d.Value.Provenance, Ask: true,
	})
}
