package lane

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/core/person"
	"talaria/core/tool"
	"talaria/storage"
)

// Told is a session of a person's with all that is kept of it.
type Told struct {
	Shard     int         `json:"-"`
	Session   string      `json:"session"`
	Exchanges []Exchange  `json:"exchanges"`
	Files     []tool.File `json:"files,omitempty"`
}

// SessionsOf calls yield for each session of a person's own, and for each
// shared one that they took part in with their exchanges alone.
func SessionsOf(ctx context.Context, s *storage.Store, who person.Subject, yield func(Told) error) error {
	for shard := range storage.Shards {
		at := storage.Shard(shard)
		err := eachSession(ctx, s, at, func(d storage.Doc[state]) error {
			t, err := told(ctx, s, at, d, who)
			t.Shard = shard
			if err != nil || len(t.Exchanges)+len(t.Files) == 0 {
				return err
			}
			return yield(t)
		})
		if err != nil {
			return fmt.Errorf("sessions of a person: %w", err)
		}
	}
	return nil
}

func told(ctx context.Context, s *storage.Store, at storage.Partition, d storage.Doc[state], who person.Subject) (Told, error) {
	t := Told{Session: d.Key}
	own := who.Is(d.Value.Person)
	err := eachExchange(ctx, s, at, transcript(d.Key, d.Value.Generation), func(_ uint64, x Exchange) bool {
		if own || who.Is(x.Who) {
			t.Exchanges = append(t.Exchanges, x)
		}
		return true
	})
	if own && err == nil {
		t.Files, err = tool.AllFiles(ctx, s, at, d.Key)
	}
	return t, err
}

// Expire removes the sessions of a shard that were last used before an
// instant, and from the others the exchanges and files of before it. Other
// replicas may be at work on the shard.
func Expire(ctx context.Context, s *storage.Store, shard int, before time.Time) error {
	at := storage.Shard(shard)
	return eachSession(ctx, s, at, func(d storage.Doc[state]) error {
		if err := dropFiles(ctx, s, at, d.Key, before); err != nil {
			return err
		}
		name := transcript(d.Key, d.Value.Generation)
		b := storage.On(at)
		if d.Value.At.Before(before) {
			b.Delete(sessions, d.Key, d.Revision).Delete(prefixes, d.Key, storage.Any).Trim(name, 0)
		} else {
			keep := uint64(0)
			err := eachExchange(ctx, s, at, name, func(offset uint64, x Exchange) bool {
				keep = offset
				return x.At.Before(before)
			})
			if err != nil || keep <= 1 {
				return err
			}
			b.Trim(name, keep)
		}
		_, err := s.Commit(ctx, b)
		if errors.Is(err, storage.ErrConflict) {
			return nil // it is used again
		}
		return err
	})
}
