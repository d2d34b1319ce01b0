package memory

import (
	"context"
	"errors"
	"fmt"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// Migrated has what a place remembers, and what can be found of what was said
// there, follow it to its new address. It may be repeated.
func Migrated(ctx context.Context, s *storage.Store, m chat.Migration) error {
	from, to := spaceShelf(s, m.From), spaceShelf(s, m.To)
	err := from.moveTo(ctx, to)
	if err == nil {
		err = moveSaid(ctx, s, m)
	}
	if err != nil {
		return fmt.Errorf("carry what %s remembers over to %s: %w", m.From, m.To, err)
	}
	return nil
}

// moveTo moves a place's shelf: as it is, with the way back of its changes, or
// where something is remembered there already, its cards beside that.
func (s shelf) moveTo(ctx context.Context, to shelf) error {
	cards, err := s.list(ctx)
	if err != nil || len(cards) == 0 {
		return err
	}
	past, err := storage.List[Change](ctx, s.store, s.at, s.past, "", keptChanges+1)
	if err != nil {
		return err
	}
	now, err := storage.Get[head](ctx, s.store, s.at, heads, s.head)
	if err != nil {
		return err
	}
	whole := storage.On(to.at).Durable().Put(heads, to.head, now.Value, storage.Absent)
	away := storage.On(s.at).Durable()
	for _, c := range cards {
		whole.Put(to.cards, c.ID, c, storage.Any)
		markPlace(whole, person.Home(c.From), *to.place)
		away.Delete(s.cards, c.ID, storage.Any)
	}
	for _, d := range past {
		whole.Put(to.past, d.Key, d.Value, storage.Any)
		away.Delete(s.past, d.Key, storage.Any)
	}
	_, err = s.store.Commit(ctx, whole)
	if errors.Is(err, storage.ErrConflict) {
		err = to.add(ctx, cards)
	}
	if err != nil {
		return err
	}
	_, err = s.store.Commit(ctx, away)
	return err
}

// add puts cards onto a place's shelf that are not there.
func (s shelf) add(ctx context.Context, cards []Card) error {
	_, err := s.change(ctx, "moved", func(p *pages) error {
		for _, c := range cards {
			if _, there := p.find(c.ID); !there {
				p.put = append(p.put, c)
			}
		}
		p.also = func(b *storage.Batch) {
			for _, c := range cards {
				markPlace(b, person.Home(c.From), *s.place)
			}
		}
		return nil
	})
	return err
}

// moveSaid moves what was said, page by page: what a kill leaves is moved by the
// next try.
func moveSaid(ctx context.Context, s *storage.Store, m chat.Migration) error {
	b := storage.On(person.ShardOf(m.To))
	flush := func() error {
		_, err := s.Commit(ctx, b)
		b = storage.On(person.ShardOf(m.To))
		return err
	}
	err := Turns(ctx, s, m.From, func(t Turn) error {
		if IndexTurns(b, m.To, t); b.Len() < sweepPage {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err == nil {
		_, err = Sweep(ctx, s, m.From, func(Turn) bool { return true })
	}
	return err
}
