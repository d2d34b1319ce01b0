package learning

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// ErrStopped: where this was to be learned, or of whom, nothing is.
var ErrStopped = errors.New("learning is switched off here")

// stops are documents: of a person in their partition, of a place in its shard,
// by address.
const stops = "learning"

// self is the key of a person's own stop.
const self = "self"

// stop is what somebody said about being learned from.
type stop struct {
	Off bool      `json:"off"`
	By  person.ID `json:"by"`
	At  time.Time `json:"at"`
}

// Switch switches learning on or off: in a direct conversation for the person,
// wherever they are; elsewhere for the place, on an admin's word. What was
// learned before stays as it is.
func Switch(ctx context.Context, s *storage.Store, by person.Principal, on bool) error {
	p, key := storage.Person(string(by.Person)), self
	if !by.Direct {
		if by.Role != person.Admin {
			return fmt.Errorf("switch learning: %w", person.ErrForbidden)
		}
		p, key = person.ShardOf(by.Place), by.Place.Place().String()
	}
	now, err := s.Now(ctx)
	if err == nil {
		_, err = s.Commit(ctx, storage.On(p).Put(stops, key, stop{!on, by.Person, now}, storage.Any))
	}
	if err != nil {
		return fmt.Errorf("switch learning: %w", err)
	}
	return nil
}

// PersonStopped reports whether nothing is to be learned of a person.
func PersonStopped(ctx context.Context, s *storage.Store, who person.ID) (bool, error) {
	return stopped(ctx, s, storage.Person(string(who)), self)
}

// PlaceStopped reports whether nothing is to be learned in a place.
func PlaceStopped(ctx context.Context, s *storage.Store, at chat.Address) (bool, error) {
	return stopped(ctx, s, person.ShardOf(at), at.Place().String())
}

// Stopped reports whether nothing is to be learned in a place, or of one of the
// people who speak there.
func Stopped(ctx context.Context, s *storage.Store, at chat.Address, people ...person.ID) (bool, error) {
	off, err := PlaceStopped(ctx, s, at)
	for _, who := range people {
		if err != nil || off {
			break
		}
		if who != "" {
			off, err = PersonStopped(ctx, s, who)
		}
	}
	return off, err
}

func stopped(ctx context.Context, s *storage.Store, p storage.Partition, key string) (bool, error) {
	d, err := storage.Get[stop](ctx, s, p, stops, key)
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look up whether learning is switched off: %w", err)
	}
	return d.Value.Off, nil
}

// Migrated has it stay switched off in a place that has a new address. It may be
// repeated.
func Migrated(ctx context.Context, s *storage.Store, m chat.Migration) error {
	d, err := storage.Get[stop](ctx, s, person.ShardOf(m.From), stops, m.From.Place().String())
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	if err == nil {
		_, err = s.Commit(ctx, storage.On(person.ShardOf(m.To)).Durable().Put(stops, m.To.Place().String(), d.Value, storage.Absent))
	}
	if err != nil && !errors.Is(err, storage.ErrConflict) {
		return fmt.Errorf("carry over whether learning is switched off: %w", err)
	}
	return nil
}

// NewLinked returns the mover of what people said about being learned from:
// who switched it off with one account has it off with both.
func NewLinked(s *storage.Store) person.Mover {
	return person.Choice[stop]{Store: s, Collection: stops, Key: self, Join: func(mine, theirs stop) stop {
		if theirs.Off {
			return theirs
		}
		return mine
	}}
}
