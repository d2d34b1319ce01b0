package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// Linked carries cards over when people are linked. It is a person.Mover.
type Linked struct{ store *storage.Store }

// NewLinked returns a mover of cards.
func NewLinked(s *storage.Store) *Linked { return &Linked{s} }

var _ person.Mover = (*Linked)(nil)

const mergers = "card.merged" // documents of merger, by link and card

// merger is a card that was merged into one of the other person's.
type merger struct {
	Theirs Card `json:"theirs"` // the one that was merged
	Before Card `json:"before"` // the other one, as it was
}

// Move makes the cards of from to's. A card that says what one of to's says is
// merged into it; what both were is kept for the way back.
func (l *Linked) Move(ctx context.Context, link string, from, to person.ID) error {
	theirs := personShelf(l.store, from)
	cards, err := theirs.list(ctx)
	if err != nil {
		return fmt.Errorf("move cards: %w", err)
	}
	for _, c := range cards {
		if err := l.take(ctx, link, c, to); err != nil {
			return fmt.Errorf("move cards: %w", err)
		}
		if err := drop(ctx, theirs, c.ID, "moved"); err != nil {
			return fmt.Errorf("move cards: %w", err)
		}
	}
	if err := moveStruck(ctx, theirs, personShelf(l.store, to)); err != nil {
		return fmt.Errorf("move cards: %w", err)
	}
	return nil
}

// take puts one card onto to's shelf, once.
func (l *Linked) take(ctx context.Context, link string, c Card, to person.ID) error {
	ours := personShelf(l.store, to)
	key := link + "/" + c.ID
	_, err := storage.Get[merger](ctx, l.store, ours.at, mergers, key)
	if err == nil || !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	_, err = ours.change(ctx, "moved", func(p *pages) error {
		if _, there := p.find(c.ID); there {
			return nil
		}
		for _, have := range p.cards {
			if have.Kind != c.Kind || !sameStatement(have.Text, c.Text) {
				continue
			}
			p.also = func(b *storage.Batch) { b.Put(mergers, key, merger{Theirs: c, Before: have}, storage.Absent) }
			p.put = append(p.put, merge(have, c))
			return nil
		}
		moved := c
		moved.Link = link
		p.put = append(p.put, moved)
		return nil
	})
	return err
}

// Return gives to's cards back: those that came by link, those that were said
// from one of the identities since, and those that were merged. With undo the
// cards that they were merged into are what they were before, unless they were
// changed since.
func (l *Linked) Return(ctx context.Context, link string, from, to person.ID, identities []chat.Identity, undo bool) error {
	if err := l.unmerge(ctx, link, from, to, undo); err != nil {
		return fmt.Errorf("return cards: %w", err)
	}
	ours, theirs := personShelf(l.store, from), personShelf(l.store, to)
	cards, err := ours.list(ctx)
	if err != nil {
		return fmt.Errorf("return cards: %w", err)
	}
	for _, c := range cards {
		if c.Link != link && !slices.Contains(identities, c.From) {
			continue
		}
		back := c
		back.Link = ""
		if err := place(ctx, theirs, back); err != nil {
			return fmt.Errorf("return cards: %w", err)
		}
		if err := drop(ctx, ours, c.ID, "returned"); err != nil {
			return fmt.Errorf("return cards: %w", err)
		}
	}
	return nil
}

func (l *Linked) unmerge(ctx context.Context, link string, from, to person.ID, undo bool) error {
	ours, theirs := personShelf(l.store, from), personShelf(l.store, to)
	docs, err := storage.List[merger](ctx, l.store, ours.at, mergers, link+"/", maxCards)
	if err != nil {
		return err
	}
	for _, d := range docs {
		m := d.Value
		if d.Key != link+"/"+m.Theirs.ID {
			break // of another link
		}
		if err := place(ctx, theirs, m.Theirs); err != nil {
			return err
		}
		_, err := ours.change(ctx, "unmerged", func(p *pages) error {
			p.also = func(b *storage.Batch) { b.Delete(mergers, d.Key, storage.Any) }
			if have, there := p.find(m.Before.ID); undo && there && have.Text == m.Before.Text {
				p.put = append(p.put, m.Before)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// place puts a card onto a shelf unless it is there.
func place(ctx context.Context, s shelf, c Card) error {
	_, err := s.change(ctx, "returned", func(p *pages) error {
		if _, there := p.find(c.ID); !there {
			p.put = append(p.put, c)
		}
		return nil
	})
	return err
}

func drop(ctx context.Context, s shelf, id, what string) error {
	_, err := s.change(ctx, what, func(p *pages) error {
		if _, there := p.find(id); there {
			p.drop = append(p.drop, id)
		}
		return nil
	})
	return err
}
