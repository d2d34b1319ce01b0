package memory

import (
	"context"
	"fmt"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// saidPlaces is the collection, in each shard, of places where something was
// said, so that nothing has to be looked for to keep or forget it.
const saidPlaces = "said.place"

// sweepPage is how many turns are removed in one step.
const sweepPage = 200

// Places calls yield for each place of a shard where something was indexed.
func Places(ctx context.Context, s *storage.Store, shard int, yield func(chat.Address) error) error {
	for d, err := range storage.All[chat.Address](ctx, s, storage.Shard(shard), saidPlaces, "") {
		if err != nil {
			return fmt.Errorf("list the places of shard %d: %w", shard, err)
		}
		if err := yield(d.Value); err != nil {
			return err
		}
	}
	return nil
}

// Turns calls yield for everything that was indexed at a place, session by
// session, in the order of each.
func Turns(ctx context.Context, s *storage.Store, place chat.Address, yield func(Turn) error) error {
	return eachTurn(ctx, s, place, func(_ string, t Turn) error { return yield(t) })
}

func (v said) turn(number int) Turn {
	return Turn{v.Session, number, v.At, v.Who, v.Name, v.Text, v.Message}
}

func eachTurn(ctx context.Context, s *storage.Store, place chat.Address, yield func(key string, t Turn) error) error {
	return eachSaid(ctx, s, place, func(key string, v said) error {
		_, number, _ := cutTurnKey(key)
		return yield(key, v.turn(number))
	})
}

func eachSaid(ctx context.Context, s *storage.Store, place chat.Address, yield func(key string, v said) error) error {
	for d, err := range storage.All[said](ctx, s, person.ShardOf(place), saidAt(place), "") {
		if err != nil {
			return fmt.Errorf("read what was said at %s: %w", place, err)
		}
		if err := yield(d.Key, d.Value); err != nil {
			return err
		}
	}
	return nil
}

// dropTurn adds to b that a turn is removed.
func dropTurn(b *storage.Batch, place chat.Address, key string, t Turn) {
	b.Delete(saidAt(place), key, storage.Any).Unindex(place.Place().String(), docID(t.At, key))
	if t.Who != "" && t.Message != "" {
		b.Delete(messagesAt(place), t.Message, storage.Any)
	}
}

// Sweep removes for good the turns of a place that drop names, from the index
// too, and returns how many these were: what is too old, or what a person
// wants to be forgotten.
func Sweep(ctx context.Context, s *storage.Store, place chat.Address, drop func(Turn) bool) (int, error) {
	removed := 0
	b := storage.On(person.ShardOf(place))
	flush := func() error {
		_, err := s.Commit(ctx, b)
		b = storage.On(person.ShardOf(place))
		return err
	}
	err := eachTurn(ctx, s, place, func(key string, t Turn) error {
		if !drop(t) {
			return nil
		}
		removed++
		dropTurn(b, place, key, t)
		if b.Len() < sweepPage {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return removed, fmt.Errorf("remove what was said at %s: %w", place, err)
	}
	return removed, nil
}
