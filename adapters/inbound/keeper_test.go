package inbound_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// refusing is a Handler that keeps nothing until the n-th call.
type refusing struct{ calls, until int }

var errStore = errors.New("the store is away")

func (r *refusing) Handle(context.Context, chat.Event) error {
	if r.calls++; r.calls < r.until {
		return errStore
	}
	return nil
}

func second(int) time.Duration { return time.Second }

func TestKeeperInsists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &refusing{until: 30}
		k := inbound.NewKeeper("p", h, second, slog.New(slog.DiscardHandler))
		if err := k.Insist(t.Context(), chat.Event{}); err != nil || h.calls != 30 {
			t.Errorf("%d calls: %v", h.calls, err)
		}
	})
}

func TestKeeperGivesUpWithItsBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &refusing{until: 30}
		k := inbound.NewKeeper("p", h, second, slog.New(slog.DiscardHandler))
		k.Budget = 2 * time.Second
		if err := k.Insist(t.Context(), chat.Event{}); !errors.Is(err, errStore) || h.calls != 3 {
			t.Errorf("%d calls: %v", h.calls, err)
		}
	})
}

func TestKeeperPutsAsideWhatItCan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &refusing{until: 30}
		k := inbound.NewKeeper("p", h, second, slog.New(slog.DiscardHandler))
		k.Aside = func(_ context.Context, _ chat.Event, attempt int) bool { return attempt == 4 }
		if err := k.Insist(t.Context(), chat.Event{}); err != nil || h.calls != 4 {
			t.Errorf("%d calls: %v", h.calls, err)
		}
	})
}

func TestKeeperEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		k := inbound.NewKeeper("p", &refusing{until: 1000}, second, slog.New(slog.DiscardHandler))
		if err := k.Insist(ctx, chat.Event{}); err == nil {
			t.Error("taken as kept")
		}
	})
}
