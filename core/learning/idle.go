package learning

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/core/trace"
	"talaria/storage"
)

// idle settles and quiets the open tasks of a shard whose time has come, and
// returns when the next one's will.
func (r *Recorder) idle(ctx context.Context, shard int, now time.Time) (next time.Time, err error) {
	p := storage.Shard(shard)
	docs, err := storage.List[open](ctx, r.cfg.Store, p, openTasks, "", maxOpen)
	if err != nil {
		return next, fmt.Errorf("list open tasks: %w", err)
	}
	for _, d := range docs {
		due := d.Value.Last.Add(r.cfg.Quiet)
		if d.Value.Quieted {
			due = d.Value.Last.Add(r.cfg.Idle)
		}
		if now.Before(due) {
			next = sooner(next, due)
			continue
		}
		if err := r.overdue(ctx, p, d, now); err != nil && !errors.Is(err, storage.ErrConflict) {
			return next, err
		}
		next = sooner(next, now)
	}
	return next, nil
}

// overdue settles a task that is idle, and tells of one that is quiet.
func (r *Recorder) overdue(ctx context.Context, p storage.Partition, d storage.Doc[open], now time.Time) error {
	b := storage.On(p)
	if now.Sub(d.Value.Last) >= r.cfg.Idle {
		if err := r.ended(ctx, p, b, d.Key, trace.ByIdle, ""); err != nil {
			return err
		}
		_, err := r.cfg.Store.Commit(ctx, b)
		return err
	}
	o := d.Value
	o.Quieted = true
	b.Put(openTasks, d.Key, o, d.Revision)
	t, err := trace.Get(ctx, r.cfg.Store, p, o.Task)
	switch {
	case err == nil:
		r.notify(b, t.Value, Quiet)
	case !errors.Is(err, storage.ErrNotFound):
		return err
	}
	_, err = r.cfg.Store.Commit(ctx, b)
	return err
}

// maxOpen bounds the open tasks of a shard that are looked at: the sessions
// that somebody spoke in within half an hour.
const maxOpen = 1000

func sooner(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}
