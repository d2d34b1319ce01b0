package inbound

import (
	"context"
	"log/slog"
	"time"

	"talaria/adapters/retry"
	"talaria/core/chat"
	"talaria/core/sleep"
)

// handling bounds the calls to the Handler that run side by side. It is large
// enough for a store to write many events at once.
const handling = 64

// Keeper hands events to the Handler. An event may be acknowledged to its
// platform once Once or Insist has returned nil for it, and not before.
type Keeper struct {
	// Budget bounds how long Insist holds an event up, on a platform that brings
	// again what is not acknowledged in time; zero: for ever.
	Budget time.Duration
	// Aside may put away an event that could not be kept for so many attempts;
	// it reports whether the event is safe. Nil where there is no place for it.
	Aside func(ctx context.Context, e chat.Event, attempt int) bool

	platform string
	handler  chat.Handler
	slots    chan struct{}
	pause    retry.Pause
	log      *slog.Logger
}

// NewKeeper returns a Keeper that insists for ever.
func NewKeeper(platform string, h chat.Handler, pause retry.Pause, log *slog.Logger) *Keeper {
	return &Keeper{platform: platform, handler: h, slots: make(chan struct{}, handling), pause: pause, log: log}
}

// Once hands e over a single time.
func (k *Keeper) Once(ctx context.Context, e chat.Event) error {
	select {
	case k.slots <- struct{}{}:
		defer func() { <-k.slots }()
		return k.handler.Handle(ctx, e)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Insist hands e over until it is kept or put aside, the budget is used up or
// ctx ends. Meanwhile it holds up its own chat alone. What it returns an error
// for must stay unacknowledged, and comes again.
func (k *Keeper) Insist(ctx context.Context, e chat.Event) error {
	begun := time.Now()
	for attempt := 1; ; attempt++ {
		err := k.Once(ctx, e)
		if err == nil || ctx.Err() != nil {
			return err
		}
		pause := k.pause(attempt)
		log := k.log.With("platform", k.platform, "key", e.Key(), "attempt", attempt)
		switch {
		case k.Budget > 0 && time.Since(begun)+pause > k.Budget:
			log.Error("event not kept; it will come again", "err", err)
			return err
		case attempt == 1 || attempt%10 == 0:
			log.Error("event not kept, trying again", "err", err)
		}
		if k.Aside != nil && k.Aside(ctx, e, attempt) {
			log.Error("event put aside, to be kept later")
			return nil
		}
		if !sleep.For(ctx, pause) {
			return ctx.Err()
		}
	}
}

// Await takes one event that was posted, and returns nil once it may be
// answered that it was: take calls done exactly once.
func Await(ctx context.Context, take func(done func(error))) error {
	kept := make(chan error, 1)
	take(func(err error) { kept <- err })
	select {
	case err := <-kept:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
