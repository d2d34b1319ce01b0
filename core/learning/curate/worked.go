package curate

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"talaria/core/learning"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/trace"
	"talaria/storage"
)

// home is what upkeep keeps that belongs to no scope.
var home = storage.System("curate")

// worked are the scopes in which somebody worked: their cards are looked after
// even where there is no skill.
const worked = "scope"

// Worked calls yield for every scope in which somebody worked.
func Worked(ctx context.Context, s *storage.Store, yield func(skill.Scope) error) error {
	for d, err := range storage.All[skill.Scope](ctx, s, home, worked, "") {
		if err != nil {
			return fmt.Errorf("list where work was done: %w", err)
		}
		if err := yield(d.Value); err != nil {
			return err
		}
	}
	return nil
}

// People says who somebody is now, with the rights of now; the members of a
// space have some without a role of their own.
type People interface {
	Renew(ctx context.Context, p person.Principal) (person.Principal, error)
}

// Watch is a learning.Listener that notes where work was done, and hears it
// when somebody says that their preferences have changed.
type Watch struct {
	Store    *storage.Store
	People   People
	Switches Switches
	Next     learning.Listener // told afterwards

	known sync.Map // scopes that were noted by this process
}

var _ learning.Listener = (*Watch)(nil)

// Task implements learning.Listener.
func (w *Watch) Task(ctx context.Context, n learning.Notice) error {
	t, err := trace.Get(ctx, w.Store, person.ShardOf(n.Place), n.Task)
	if err == nil {
		err = w.heard(ctx, t.Value)
	}
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return fmt.Errorf("listen for changed preferences: %w", err)
	}
	return w.Next.Task(ctx, n)
}

func (w *Watch) heard(ctx context.Context, t trace.Task) error {
	if t.Start == trace.Scheduled {
		return nil // a job's words are nobody's
	}
	who, err := w.People.Renew(ctx, person.Principal{Identity: t.Asker, Place: t.Place, Direct: t.Direct})
	if err != nil || !person.AtLeast(who.Role, person.Member) {
		return err
	}
	here := skill.Here(who)
	if _, known := w.known.Load(here); !known {
		if _, err := w.Store.Commit(ctx, storage.On(home).Put(worked, here.String(), here, storage.Any)); err != nil {
			return err
		}
		w.known.Store(here, true)
	}
	for _, turn := range t.Turns {
		if turn.Who != t.Person {
			continue
		}
		if err := w.Switches.Said(ctx, who, t.ID, turn); err != nil {
			return err
		}
	}
	return nil
}

// WorkedEraser forgets where a person worked. It is a person.ShardEraser besides
// Eraser, although it is in no shard: a Watch that has read a task just before
// its shard was cleared notes it once more, and only what clears the shard runs
// again after that.
type WorkedEraser struct{ Store *storage.Store }

var _ person.ShardEraser = WorkedEraser{}

// EraseShard implements person.ShardEraser.
func (e WorkedEraser) EraseShard(ctx context.Context, _ int, who person.Subject) error {
	var refs []storage.Ref
	for _, id := range who.People {
		refs = append(refs, storage.Ref{Collection: worked, Key: skill.OfPerson(id).String()})
	}
	docs, err := storage.GetAll[skill.Scope](ctx, e.Store, home, refs...)
	if err == nil && len(docs) > 0 {
		b := storage.On(home)
		for _, d := range docs {
			b.Delete(worked, d.Key, storage.Any)
		}
		_, err = e.Store.Commit(ctx, b)
	}
	if err != nil {
		return fmt.Errorf("forget where a person worked: %w", err)
	}
	return nil
}
