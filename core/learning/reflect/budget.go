package reflect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// budgets are what was used to learn, in the shard of their place, by scope and day.
const budgets = "learning.budget"

// budgetKept is how long a day's count is kept.
const budgetKept = 3 * 24 * time.Hour

// Budget is what may be used in a day to learn from one scope: what its reviews
// use, and whatever else is thought about what was said there.
type Budget struct {
	Store *storage.Store
	Daily int // tokens; zero: no limit
}

func budgetKey(scope string, now time.Time) string {
	return now.UTC().Format(time.DateOnly) + " " + scope
}

// Left reports whether the day's budget of a scope, as trace.Task has it, has
// room. The place is where the scope's work is done.
func (b Budget) Left(ctx context.Context, place chat.Address, scope string) (bool, error) {
	if b.Daily == 0 {
		return true, nil
	}
	used, err := b.Used(ctx, place, scope)
	return used < b.Daily, err
}

// Used is what went into learning today in a scope, in tokens.
func (b Budget) Used(ctx context.Context, place chat.Address, scope string) (int, error) {
	now, err := b.Store.Now(ctx)
	if err != nil {
		return 0, err
	}
	d, err := storage.Get[int](ctx, b.Store, person.ShardOf(place), budgets, budgetKey(scope, now))
	if errors.Is(err, storage.ErrNotFound) {
		return 0, nil
	}
	return d.Value, err
}

// Book adds what was used to the day's budget, to be called also where the work
// failed or gave way.
func (b Budget) Book(ctx context.Context, place chat.Address, scope string, u agent.Usage) error {
	tokens := u.Input - u.CacheRead + u.Output
	if tokens == 0 {
		return nil
	}
	now, err := b.Store.Now(ctx)
	if err != nil {
		return fmt.Errorf("book what was used to learn: %w", err)
	}
	p, key := person.ShardOf(place), budgetKey(scope, now)
	for {
		d, err := storage.Get[int](ctx, b.Store, p, budgets, key)
		if errors.Is(err, storage.ErrNotFound) {
			d.Revision, err = storage.Absent, nil
		}
		if err != nil {
			return fmt.Errorf("book what was used to learn: %w", err)
		}
		_, err = b.Store.Commit(ctx, storage.On(p).PutFor(budgets, key, d.Value+tokens, d.Revision, budgetKept))
		if !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}

func (r *Reviewer) budget() Budget { return Budget{r.cfg.Store, r.cfg.DailyTokens} }
