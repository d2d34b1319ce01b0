package app

import (
	"context"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/gateway/inbox"
	"talaria/gateway/rights"
	"talaria/storage"
)

// rights carry out what people demand about what is kept of them.
func (a *App) rights() *rights.Rights {
	return rights.New(rights.Config{
		Store: a.store, Directory: a.directory, Erasers: erasers(a.store),
		Keep: func(ctx context.Context, shard int, env inbox.Envelope) error { return a.inbox.KeepIn(ctx, shard, env) },
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
func erasers(s *storage.Store) []person.Eraser { return []person.Eraser{Jobs(s)} }

// shardErasers remove what domains keep of people in shards.
func shardErasers(s *storage.Store) []person.ShardEraser {
	return []person.ShardEraser{traces{s}}
}

// traces are what learning reads.
type traces struct{ store *storage.Store }

// EraseShard implements person.ShardEraser: a task that the person took part in
// is gone as a whole.
func (t traces) EraseShard(ctx context.Context, shard int, who person.Subject) error {
	_, err := trace.Forget(ctx, t.store, storage.Shard(shard), func(task trace.Task) bool {
		for _, turn := range task.Turns {
			if who.Is(turn.Who) {
				return true
			}
		}
		return false
	})
	return err
}

// ForgetAgain erases what a restored backup brought back of people who were
// forgotten since, and returns how many these are.
func ForgetAgain(ctx context.Context, s *storage.Store, restored storage.Report) (int, error) {
	return rights.Again(ctx, s, restored, erasers(s), shardErasers(s))
}
