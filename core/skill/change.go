package skill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/core/person"
	"talaria/storage"
)

// Collections and logs in the partition of a scope.
func skillsOf(s Scope) string     { return "skill/" + s.shelf() }
func statsOf(s Scope) string      { return "skill.stats/" + s.shelf() }
func revisionsOf(r Ref) string    { return "skill.revision/" + r.Scope.shelf() + "/" + r.Name }
func usesOf(r Ref) string         { return "skill.use/" + r.Scope.shelf() + "/" + r.Name }
func numberKey(number int) string { return fmt.Sprintf("%08d", number) }

// change is one decision under way. Every one writes the skill's own document
// and expects it to be as it was read: of two decisions made at once, the second
// is made again, on what the first one left.
type change struct {
	lib       *Library
	now       time.Time
	skill     Skill
	known     bool // the skill was there
	revisions []storage.Doc[Revision]
	policy    string // which one authorised what went live
	// also adds what else belongs to the decision, nil without.
	also func(b *storage.Batch)
	// refused is why nothing was decided, although what was found out (a draft
	// that has become pointless) is written.
	refused error
}

// change has edit decide about a skill and writes what it did together with
// the entry of the audit log. A refusal is logged too.
func (l *Library) change(ctx context.Context, r Ref, e Entry, edit func(c *change) error) (Skill, error) {
	for {
		doc, err := l.load(ctx, r)
		known := err == nil
		if err != nil && !errors.Is(err, ErrNotFound) {
			return Skill{}, err
		}
		c := &change{lib: l, skill: doc.Value, known: known}
		if c.now, err = l.store.Now(ctx); err != nil {
			return Skill{}, err
		}
		e.At = c.now
		if err := edit(c); err != nil {
			if known {
				err = errors.Join(err, l.logRefusal(ctx, r.Scope, e, err))
			}
			return doc.Value, err
		}
		if c.refused != nil {
			e.Refused = c.refused.Error()
		}
		e.Grant, c.skill.Updated = c.policy, c.now
		b := storage.On(r.Scope.partition()).Durable().Put(skillsOf(r.Scope), r.Name, c.skill, doc.Revision)
		for _, d := range c.revisions {
			b.Put(revisionsOf(r), numberKey(d.Value.Number), d.Value, d.Revision)
		}
		if c.also != nil {
			c.also(b)
		}
		_, err = l.store.Commit(ctx, b.Append(auditLog, e))
		if errors.Is(err, storage.ErrConflict) {
			continue
		}
		if err != nil {
			return Skill{}, err
		}
		l.announce(ctx, r.Scope)
		return c.skill, c.refused
	}
}

// load reads a skill as it is now, past all memory.
func (l *Library) load(ctx context.Context, r Ref) (storage.Doc[Skill], error) {
	if err := r.check(); err != nil {
		return storage.Doc[Skill]{}, err
	}
	doc, err := storage.Get[Skill](ctx, l.store, r.Scope.partition(), skillsOf(r.Scope), r.Name)
	if errors.Is(err, storage.ErrNotFound) {
		return doc, ErrNotFound
	}
	return doc, err
}

func (l *Library) loadRevision(ctx context.Context, r Ref) (storage.Doc[Revision], error) {
	if err := r.check(); err != nil {
		return storage.Doc[Revision]{}, err
	}
	doc, err := storage.Get[Revision](ctx, l.store, r.Scope.partition(), revisionsOf(r), numberKey(r.Number))
	if errors.Is(err, storage.ErrNotFound) {
		return doc, ErrNotFound
	}
	return doc, err
}

// revision reads a revision of the skill, to be changed by put.
func (c *change) revision(ctx context.Context, number int) (storage.Doc[Revision], error) {
	if !c.known || number == 0 {
		return storage.Doc[Revision]{}, ErrNotFound
	}
	return c.lib.loadRevision(ctx, c.skill.At(number))
}

// put has a revision written with the decision.
func (c *change) put(d storage.Doc[Revision]) { c.revisions = append(c.revisions, d) }

// activate puts a revision in force: the only way for a skill to get a hash.
func (c *change) activate(d storage.Doc[Revision], g Grant) {
	g.Hash, g.At = d.Value.Hash, c.now
	d.Value.State, d.Value.Grant = Approved, &g
	c.put(d)
	if c.skill.InForce > 0 {
		c.skill.Generation++
	}
	c.enforce(d.Value)
}

// enforce makes an authorised revision the skill's.
func (c *change) enforce(r Revision) {
	c.skill.InForce, c.skill.Hash = r.Number, r.Hash
	c.skill.Summary, c.skill.Permissions = r.Summary, r.Permissions
	c.skill.State, c.skill.Why = Active, ""
	if c.skill.Pending == r.Number {
		c.skill.Pending = 0
	}
}

// supersede ends a draft that has become pointless.
func (c *change) supersede(d storage.Doc[Revision], why string) {
	d.Value.State, d.Value.Decided = Superseded, why
	c.put(d)
	if c.skill.Pending == d.Value.Number {
		c.skill.Pending = 0
	}
}

// refusals are the errors that are somebody's answer, not the store's trouble.
func refusals() []error {
	return []error{
		ErrInvalid, ErrNotFound, ErrBlocked, ErrDecided, ErrExpired, ErrStale, ErrNeedsAdmin,
		ErrNeedsAnother, ErrDisabled, ErrUnfit, ErrProtected, ErrUnchanged, person.ErrForbidden,
	}
}

func isRefusal(err error) bool {
	return slices.ContainsFunc(refusals(), func(r error) bool { return errors.Is(err, r) })
}
