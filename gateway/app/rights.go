package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/curate"
	"talaria/core/learning/reflect"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/gateway/config"
	"talaria/gateway/home"
	"talaria/gateway/inbox"
	"talaria/gateway/lane"
	"talaria/gateway/rights"
	"talaria/gateway/skills"
	"talaria/scheduler"
	"talaria/storage"
)

// rights carry out what people demand about what is kept of them.
func (a *App) rights() *rights.Rights {
	return rights.New(rights.Config{
		Store: a.store, Directory: a.directory, Exporters: exporters(a.store),
		Erasers: append(erasers(a.store, a.copies()), consoleEraser{a.o.Config.Storage.Local()}),
		Keep:    func(ctx context.Context, shard int, env inbox.Envelope) error { return a.inbox.KeepIn(ctx, shard, env) },
	})
}

// forgetting has people forgotten, and their pages emptied.
type forgetting struct {
	command.Rights
	directory *person.Directory
	home      *home.Home
}

// Forget implements command.Rights.
func (f forgetting) Forget(ctx context.Context, who person.Principal, request string) error {
	links, err := f.directory.Links(ctx, who)
	if err != nil {
		return err
	}
	if err := f.Rights.Forget(ctx, who, request); err != nil {
		return err
	}
	accounts := []chat.Identity{who.Identity}
	for _, l := range links {
		accounts = append(append(accounts, l.With), l.Identities...)
	}
	slices.SortFunc(accounts, func(a, b chat.Identity) int { return strings.Compare(a.String(), b.String()) })
	f.home.Forgotten(ctx, slices.Compact(accounts))
	return nil
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

// erasers remove what domains keep of people in partitions of their own.
func erasers(s *storage.Store, copies reflect.Copies) []person.Eraser {
	return []person.Eraser{
		Jobs(s), skillEraser(s), skills.CardEraser{Store: s}, person.RoleEraser{Store: s}, reflect.Eraser{Store: s, Copies: copies},
	}
}

// shardErasers remove what domains keep of people in shards. Reports are before
// the traces by which they are found.
func shardErasers(s *storage.Store, copies reflect.Copies) []person.ShardEraser {
	return []person.ShardEraser{
		rights.ExportEraser{Store: s}, reflect.Eraser{Store: s, Copies: copies}, learning.Eraser{Store: s}, lane.RanEraser{Store: s},
		curate.WorkedEraser{Store: s},
	}
}

// copies are the reports of reviews in a folder of this machine.
func (a *App) copies() reflect.Copies {
	c := a.o.Config.Learning.ReflectionLog
	return reflect.Copies{Path: c.Path, Keep: time.Duration(c.RetentionDays) * 24 * time.Hour}
}

// ForgetAgain erases what a restored backup brought back of people who were
// forgotten since, and returns how many these are.
func ForgetAgain(ctx context.Context, s *storage.Store, restored storage.Report) (int, error) {
	none := reflect.Copies{} // a restore brings back none
	return rights.Again(ctx, s, restored, erasers(s, none), shardErasers(s, none))
}
