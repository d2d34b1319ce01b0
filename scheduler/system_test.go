package scheduler_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"talaria/scheduler"
)

func TestNightlyWorkIsDoneByOneReplicaForEachSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		var slots, together, most atomic.Int64
		work := func(ctx context.Context) error {
			slots.Add(1)
			most.Store(max(most.Load(), together.Add(1)))
			defer together.Add(-1)
			time.Sleep(2 * time.Minute) // longer than the lease, which is renewed
			return ctx.Err()
		}
		together3(t, w, 2*time.Hour+30*time.Minute, func(s *scheduler.Scheduler) {
			s.System("curate", scheduler.Every(time.Hour), work)
		})
		if n := slots.Load(); n != 2 || most.Load() != 1 {
			t.Errorf("done %d times in two hours, up to %d at a time", n, most.Load())
		}
	})
}

// together3 runs three replicas for a while.
func together3(t *testing.T, w *world, d time.Duration, prepare func(*scheduler.Scheduler)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b", "c"} {
		s := w.replica(name)
		prepare(s)
		wg.Go(func() { s.Run(ctx) })
	}
	time.Sleep(d)
	cancel()
	wg.Wait()
}

func TestNightlyWorkThatFailsIsTriedThreeTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		var tries atomic.Int64
		together3(t, w, 100*time.Minute, func(s *scheduler.Scheduler) {
			s.System("review", scheduler.Every(time.Hour), func(context.Context) error {
				if tries.Add(1) == 2 {
					panic("a fault of its own")
				}
				return errors.New("no luck")
			})
		})
		if n := tries.Load(); n != 3 {
			t.Errorf("tried %d times", n)
		}
	})
}

func TestNightlyWorkWhoseReplicaDiedIsBegunAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		var begun, ended atomic.Int64
		work := func(ctx context.Context) error {
			begun.Add(1)
			select {
			case <-time.After(5 * time.Minute):
				ended.Add(1)
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		first := w.replica("a")
		first.System("backup", scheduler.Every(time.Hour), work)
		run(t, first, time.Hour+time.Minute) // ended in the midst of it
		second := w.replica("b")
		second.System("backup", scheduler.Every(time.Hour), work)
		run(t, second, 30*time.Minute)
		if begun.Load() != 2 || ended.Load() != 1 {
			t.Errorf("begun %d times, ended %d times", begun.Load(), ended.Load())
		}
	})
}
