package learning

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"talaria/core/learning/observe"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
)

// Eraser removes what a shard keeps of a person's tasks. It is a
// person.ShardEraser.
type Eraser struct{ Store *storage.Store }

var _ person.ShardEraser = Eraser{}

// EraseShard implements person.ShardEraser. Every task that the person took
// part in goes as a whole, with its observation: what others said in it answers
// what they said. So do the kinds of task that hold their words. What waits to
// be observed goes whosever it is, which is some seconds' worth.
func (e Eraser) EraseShard(ctx context.Context, shard int, who person.Subject) error {
	p := storage.Shard(shard)
	b := storage.On(p)
	trace.DropWaiting(b)
	gone := map[string]bool{}
	_, err := trace.Forget(ctx, e.Store, p, func(t trace.Task) bool {
		theirs := slices.ContainsFunc(t.People(), who.Is)
		gone[t.ID] = gone[t.ID] || theirs
		return theirs
	})
	if err != nil {
		return fmt.Errorf("erase traces: %w", err)
	}
	err = errors.Join(
		each(ctx, e.Store, p, observations, func(key string, o Observed) {
			if gone[key] || slices.ContainsFunc(o.People, who.Is) {
				b.Delete(observations, key, storage.Any)
			}
		}),
		each(ctx, e.Store, p, openTasks, func(key string, o open) {
			if gone[o.Task] {
				b.Delete(openTasks, key, storage.Any)
			}
		}),
		each(ctx, e.Store, p, notices, func(key string, n Notice) {
			if gone[n.Task] || who.Is(n.Person) {
				b.Delete(notices, key, storage.Any)
			}
		}),
		each(ctx, e.Store, p, counts, func(key string, _ int) {
			if who.Is(person.ID(key)) {
				b.Delete(counts, key, storage.Any)
			}
		}),
		each(ctx, e.Store, p, kinds, func(key string, k observe.Kind) {
			if k.Of(who.Is) || k.Best != nil && gone[k.Best.Task] {
				b.Delete(kinds, key, storage.Any)
			}
		}),
		each(ctx, e.Store, p, said, func(key string, c corrections) {
			c.Said = slices.DeleteFunc(c.Said, func(x correction) bool { return who.Is(x.Who) })
			if len(c.Said) == 0 {
				b.Delete(said, key, storage.Any) // its key may name the person
				return
			}
			b.Put(said, key, c, storage.Any)
		}),
	)
	if err != nil {
		return fmt.Errorf("erase observations: %w", err)
	}
	if _, err := e.Store.Commit(ctx, b); err != nil {
		return fmt.Errorf("erase observations: %w", err)
	}
	return nil
}

// each calls f for every document of a collection.
func each[T any](ctx context.Context, s *storage.Store, p storage.Partition, collection string, f func(key string, v T)) error {
	for d, err := range storage.All[T](ctx, s, p, collection, "") {
		if err != nil {
			return err
		}
		f(d.Key, d.Value)
	}
	return nil
}
