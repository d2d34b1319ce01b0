package app

import (
	"context"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/person"
	"talaria/gateway/config"
	"talaria/gateway/inbox"
	"talaria/gateway/lane"
	"talaria/gateway/rights"
	"talaria/scheduler"
	"talaria/storage"
)

// rights carry out what people demand about what is kept of them.
func (a *App) rights() *rights.Rights {
	return rights.New(rights.Config{
		Store: a.store, Directory: a.directory, Erasers: erasers(a.store), Exporters: exporters(a.store),
		Keep: func(ctx context.Context, shard int, env inbox.Envelope) error { return a.inbox.KeepIn(ctx, shard, env) },
	})
}

// retain has what was kept long enough erased every night, at midnight UTC.
func (a *App) retain(c config.Retention) {
	const day = 24 * time.Hour
	a.jobs.System("retention", scheduler.Every(day), func(ctx context.Context) error {
		now, err := a.store.Now(ctx)
		if err != nil {
			return fmt.Errorf("sweep: %w", err)
		}
		return rights.Sweep(ctx, a.store, now.Add(-time.Duration(c.MessagesDays)*day))
	})
}

// link is where a message is found on the web.
func (a *App) link(at chat.Address, message string) string {
	l, ok := a.adapters[at.Platform].(chat.Linker)
	if !ok {
		return ""
	}
	return l.Link(at, message)
}

// erasers remove what domains keep of people in partitions of their own.
func erasers(s *storage.Store) []person.Eraser {
	return []person.Eraser{Jobs(s), skillEraser(s), person.RoleEraser{Store: s}}
}

// shardErasers remove what domains keep of people in shards.
func shardErasers(s *storage.Store) []person.ShardEraser {
	return []person.ShardEraser{learning.Eraser{Store: s}, lane.RanEraser{Store: s}}
}

// ForgetAgain erases what a restored backup brought back of people who were
// forgotten since, and returns how many these are.
func ForgetAgain(ctx context.Context, s *storage.Store, restored storage.Report) (int, error) {
	return rights.Again(ctx, s, restored, erasers(s), shardErasers(s))
}
