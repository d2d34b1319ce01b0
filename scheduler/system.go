package scheduler

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"talaria/core/sleep"
	"talaria/storage"
)

// Calendar says when a task is due: a when.Schedule, or Every.
type Calendar interface {
	// Next returns the first time after the given one; false where there is none.
	Next(after time.Time) (time.Time, bool)
}

// Every is due at whole multiples of itself since 1970, the same in all replicas.
type Every time.Duration

// Next implements Calendar.
func (e Every) Next(after time.Time) (time.Time, bool) {
	if e <= 0 {
		return time.Time{}, false
	}
	return after.Truncate(time.Duration(e)).Add(time.Duration(e)).UTC(), true
}

const (
	taskTTL   = 30 * time.Second
	taskRenew = 10 * time.Second
	taskLook  = 20 * time.Second // the longest time between two looks at a task's state
	// taskTries is how often a slot is tried: once more where its replica died
	// or it failed, and once for good measure.
	taskTries = 3
)

// task is a piece of the program's own work.
type task struct {
	name string
	when Calendar
	do   func(ctx context.Context) error
}

// progress is how far a task has come, in its partition.
type progress struct {
	Slot  time.Time `json:"slot"` // the latest that was begun
	Tries int       `json:"tries"`
	Done  bool      `json:"done"`
	Ended time.Time `json:"ended,omitzero"`
	Error string    `json:"error,omitempty"`
}

// System adds a piece of the program's own work, before Run. For each slot one
// replica does it, under a lease; its context ends when the lease is lost.
// A slot that was missed is made up for once. Work that failed, or whose
// replica died, is begun again, up to three times a slot, so it has to bear
// that; an error ends the try and is logged. The name is stable: what was done
// is remembered under it.
func (s *Scheduler) System(name string, c Calendar, do func(ctx context.Context) error) {
	s.tasks = append(s.tasks, &task{name, c, do})
}

// run does the task's slots until ctx ends.
func (t *task) run(ctx context.Context, s *Scheduler) {
	for ctx.Err() == nil {
		wait, err := t.look(ctx, s)
		if err != nil && ctx.Err() == nil {
			s.cfg.Log.Warn("nightly work can't be looked after", "task", t.name, "err", err)
			wait = taskLook
		}
		sleep.For(ctx, wait)
	}
}

func (t *task) partition() storage.Partition { return storage.System("task/" + t.name) }

// look does what is due and returns for how long nothing will be.
func (t *task) look(ctx context.Context, s *Scheduler) (time.Duration, error) {
	now, err := s.cfg.Store.Now(ctx)
	if err != nil {
		return 0, err
	}
	p, _, err := t.progress(ctx, s)
	if err != nil {
		return 0, err
	}
	slot, wait := t.due(p, now)
	if slot.IsZero() {
		return wait, nil
	}
	fence, err := s.cfg.Store.Acquire(ctx, t.partition(), s.cfg.Replica, taskTTL)
	if errors.Is(err, storage.ErrHeld) {
		return taskLook, nil // another replica is at it; should it die, the next look sees
	}
	if err != nil {
		return 0, err
	}
	err = t.under(ctx, s, fence, now)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	return taskLook, errors.Join(err, s.cfg.Store.Release(last, fence))
}

// due is the latest slot that is to be done at now; zero, with how long to
// wait, where there is none. A task that was never done begins with its next
// slot.
func (t *task) due(p progress, now time.Time) (time.Time, time.Duration) {
	if !p.Slot.IsZero() && !p.Done && p.Tries < taskTries {
		return p.Slot, 0
	}
	from := p.Slot
	slot := time.Time{}
	for {
		next, ok := t.when.Next(from)
		if !ok {
			return slot, taskLook
		}
		if next.After(now) {
			return slot, min(next.Sub(now), taskLook)
		}
		slot, from = next, next
	}
}

// progress reads how far the task has come. The first look at a task notes
// the time, so that no slot before it counts.
func (t *task) progress(ctx context.Context, s *Scheduler) (progress, storage.Revision, error) {
	d, err := storage.Get[progress](ctx, s.cfg.Store, t.partition(), "task", self)
	if !errors.Is(err, storage.ErrNotFound) {
		return d.Value, d.Revision, err
	}
	now, err := s.cfg.Store.Now(ctx)
	if err != nil {
		return progress{}, 0, err
	}
	p := progress{Slot: now, Done: true}
	_, err = s.cfg.Store.Commit(ctx, storage.On(t.partition()).Put("task", self, p, storage.Absent))
	if errors.Is(err, storage.ErrConflict) {
		return t.progress(ctx, s)
	}
	return p, 1, err
}

// under does what is due while the lease is held.
func (t *task) under(ctx context.Context, s *Scheduler, f storage.Fence, now time.Time) error {
	p, _, err := t.progress(ctx, s) // again, now that nobody else writes it
	if err != nil {
		return err
	}
	slot, _ := t.due(p, now)
	if slot.IsZero() {
		return nil
	}
	if !p.Slot.Equal(slot) {
		p = progress{Slot: slot}
	}
	p.Tries++
	if err := t.note(ctx, s, f, p); err != nil {
		return err
	}
	err = t.held(ctx, s, f)
	if ctx.Err() != nil {
		return nil // the program ends; another replica, or the next start, begins anew
	}
	p.Done, p.Error = err == nil, ""
	if err != nil {
		p.Error = err.Error()
		s.cfg.Log.Error("nightly work failed", "task", t.name, "try", p.Tries, "err", err)
	}
	if p.Ended, err = s.cfg.Store.Now(ctx); err != nil {
		return err
	}
	return t.note(ctx, s, f, p)
}

func (t *task) note(ctx context.Context, s *Scheduler, f storage.Fence, p progress) error {
	_, err := s.cfg.Store.Commit(ctx, storage.Under(f).Durable().Put("task", self, p, storage.Any))
	if err != nil {
		return fmt.Errorf("note how far %s has come: %w", t.name, err)
	}
	return nil
}

// held does the work, with the lease renewed meanwhile. A lease that is lost,
// or was not renewed in time, ends the work's context.
func (t *task) held(ctx context.Context, s *Scheduler, f storage.Fence) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		defer cancel()
		for last := time.Now(); sleep.For(ctx, taskRenew); {
			asked := time.Now()
			err := s.cfg.Store.Renew(ctx, f, taskTTL)
			if err == nil {
				last = asked
			} else if errors.Is(err, storage.ErrFenced) || time.Since(last) > taskTTL-taskRenew {
				return
			}
		}
	}()
	defer func() {
		cancel()
		<-renewed
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return t.do(ctx)
}
