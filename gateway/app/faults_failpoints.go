//go:build failpoints

package app

import (
	"context"
	"crypto/rand"
	"os"

	"talaria/core/chat"
)

// handler is what adapters hand events to. In a build for torture it can be
// broken on purpose, to show that the tests see it.
func (a *App) handler() chat.Handler {
	switch os.Getenv("TALARIA_BREAK") {
	case "ack-early":
		return ackEarly{a.inbox}
	case "no-dedupe":
		return noDedupe{a.inbox}
	}
	return a.inbox
}

// ackEarly says that an event is kept before it is.
type ackEarly struct{ chat.Handler }

func (h ackEarly) Handle(ctx context.Context, e chat.Event) error {
	go func() { _ = h.Handler.Handle(context.WithoutCancel(ctx), e) }()
	return nil
}

// noDedupe makes every delivery of an event a new one.
type noDedupe struct{ chat.Handler }

func (h noDedupe) Handle(ctx context.Context, e chat.Event) error {
	e.Keys = []string{rand.Text()}
	return h.Handler.Handle(ctx, e)
}
