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
		drop(ctx, e.Store, b, p, observations, func(key string, o Observed) bool {
			return gone[key] || slices.ContainsFunc(o.People, who.Is)
		}),
		drop(ctx, e.Store, b, p, openTasks, func(_ string, o open) bool { return gone[o.Task] }),
		drop(ctx, e.Store, b, p, notices, func(_ string, n Notice) bool { return gone[n.Task] || who.Is(n.Person) }),
		drop(ctx, e.Store, b, p, counts, func(key string, _ int) bool { return who.Is(person.ID(key)) }),
		drop(ctx, e.Store, b, p, kinds, func(_ string, k observe.Kind) bool {
			return k.Of(who.Is) || k.Best != nil && gone[k.Best.Task]
		}),
		unsay(ctx, e.Store, b, p, who),
	)
	if err != nil {
		return fmt.Errorf("erase observations: %w", err)
	}
	if _, err := e.Store.Commit(ctx, b); err != nil {
		return fmt.Errorf("erase observations: %w", err)
	}
	return nil
}

// drop deletes the documents of a collection that are to go.
func drop[T any](ctx context.Context, s *storage.Store, b *storage.Batch, p storage.Partition, collection string, goes func(key string, v T) bool) error {
	return each(ctx, s, p, collection, func(key string, v T) {
		if goes(key, v) {
			b.Delete(collection, key, storage.Any)
		}
	})
}

// unsay takes a person's corrections out of the latest ones.
func unsay(ctx context.Context, s *storage.Store, b *storage.Batch, p storage.Partition, who person.Subject) error {
	return each(ctx, s, p, said, func(key string, c corrections) {
		c.Said = slices.DeleteFunc(c.Said, func(x correction) bool { return who.Is(x.Who) })
		if len(c.Said) == 0 {
			b.Delete(said, key, storage.Any) // its key may name the person
			return
		}
		b.Put(said, key, c, storage.Any)
	})
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
