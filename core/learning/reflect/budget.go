package reflect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/core/agent"
	"talaria/core/trace"
	"talaria/storage"
)

// budgets are what reviews used, in the shard of their place, by scope and day.
const budgets = "learning.budget"

// budgetKept is how long a day's count is kept.
const budgetKept = 3 * 24 * time.Hour

func budgetKey(t trace.Task, now time.Time) string {
	return now.UTC().Format(time.DateOnly) + " " + t.Scope()
}

// left reports whether the day's learning budget of a task's scope has room.
func (r *Reviewer) left(ctx context.Context, t trace.Task) (bool, error) {
	if r.cfg.DailyTokens == 0 {
		return true, nil
	}
	now, err := r.cfg.Store.Now(ctx)
	if err != nil {
		return false, err
	}
	d, err := storage.Get[int](ctx, r.cfg.Store, trace.ShardOf(t.Place), budgets, budgetKey(t, now))
	if errors.Is(err, storage.ErrNotFound) {
		return true, nil
	}
	return d.Value < r.cfg.DailyTokens, err
}

// book adds what a review used to the day's budget, also where it failed or
// gave way.
func (r *Reviewer) book(ctx context.Context, t trace.Task, u agent.Usage) error {
	tokens := u.Input - u.CacheRead + u.Output
	if tokens == 0 {
		return nil
	}
	now, err := r.cfg.Store.Now(ctx)
	if err != nil {
		return fmt.Errorf("book a review: %w", err)
	}
	p, key := trace.ShardOf(t.Place), budgetKey(t, now)
	for {
		d, err := storage.Get[int](ctx, r.cfg.Store, p, budgets, key)
		if errors.Is(err, storage.ErrNotFound) {
			d.Revision, err = storage.Absent, nil
		}
		if err != nil {
			return fmt.Errorf("book a review: %w", err)
		}
		_, err = r.cfg.Store.Commit(ctx, storage.On(p).PutFor(budgets, key, d.Value+tokens, d.Revision, budgetKept))
		if !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}
