package telegram

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

// parkAfter is the attempts after which an event that can't be kept is parked:
// about three seconds. It must not be lost, and must not hold up the rest.
const parkAfter = 5

// keeper hands events to the Handler.
type keeper struct {
	h      chat.Handler
	slots  chan struct{}
	pause  func(attempt int) time.Duration
	parked *parking
	log    *slog.Logger
}

func newKeeper(h chat.Handler, parked *parking, log *slog.Logger) *keeper {
	return &keeper{h: h, slots: make(chan struct{}, handling), pause: backoff, parked: parked, log: log}
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

// insist hands e over until it is kept or parked, or ctx ends. Parking fails
// while the store is down, so that nothing is parked for that alone.
func (k *keeper) insist(ctx context.Context, e chat.Event) error {
	for attempt := 1; ; attempt++ {
		err := k.once(ctx, e)
		if err == nil || ctx.Err() != nil {
			return err
		}
		if attempt == 1 || attempt%10 == 0 {
			k.log.Error("event not kept, trying again", "platform", Platform, "key", e.Key(), "attempt", attempt, "err", err)
		}
		if attempt >= parkAfter && k.parked.add(ctx, e) == nil {
			k.log.Error("event parked", "platform", Platform, "key", e.Key())
			return nil
		}
		if !wait(ctx, k.pause(attempt)) {
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
