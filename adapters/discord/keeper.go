package discord

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"talaria/core/chat"
)

// handling bounds the calls to the Handler that run side by side. It is large
// enough for a store to write many events at once.
const handling = 64

// keeper hands events to the Handler.
type keeper struct {
	h     chat.Handler
	slots chan struct{}
	pause func(attempt int) time.Duration
	log   *slog.Logger
}

func newKeeper(h chat.Handler, pause func(int) time.Duration, log *slog.Logger) *keeper {
	return &keeper{h: h, slots: make(chan struct{}, handling), pause: pause, log: log}
}

// insist hands e over until it is kept or ctx ends. Meanwhile it holds up its
// own channel alone, and is not confirmed.
func (k *keeper) insist(ctx context.Context, e chat.Event) error {
	return insist(ctx, k.pause, func(attempt int) error {
		err := k.once(ctx, e)
		if err != nil && ctx.Err() == nil && (attempt == 1 || attempt%10 == 0) {
			k.log.Error("event not kept, trying again", "platform", Platform, "key", e.Key(), "attempt", attempt, "err", err)
		}
		return err
	})
}

func (k *keeper) once(ctx context.Context, e chat.Event) error {
	select {
	case k.slots <- struct{}{}:
		defer func() { <-k.slots }()
		return k.h.Handle(ctx, e)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// insist does step until it succeeds or ctx ends.
func insist(ctx context.Context, pause func(int) time.Duration, step func(attempt int) error) error {
	for attempt := 1; ; attempt++ {
		err := step(attempt)
		if err == nil {
			return nil
		}
		if !wait(ctx, pause(attempt)) {
			return ctx.Err()
		}
	}
}

const (
	firstPause = 200 * time.Millisecond
	lastPause  = 30 * time.Second
)

// backoff grows from firstPause to lastPause, with jitter.
func backoff(attempt int) time.Duration {
	d := firstPause << min(attempt-1, 8)
	d = min(d, lastPause)
	return d/2 + rand.N(d/2)
}

// wait reports false if ctx ends first.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
