package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// shelf is where the cards of one person or one space lie.
type shelf struct {
	store *storage.Store
	at    storage.Partition
	cards string        // collection of cards
	past  string        // collection of changes that can be undone
	head  string        // key of the head document
	place *chat.Address // of a space's shelf
}

const heads = "memory" // collection of head documents

func personShelf(s *storage.Store, id person.ID) shelf {
	return shelf{store: s, at: storage.Person(string(id)), cards: "card", past: "card.past", head: "person"}
}

func spaceShelf(s *storage.Store, a chat.Address) shelf {
	place := a.Place().String()
	return shelf{store: s, at: person.ShardOf(a), cards: "card/" + place, past: "card.past/" + place, head: place, place: &a}
}

// head serialises the changes of a shelf: each expects its revision.
type head struct {
	Changes int `json:"changes"` // so far; numbers the changes
}

// pages is what a shelf holds, and what a change makes of it.
type pages struct {
	cards []Card // by id
	now   time.Time
	put   []Card
	drop  []string
	gone  []Card                 // what its person does not want to come back
	also  func(b *storage.Batch) // more to be written in the same step; nil: nothing

	undoes int // the number of the change that is taken back
}

// find returns the card with an id.
func (p *pages) find(id string) (Card, bool) {
	i := slices.IndexFunc(p.cards, func(c Card) bool { return c.ID == id })
	if i < 0 {
		return Card{}, false
	}
	return p.cards[i], true
}

// list reads all cards.
func (s shelf) list(ctx context.Context) ([]Card, error) {
	docs, err := storage.List[Card](ctx, s.store, s.at, s.cards, "", maxCards)
	if err != nil {
		return nil, fmt.Errorf("list cards: %w", err)
	}
	out := make([]Card, len(docs))
	for i, d := range docs {
		out[i] = d.Value
	}
	return out, nil
}

// change reads the shelf, has edit decide, and writes what it put and dropped
// in one step together with what undoes it. When somebody else changed the
// shelf meanwhile, edit decides again. It returns the number of the change,
// zero if nothing was changed.
func (s shelf) change(ctx context.Context, what string, edit func(p *pages) error) (int, error) {
	for {
		h, err := storage.Get[head](ctx, s.store, s.at, heads, s.head)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return 0, err
		}
		var p pages
		if p.cards, err = s.list(ctx); err != nil {
			return 0, err
		}
		if p.now, err = s.store.Now(ctx); err != nil {
			return 0, err
		}
		if err := edit(&p); err != nil {
			return 0, err
		}
		if len(p.put)+len(p.drop) == 0 && p.also == nil {
			return 0, nil
		}
		h.Value.Changes++
		b := storage.On(s.at).Put(heads, s.head, h.Value, h.Revision)
		s.record(b, &p, what, h.Value.Changes)
		if p.also != nil {
			p.also(b)
		}
		_, err = s.store.Commit(ctx, b)
		if !errors.Is(err, storage.ErrConflict) {
			return h.Value.Changes, err
		}
	}
}

// record adds what p changes, and the way back, to b.
func (s shelf) record(b *storage.Batch, p *pages, what string, number int) {
	c := Change{Number: number, What: what, At: p.now, Undoes: p.undoes}
	for _, card := range p.put {
		before, known := p.find(card.ID)
		step := Step{After: &card}
		if known {
			step.Before = &before
		}
		c.Steps = append(c.Steps, step)
		b.Put(s.cards, card.ID, card, storage.Any)
	}
	for _, id := range p.drop {
		if before, known := p.find(id); known {
			c.Steps = append(c.Steps, Step{Before: &before})
			b.Delete(s.cards, id, storage.Any)
		}
	}
	b.Put(s.past, changeKey(number), c, storage.Any)
	for _, card := range p.gone {
		strike(b, card, p.now)
	}
	if number > keptChanges {
		b.Delete(s.past, changeKey(number-keptChanges), storage.Any)
	}
}
