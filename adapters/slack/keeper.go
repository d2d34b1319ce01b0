package slack

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
	h      chat.Handler
	slots  chan struct{}
	pause  func(attempt int) time.Duration
	budget time.Duration // how long an event may hold up its channel
	log    *slog.Logger
}

func newKeeper(h chat.Handler, t timing, log *slog.Logger) *keeper {
	return &keeper{h: h, slots: make(chan struct{}, handling), pause: t.pause, budget: t.budget, log: log}
}

// once hands e over a single time.
func (k *keeper) once(ctx context.Context, e chat.Event) error {
	select {
	case k.slots <- struct{}{}:
		defer func() { <-k.slots }()
		return k.h.Handle(ctx, e)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// insist hands e over until it is kept, the budget is used up or ctx ends. What
// is not kept then stays unacknowledged, and Slack brings it again.
func (k *keeper) insist(ctx context.Context, e chat.Event) error {
	until := time.Now().Add(k.budget)
	for attempt := 1; ; attempt++ {
		err := k.once(ctx, e)
		if err == nil || ctx.Err() != nil {
			return err
		}
		pause := k.pause(attempt)
		if time.Now().Add(pause).After(until) {
			k.log.Error("event not kept; Slack will bring it again", "platform", Platform, "key", e.Key(), "attempt", attempt, "err", err)
			return err
		}
		if !wait(ctx, pause) {
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
