package memory

import (
	"context"
	"fmt"
	"slices"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// Forget removes for good what the places of a shard keep of a person: what
// they said, what was answered to it, and the cards that they gave a space,
// with the way back to these. It may be repeated.
func Forget(ctx context.Context, s *storage.Store, shard int, who person.Subject) error {
	places, err := PlacesOf(ctx, s, shard, who)
	if err != nil {
		return err
	}
	for _, place := range places {
		if err := forgetAt(ctx, s, place, who); err != nil {
			return fmt.Errorf("forget a person at %s: %w", place, err)
		}
		b := storage.On(person.ShardOf(place))
		for _, id := range who.People {
			b.Delete(placesOf(id), place.String(), storage.Any)
		}
		if _, err := s.Commit(ctx, b); err != nil {
			return fmt.Errorf("forget a person at %s: %w", place, err)
		}
	}
	return nil
}

// PlacesOf are the places of a shard that hold something of a person's, each
// once.
func PlacesOf(ctx context.Context, s *storage.Store, shard int, who person.Subject) ([]chat.Address, error) {
	var all []chat.Address
	for _, id := range who.People {
		places, err := placesIn(ctx, s, shard, id)
		if err != nil {
			return nil, err
		}
		for _, p := range places {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all, nil
}

func placesIn(ctx context.Context, s *storage.Store, shard int, id person.ID) ([]chat.Address, error) {
	var all []chat.Address
	for d, err := range storage.All[chat.Address](ctx, s, storage.Shard(shard), placesOf(id), "") {
		if err != nil {
			return nil, fmt.Errorf("list the places of a person: %w", err)
		}
		all = append(all, d.Value)
	}
	return all, nil
}

func forgetAt(ctx context.Context, s *storage.Store, place chat.Address, who person.Subject) error {
	if _, err := Sweep(ctx, s, place, theirs(who)); err != nil {
		return err
	}
	shelf := spaceShelf(s, place)
	_, err := shelf.change(ctx, "forgotten", func(p *pages) error {
		for _, c := range p.cards {
			if who.Has(c.From) {
				p.drop = append(p.drop, c.ID)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return shelf.forgetPast(ctx, who)
}

// theirs names a person's turns and the answers to them, in the order that
// turns are gone through: an answer follows what was asked.
func theirs(who person.Subject) func(Turn) bool {
	var asked Turn
	return func(t Turn) bool {
		if who.Is(t.Who) {
			asked = t
			return true
		}
		return t.Who == "" && asked.Number > 0 && t.Session == asked.Session && t.Number == asked.Number+1
	}
}

// forgetPast removes the changes that hold cards of a person's.
func (s shelf) forgetPast(ctx context.Context, who person.Subject) error {
	docs, err := storage.List[Change](ctx, s.store, s.at, s.past, "", keptChanges+1)
	if err != nil {
		return err
	}
	b := storage.On(s.at)
	for _, d := range docs {
		for _, step := range d.Value.Steps {
			if step.Before != nil && who.Has(step.Before.From) || step.After != nil && who.Has(step.After.From) {
				b.Delete(s.past, d.Key, storage.Any)
				break
			}
		}
	}
	_, err = s.store.Commit(ctx, b)
	return err
}

// SaidBy calls yield for everything that is kept of what a person said, and
// of what was answered to it, place by place.
func SaidBy(ctx context.Context, s *storage.Store, who person.Subject, yield func(chat.Address, Turn) error) error {
	return eachPlace(ctx, s, who, func(place chat.Address) error {
		mine := theirs(who)
		return Turns(ctx, s, place, func(t Turn) error {
			if !mine(t) {
				return nil
			}
			return yield(place, t)
		})
	})
}

// GivenBy calls yield for each card that a person gave a space.
func GivenBy(ctx context.Context, s *storage.Store, who person.Subject, yield func(chat.Address, Card) error) error {
	return eachPlace(ctx, s, who, func(place chat.Address) error {
		cards, err := spaceShelf(s, place).list(ctx)
		if err != nil {
			return err
		}
		for _, c := range cards {
			if !who.Has(c.From) {
				continue
			}
			if err := yield(place, c); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachPlace calls yield once for each place that holds something of a person's.
func eachPlace(ctx context.Context, s *storage.Store, who person.Subject, yield func(chat.Address) error) error {
	for shard := range storage.Shards {
		places, err := PlacesOf(ctx, s, shard, who)
		if err != nil {
			return err
		}
		for _, place := range places {
			if err := yield(place); err != nil {
				return fmt.Errorf("what is kept of a person at %s: %w", place, err)
			}
		}
	}
	return nil
}
