package retry_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"talaria/adapters/retry"
	"talaria/core/chat"
)

func TestBackoffGrowsAndEnds(t *testing.T) {
	const longest = 30 * time.Second
	last := time.Duration(0)
	for attempt := 1; attempt < 60; attempt++ {
		d := retry.Backoff(attempt)
		if d <= 0 || d > longest {
			t.Fatalf("attempt %d waits %v", attempt, d)
		}
		last = d
	}
	if last < longest/2 {
		t.Errorf("the last wait is %v", last)
	}
}

func TestUntilEndsWithSuccessOrTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := errors.New("away")
		n := 0
		step := func() error {
			if n++; n < 3 {
				return away
			}
			return nil
		}
		if err := retry.Until(t.Context(), retry.Backoff, step); err != nil || n != 3 {
			t.Errorf("%d attempts: %v", n, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := retry.Until(ctx, retry.Backoff, func() error { return away })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended with %v", err)
		}
	})
}

func TestPersistEndsWhereOnlyAPersonCanHelp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := retry.Connector{Platform: "p", Link: new(retry.Link), Refused: "get a new token", Pause: retry.Backoff, Log: slog.New(slog.DiscardHandler)}
		begun := time.Now()
		answers := []error{
			&chat.Error{Kind: chat.Transient},
			&chat.Error{Kind: chat.RateLimited, RetryAfter: time.Hour},
			nil,
		}
		step := func(context.Context) error {
			err := answers[0]
			answers = answers[1:]
			return err
		}
		if err := c.Persist(t.Context(), step); err != nil || time.Since(begun) < time.Hour {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}

		refused := &chat.Error{Kind: chat.NotAllowed, Err: errors.New("401")}
		err := c.Persist(t.Context(), func(context.Context) error { return refused })
		if !errors.Is(err, refused) || err.Error() != "p: get a new token: "+refused.Error() {
			t.Errorf("refused: %v", err)
		}

		help := retry.NeedHelp(errors.New("the webhook is another's"))
		if err := c.Persist(t.Context(), func(context.Context) error { return help }); !errors.Is(err, help) {
			t.Errorf("help: %v", err)
		}
	})
}
