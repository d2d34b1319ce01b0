package retry

import (
	"context"
	"math/rand/v2"
	"time"

	"talaria/core/sleep"
)

const (
	firstPause = 200 * time.Millisecond
	lastPause  = 30 * time.Second
)

// Pause is how long to wait after an attempt, counted from 1.
type Pause func(attempt int) time.Duration

// Backoff is the usual Pause: from 200 ms to 30 s, doubled each time, with
// jitter of a half so that replicas don't come all at once.
func Backoff(attempt int) time.Duration {
	d := firstPause << min(attempt-1, 8)
	d = min(d, lastPause)
	return d/2 + rand.N(d/2)
}

// Until does step until it succeeds or ctx ends; the error is that of ctx.
func Until(ctx context.Context, pause Pause, step func() error) error {
	for attempt := 1; ; attempt++ {
		if step() == nil {
			return nil
		}
		if !sleep.For(ctx, pause(attempt)) {
			return ctx.Err()
		}
	}
}
