package scheduler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"talaria/storage"
)

const (
	// nap is the longest time between two looks at the timers, for words of
	// new ones that got lost.
	nap = 10 * time.Second
	// claimFor is how long a replica that claimed a timer has it for itself.
	claimFor = 30 * time.Second
	// hands is how many timers one replica works on at a time.
	hands = 8
	// page is how many due timers of a bucket are taken at once.
	page = 128
	// setAside is how long a timer that can't be worked on is left alone.
	setAside = time.Hour
)

// Run fires what is due until ctx ends, and waits for what is being fired.
// Every replica runs it.
func (s *Scheduler) Run(ctx context.Context) {
	var tasks sync.WaitGroup
	defer tasks.Wait()
	for _, t := range s.tasks {
		tasks.Go(func() { t.run(ctx, s) })
	}
	wakes, err := s.cfg.Store.Subscribe(ctx, wake)
	if err != nil {
		s.cfg.Log.Warn("no word of new timers from other replicas; looking every few seconds instead", "err", err)
	}
	for ctx.Err() == nil {
		wait, err := s.round(ctx)
		if err != nil && ctx.Err() == nil {
			s.cfg.Log.Warn("timers not read", "err", err)
			wait = time.Second
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-s.woken:
		case _, open := <-wakes:
			if !open {
				wakes = nil
			}
		}
		timer.Stop()
	}
}

// soon is how long to wait where there was something to do, or another replica
// has it.
const soon = 100 * time.Millisecond

// round fires what is due and returns how long nothing will be.
func (s *Scheduler) round(ctx context.Context) (time.Duration, error) {
	now, err := s.cfg.Store.Now(ctx)
	if err != nil {
		return 0, err
	}
	due, wait, err := s.due(ctx, now)
	if err != nil {
		return 0, err
	}
	if len(due) > 0 {
		s.work(ctx, due, now)
		wait = soon
	}
	return wait, nil
}

// claimable is a due timer with the bucket that it lies in.
type claimable struct {
	at storage.Partition
	storage.Timer
}

// due lists what is due, in an order of its own, so that replicas that look at
// the same time seldom reach for the same timer; and for how long nothing else
// will be, at most a nap.
func (s *Scheduler) due(ctx context.Context, now time.Time) (all []claimable, wait time.Duration, err error) {
	wait = nap
	for n := range buckets {
		next, err := s.cfg.Store.NextDue(ctx, bucket(n))
		if errors.Is(err, storage.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, 0, fmt.Errorf("look for the next timer: %w", err)
		}
		wait = min(wait, max(next.Sub(now), soon))
		if next.After(now) {
			continue
		}
		timers, err := s.cfg.Store.Due(ctx, bucket(n), now, page)
		if err != nil {
			return nil, 0, fmt.Errorf("list due timers: %w", err)
		}
		for _, t := range timers {
			all = append(all, claimable{bucket(n), t})
		}
	}
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all, wait, nil
}

// work deals with timers, some at a time.
func (s *Scheduler) work(ctx context.Context, due []claimable, now time.Time) {
	next := make(chan claimable)
	var wg sync.WaitGroup
	for range min(hands, len(due)) {
		wg.Go(func() {
			for t := range next {
				s.serve(ctx, t, now)
			}
		})
	}
	for _, t := range due {
		next <- t
	}
	close(next)
	wg.Wait()
}

// serve claims a timer and does what it is for. Whatever is wrong with one
// timer is its own affair.
func (s *Scheduler) serve(ctx context.Context, t claimable, now time.Time) {
	defer func() {
		if p := recover(); p != nil {
			s.cfg.Log.Error("timer set aside: it broke its job's work off", "timer", t.ID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			s.postpone(ctx, t, now)
		}
	}()
	res, err := s.cfg.Store.Commit(ctx, storage.On(t.at).ClaimTimer(t.ID, t.Due, claimFor))
	if err != nil || res[0].Known {
		return // another replica's, or tried again soon
	}
	e, err := readErrand(t.Timer)
	if err == nil {
		err = s.run(ctx, t, e, now)
	}
	switch {
	case err == nil, ctx.Err() != nil:
	case errors.Is(err, storage.ErrCorrupt), errors.Is(err, storage.ErrInvalid):
		s.cfg.Log.Error("timer set aside; run 'talaria store check'", "timer", t.ID, "err", err)
		s.postpone(ctx, t, now)
	default:
		s.cfg.Log.Warn("timer is tried again", "timer", t.ID, "err", err)
	}
}

func (s *Scheduler) run(ctx context.Context, t claimable, e errand, now time.Time) error {
	switch e.Kind {
	case slotTimer:
		return s.fire(ctx, t, e, now)
	case runTimer:
		return s.fireNow(ctx, t, e, now)
	case lookTimer:
		return s.look(ctx, t, e, now)
	}
	return fmt.Errorf("timer for %q: %w", e.Kind, storage.ErrInvalid)
}

// postpone puts a timer off that can't be worked on now, so that it neither
// holds up others nor is lost.
func (s *Scheduler) postpone(ctx context.Context, t claimable, now time.Time) {
	if _, err := s.cfg.Store.Commit(ctx, storage.On(t.at).SettleTimer(t.ID, t.Due, now.Add(setAside))); err != nil && ctx.Err() == nil {
		s.cfg.Log.Warn("timer not put off", "timer", t.ID, "err", err)
	}
}
