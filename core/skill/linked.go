package skill

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// Linked carries people's own skills over when people are linked. It is a
// person.Mover.
type Linked struct{ lib *Library }

// NewLinked returns a mover of skills. Libraries hear of what it does as they
// hear of other replicas.
func NewLinked(s *storage.Store, log *slog.Logger) Linked {
	return Linked{New(s, nil, Config{}, log)} // it decides on nothing, so it needs no authority
}

var _ person.Mover = Linked{}

// Move makes the skills of from to's, with their whole past. Where to has a
// skill of the same name, both stay where they are: to's is used, and from's is
// there again once the link is undone.
func (m Linked) Move(ctx context.Context, link string, from, to person.ID) error {
	skills, err := all[Skill](ctx, m.lib.store, OfPerson(from).partition(), skillsOf(OfPerson(from)))
	if err != nil {
		return fmt.Errorf("move skills: %w", err)
	}
	for _, doc := range skills {
		s := doc.Value
		s.Link = link
		err := m.carry(ctx, s, OfPerson(to), storage.Absent)
		if errors.Is(err, storage.ErrConflict) {
			err = nil // there is one, perhaps by an earlier try
		}
		if err == nil {
			err = m.rest(ctx, link, s.Ref, OfPerson(to))
		}
		if err != nil {
			return fmt.Errorf("move skill %q: %w", s.Name, err)
		}
	}
	return m.set(from).Move(ctx, link, from, to)
}

// set moves the values that somebody set for skills.
func (m Linked) set(of person.ID) person.Things {
	return person.Things{Store: m.lib.store, Collections: []string{settingsOf(OfPerson(of))}}
}

// rest puts the original of what was moved away, so that nobody tends to it.
func (m Linked) rest(ctx context.Context, link string, r Ref, to Scope) error {
	moved, err := m.lib.load(ctx, Ref{Scope: to, Name: r.Name})
	if err != nil || moved.Value.Link != link {
		return err
	}
	e := entry("carry over", person.Principal{}, r, "", "accounts were linked")
	_, err = m.lib.change(ctx, r, e, func(c *change) error {
		return c.move(Archived, "it is with the linked account", Active, Stale)
	})
	if errors.Is(err, ErrUnchanged) {
		return nil
	}
	return err
}

// Return gives to's skills back, as they are now: those that came by link, and
// those that were learned from one of the identities since.
func (m Linked) Return(ctx context.Context, link string, from, to person.ID, identities []chat.Identity, undo bool) error {
	skills, err := all[Skill](ctx, m.lib.store, OfPerson(from).partition(), skillsOf(OfPerson(from)))
	if err != nil {
		return fmt.Errorf("return skills: %w", err)
	}
	for _, doc := range skills {
		s := doc.Value
		if s.Link != link && !slices.Contains(identities, s.From) {
			continue
		}
		s.Link = ""
		if err := m.carry(ctx, s, OfPerson(to), storage.Any); err != nil {
			return fmt.Errorf("return skill %q: %w", s.Name, err)
		}
		if err := m.remove(ctx, doc.Value.Ref); err != nil {
			return fmt.Errorf("return skill %q: %w", s.Name, err)
		}
	}
	return m.set(from).Return(ctx, link, from, to, identities, undo)
}

// carry writes a skill with all that belongs to it into another person's
// scope, if what is there is as expected.
func (m Linked) carry(ctx context.Context, s Skill, to Scope, expect storage.Revision) error {
	if err := m.lib.register(ctx, to); err != nil {
		return err
	}
	from := s.Ref
	s.Scope, s.Owner = to, to.Person
	b := storage.On(to.partition()).Durable().Put(skillsOf(to), s.Name, s, expect)
	past, err := all[Revision](ctx, m.lib.store, from.Scope.partition(), revisionsOf(from))
	if err != nil {
		return err
	}
	for _, doc := range past {
		if err := m.copyFiles(ctx, from.Scope, to, doc.Value.Files); err != nil {
			return err
		}
		doc.Value.Scope = to
		b.Put(revisionsOf(s.Ref), doc.Key, doc.Value, storage.Any)
	}
	stats, err := m.lib.loadStats(ctx, from)
	if err != nil {
		return err
	}
	uses, err := m.lib.uses(ctx, from)
	if err != nil {
		return err
	}
	b.Put(statsOf(to), s.Name, stats.Value, storage.Any)
	for _, u := range uses {
		b.Put(usesOf(s.Ref), u.Task, u, storage.Any)
	}
	e := entry("carry over", person.Principal{}, s.Ref, s.Hash, "accounts were linked or parted")
	if e.At, err = m.lib.store.Now(ctx); err != nil {
		return err
	}
	if _, err := m.lib.store.Commit(ctx, b.Append(auditLog, e)); err != nil {
		return err
	}
	m.lib.announce(ctx, to)
	return nil
}

func (m Linked) copyFiles(ctx context.Context, from, to Scope, files []File) error {
	for _, f := range files {
		data, err := m.lib.store.GetBlob(ctx, from.partition(), f.Blob)
		if err == nil {
			_, err = m.lib.store.PutBlob(ctx, to.partition(), data)
		}
		if err != nil {
			return fmt.Errorf("carry %s over: %w", f.Path, err)
		}
	}
	return nil
}

// remove takes a skill that was given back away. Its files stay, since others
// may hold the same ones.
func (m Linked) remove(ctx context.Context, r Ref) error {
	past, err := all[Revision](ctx, m.lib.store, r.Scope.partition(), revisionsOf(r))
	if err != nil {
		return err
	}
	uses, err := m.lib.uses(ctx, r)
	if err != nil {
		return err
	}
	b := storage.On(r.Scope.partition()).Durable().
		Delete(skillsOf(r.Scope), r.Name, storage.Any).
		Delete(statsOf(r.Scope), r.Name, storage.Any)
	for _, doc := range past {
		b.Delete(revisionsOf(r), doc.Key, storage.Any)
	}
	for _, u := range uses {
		b.Delete(usesOf(r), u.Task, storage.Any)
	}
	if _, err := m.lib.store.Commit(ctx, b); err != nil {
		return err
	}
	m.lib.announce(ctx, r.Scope)
	return nil
}
