package retry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"talaria/core/chat"
	"talaria/core/sleep"
)

// Help is an error that only a person can remedy.
type Help struct{ error }

// NeedHelp makes a Help of an error that tells what to do.
func NeedHelp(err error) Help { return Help{err} }

// Unwrap returns the cause.
func (h Help) Unwrap() error { return h.error }

// Connector does what an adapter has to do before it can receive.
type Connector struct {
	Platform string
	Refused  string // what a person is told of refused credentials: the remedy
	Link     *Link  // is told of failures, and tells of them
	Pause    Pause
	Log      *slog.Logger
}

// Persist does step until it succeeds or ctx ends, and returns an error only
// where trying again can't help: a Help, or refused credentials.
func (c Connector) Persist(ctx context.Context, step func(context.Context) error) error {
	for attempt := 1; ; attempt++ {
		err := step(ctx)
		if err == nil || ctx.Err() != nil {
			return nil
		}
		if help, ok := errors.AsType[Help](err); ok {
			return help
		}
		if chat.KindOf(err) == chat.NotAllowed {
			return fmt.Errorf("%s: %s: %w", c.Platform, c.Refused, err)
		}
		c.Link.Down(err)
		pause := c.After(err, attempt)
		c.Log.Debug("connecting failed", "platform", c.Platform, "attempt", attempt, "pause", pause, "err", err)
		sleep.For(ctx, pause)
	}
}

// After is how long to wait after err: as long as the platform asks for, where
// it does.
func (c Connector) After(err error, attempt int) time.Duration {
	if e, ok := errors.AsType[*chat.Error](err); ok && e.Kind == chat.RateLimited {
		return e.RetryAfter
	}
	return c.Pause(attempt)
}
