package app

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// Run takes messages until ctx ends or the terminal's chat is over, then
// drains: nothing new is taken, running turns finish, and what is queued stays
// for the next start. An adapter that can't go on is told and leaves the
// others running.
func (a *App) Run(ctx context.Context) error {
	work, done := context.WithCancel(context.WithoutCancel(ctx))
	defer done()
	var background sync.WaitGroup
	background.Go(func() { a.meter.Run(work) })
	background.Go(func() { a.recorder.Run(work) })
	if a.vectors != nil {
		background.Go(func() { a.vectors.Run(work) })
	}
	firing, still := context.WithCancel(work)
	background.Go(func() {
		a.configured(firing, a.o.Config.Scheduler)
		a.jobs.Run(firing)
	})
	for without, run := range map[string]func(context.Context) error{
		"changes of people are seen late":                   a.directory.Run,
		"what an admin stops elsewhere is not stopped here": a.lanes.Run,
		"changes of skills are seen late":                   a.library.Run,
	} {
		background.Go(func() {
			if err := run(work); err != nil && work.Err() == nil {
				a.log.Warn(without, "err", err)
			}
		})
	}
	drained := make(chan error, 1)
	draining, drain := context.WithCancelCause(work)
	go func() { drained <- a.shards.Run(draining, a.lanes, drainTime) }()

	var failed error
	select {
	case <-a.shards.Assigned():
		failed = a.receive(ctx)
	case <-ctx.Done():
	}
	still()
	drain(a.damage.since(time.Time{}))
	err := errors.Join(failed, <-drained)
	a.outbox.Wait()
	a.agent.Wait()
	done()
	background.Wait()
	return err
}

// receive runs the adapters until ctx ends, until the terminal's chat is over
// where there is one, or until none is left that can go on. That is an error,
// and so is what ended the terminal's chat.
func (a *App) receive(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	for _, ad := range a.adapters {
		wg.Go(func() {
			r := receiver{adapter: ad, store: a.store, replica: a.replica, log: a.log}
			err := r.run(ctx, a.handler())
			if err != nil && ctx.Err() == nil {
				a.log.Error("platform stopped", "platform", ad.Platform(), "err", err)
				a.stopped.add(fmt.Errorf("%s: %w", ad.Platform(), err))
			}
			if ad.Platform() == consolePlatform || a.stopped.len() == len(a.adapters) {
				stop()
			}
		})
	}
	a.log.Info("ready", "replica", a.replica, "platforms", strings.Join(a.Connected(), ", "))
	if a.o.Ready != nil {
		a.o.Ready()
	}
	// Starting took more memory than waiting does, and it may be long until
	// something calls for a collection.
	debug.FreeOSMemory()
	wg.Wait()
	if len(a.adapters) > 0 && a.stopped.len() == len(a.adapters) {
		return a.stopped.join()
	}
	<-ctx.Done()
	return nil
}

// errorList gathers errors from several goroutines.
type errorList struct {
	mu   sync.Mutex
	errs []error
}

func (l *errorList) add(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errs = append(l.errs, err)
}

func (l *errorList) len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.errs)
}

func (l *errorList) join() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.errs...)
}

// consolePlatform is the adapter whose end is the end of the program.
const consolePlatform = "console"

// idle waits until everything taken so far is answered and the answers are
// out, or until it is clear that a damaged store keeps them. Only a console
// waits for that.
func (a *App) idle(ctx context.Context) error {
	return a.damage.unless(ctx, func() bool { return a.shards.Idle() && a.lanes.Idle() && a.outbox.Idle() })
}
