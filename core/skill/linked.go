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

// linkedOrParted is why people's skills are carried over.
const linkedOrParted = "accounts were linked or parted"

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
		err := m.lib.carry(ctx, s, OfPerson(to), storage.Absent, linkedOrParted)
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
		if err := m.lib.carry(ctx, s, OfPerson(to), storage.Any, linkedOrParted); err != nil {
			return fmt.Errorf("return skill %q: %w", s.Name, err)
		}
		if err := m.lib.remove(ctx, doc.Value.Ref); err != nil {
			return fmt.Errorf("return skill %q: %w", s.Name, err)
		}
	}
	return m.set(from).Return(ctx, link, from, to, identities, undo)
}
