package trace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

const (
	tasks  = "trace"        // documents of Task in a shard, by id
	placed = "trace.answer" // documents: which task a message of the bot's belongs to
)

// Get returns a task, or storage.ErrNotFound.
func Get(ctx context.Context, s *storage.Store, p storage.Partition, id string) (storage.Doc[Task], error) {
	d, err := storage.Get[Task](ctx, s, p, tasks, id)
	if err != nil {
		return d, fmt.Errorf("read trace %s: %w", id, err)
	}
	return d, nil
}

// Put adds to b that a task is kept: for a time, or without an end while
// something cites it.
func Put(b *storage.Batch, t Task, expect storage.Revision, keep time.Duration) {
	if len(t.Cited) > 0 {
		b.Put(tasks, t.ID, t, expect)
		return
	}
	b.PutFor(tasks, t.ID, t, expect, keep)
}

// page is how many documents are read at once.
const page = 50

// Each calls yield for every task of a shard, the oldest first.
func Each(ctx context.Context, s *storage.Store, p storage.Partition, yield func(Task) error) error {
	return Since(ctx, s, p, time.Time{}, yield)
}

// Since is Each of the tasks that were begun at a time or later.
func Since(ctx context.Context, s *storage.Store, p storage.Partition, at time.Time, yield func(Task) error) error {
	after := ""
	if !at.IsZero() {
		after = at.UTC().Format(idTime)
	}
	for d, err := range storage.All[Task](ctx, s, p, tasks, after) {
		if err != nil {
			return fmt.Errorf("list traces: %w", err)
		}
		if err := yield(d.Value); err != nil {
			return err
		}
	}
	return nil
}

// Cite keeps a task for as long as something is derived from it. by names that,
// such as "skill:deploy-notes@1f3a".
func Cite(ctx context.Context, s *storage.Store, p storage.Partition, id, by string) error {
	return change(ctx, s, p, id, 0, func(t *Task) {
		if !slices.Contains(t.Cited, by) {
			t.Cited = append(t.Cited, by)
		}
	})
}

// Uncite ends a citation. A task that nothing cites any more is kept for as
// long as a new one.
func Uncite(ctx context.Context, s *storage.Store, p storage.Partition, id, by string, keep time.Duration) error {
	return change(ctx, s, p, id, keep, func(t *Task) {
		t.Cited = slices.DeleteFunc(t.Cited, func(c string) bool { return c == by })
	})
}

func change(ctx context.Context, s *storage.Store, p storage.Partition, id string, keep time.Duration, edit func(*Task)) error {
	for {
		d, err := Get(ctx, s, p, id)
		if err != nil {
			return err
		}
		edit(&d.Value)
		b := storage.On(p)
		Put(b, d.Value, d.Revision, keep)
		if _, err = s.Commit(ctx, b); !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}

// Answer names the task and turn that a message of the bot's answers.
type Answer struct {
	Task string `json:"task"`
	Turn string `json:"turn"`
}

// PutAnswer adds to b which turn a message at the place answers, for as long as
// a reaction to it may come.
func PutAnswer(b *storage.Batch, place chat.Address, message string, a Answer, keep time.Duration) {
	b.PutFor(placed, place.Place().String()+" "+message, a, storage.Any, keep)
}

// FindAnswer returns what a message answers, or storage.ErrNotFound.
func FindAnswer(ctx context.Context, s *storage.Store, place chat.Address, message string) (Answer, error) {
	d, err := storage.Get[Answer](ctx, s, person.ShardOf(place), placed, place.Place().String()+" "+message)
	return d.Value, err
}

// Forget removes for good the tasks of a shard that drop names, and first what
// says which messages answered them.
func Forget(ctx context.Context, s *storage.Store, p storage.Partition, drop func(Task) bool) (int, error) {
	gone := map[string]bool{}
	err := Each(ctx, s, p, func(t Task) error {
		if drop(t) {
			gone[t.ID] = true
		}
		return nil
	})
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	if err := forgetAnswers(ctx, s, p, gone); err != nil {
		return 0, err
	}
	for id := range gone {
		if _, err := s.Commit(ctx, storage.On(p).Delete(tasks, id, storage.Any)); err != nil {
			return 0, err
		}
	}
	return len(gone), nil
}

func forgetAnswers(ctx context.Context, s *storage.Store, p storage.Partition, gone map[string]bool) error {
	for after := ""; ; {
		docs, err := storage.List[Answer](ctx, s, p, placed, after, page)
		if err != nil {
			return fmt.Errorf("list what messages answer: %w", err)
		}
		b := storage.On(p)
		for _, d := range docs {
			if after = d.Key; gone[d.Value.Task] {
				b.Delete(placed, d.Key, storage.Any)
			}
		}
		if _, err := s.Commit(ctx, b); err != nil {
			return err
		}
		if len(docs) < page {
			return nil
		}
	}
}

// Handover is one entry that waits to be observed.
type Handover = storage.LogEntry[Raw]

// Waiting returns up to limit hand-overs of a shard, in order.
func Waiting(ctx context.Context, s *storage.Store, p storage.Partition, limit int) ([]Handover, error) {
	entries, err := storage.ReadLog[Raw](ctx, s, p, handovers, 0, limit)
	if err != nil {
		return nil, fmt.Errorf("read what is to be observed: %w", err)
	}
	return entries, nil
}

// Taken adds to b that a hand-over and those before it were taken.
func Taken(b *storage.Batch, h Handover) { b.Trim(handovers, h.Offset+1) }

// DropWaiting adds to b that nothing waits to be observed in a shard any more.
func DropWaiting(b *storage.Batch) { b.Trim(handovers, 0) }
