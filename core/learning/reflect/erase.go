package reflect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
)

// Eraser removes what is kept of the reviews of a person's tasks: reports with
// their copies, how far the tasks were looked at, and what that used. It is a
// person.Eraser, which sees to the copies that outlived their reports, and a
// person.ShardEraser, to be called before that of the traces, which alone know
// the task of a look that left no report.
type Eraser struct {
	Store  *storage.Store
	Copies Copies
}

var (
	_ person.Eraser      = Eraser{}
	_ person.ShardEraser = Eraser{}
)

// Erase implements person.Eraser.
func (e Eraser) Erase(ctx context.Context, _ person.Subject) error {
	now, err := e.Store.Now(ctx)
	if err != nil {
		return fmt.Errorf("erase reports: %w", err)
	}
	return e.Copies.expire(now)
}

// EraseShard implements person.ShardEraser. The reports of a task go that the
// person took any part in. A report whose copy can't be removed stays for the
// next try, since it alone knows the file.
func (e Eraser) EraseShard(ctx context.Context, shard int, who person.Subject) error {
	p := storage.Shard(shard)
	gone, err := e.tasks(ctx, p, who)
	if err != nil {
		return fmt.Errorf("erase reports: %w", err)
	}
	b := storage.On(p)
	var stuck error
	err = errors.Join(
		each(ctx, e.Store, p, reports, func(key string, r Report) error {
			if !gone[r.Task] {
				return nil
			}
			if err := e.Copies.drop(r.ID); err != nil {
				stuck = err
				return nil
			}
			b.Delete(reports, key, storage.Any)
			return nil
		}),
		each(ctx, e.Store, p, reviews, func(key string, _ reviewed) error {
			if gone[strings.TrimSuffix(key, midwayMark)] {
				b.Delete(reviews, key, storage.Any)
			}
			return nil
		}),
		each(ctx, e.Store, p, budgets, func(key string, _ int) error {
			if _, scope, _ := strings.Cut(key, " "); slices.ContainsFunc(who.People, func(id person.ID) bool { return scope == trace.ScopeOf(id) }) {
				b.Delete(budgets, key, storage.Any)
			}
			return nil
		}),
	)
	if err == nil {
		_, err = e.Store.Commit(ctx, b)
	}
	if err = errors.Join(err, stuck); err != nil {
		return fmt.Errorf("erase reports: %w", err)
	}
	return nil
}

// tasks are those of a shard that a person took part in, as far as traces and
// reports know.
func (e Eraser) tasks(ctx context.Context, p storage.Partition, who person.Subject) (map[string]bool, error) {
	gone := map[string]bool{}
	err := trace.Each(ctx, e.Store, p, func(t trace.Task) error {
		if slices.ContainsFunc(t.People(), who.Is) {
			gone[t.ID] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = Each(ctx, e.Store, p, func(r Report) error {
		if who.Is(r.Person) || slices.ContainsFunc(r.People, who.Is) {
			gone[r.Task] = true
		}
		return nil
	})
	return gone, err
}

// Exporter tells a person what reviews reported of their tasks. It is a
// person.Exporter.
type Exporter struct{ Store *storage.Store }

var _ person.Exporter = Exporter{}

// Export implements person.Exporter. Reports of tasks that others spoke in too
// are left out: they tell of these.
func (e Exporter) Export(ctx context.Context, who person.Subject) (any, error) {
	var all []Report
	for n := range storage.Shards {
		err := Each(ctx, e.Store, storage.Shard(n), func(r Report) error {
			others := slices.ContainsFunc(r.People, func(id person.ID) bool { return !who.Is(id) })
			if who.Is(r.Person) && !others {
				all = append(all, r)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("export reports: %w", err)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return all, nil
}
