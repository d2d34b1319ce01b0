package adaptertest

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"talaria/core/chat"
)

// Rig is an adapter of type A beside a simulator of type S, for tests of what
// only one platform has. The context bounds all waits of the test.
type Rig[A chat.Adapter, S Awaiter] struct {
	T       *testing.T
	Ctx     context.Context // of the test, which owns the rig
	Server  S
	Adapter A
	Log     *Log
}

// Awaiter is a simulator that can be waited on: it looks at the condition
// whenever something has changed.
type Awaiter interface {
	Await(ctx context.Context, condition func() bool) error
}

// NewRig returns a rig for one test. The adapter logs to log.
func NewRig[A chat.Adapter, S Awaiter](t *testing.T, server S, adapter A, log *Log) Rig[A, S] {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return Rig[A, S]{T: t, Ctx: ctx, Server: server, Adapter: adapter, Log: log}
}

// Start runs the adapter; stop waits for its end and returns its error.
func (r *Rig[A, S]) Start(h chat.Handler) (stop func() error) {
	ctx, cancel := context.WithCancel(r.Ctx)
	done := make(chan error, 1)
	a := r.Adapter
	go func() { done <- a.Run(ctx, h) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	r.T.Cleanup(func() { _ = stop() })
	return stop
}

// Await returns once the condition holds.
func (r *Rig[A, S]) Await(what string, condition func() bool) {
	r.T.Helper()
	if err := r.Server.Await(r.Ctx, condition); err != nil {
		r.T.Fatalf("waiting for %s: %v", what, err)
	}
}

// Payload is that of a post that comes out as a single part.
func (r *Rig[A, S]) Payload(p chat.Post) json.RawMessage {
	r.T.Helper()
	parts := r.Adapter.Render(p)
	if len(parts) != 1 {
		r.T.Fatalf("%d parts, not one", len(parts))
	}
	return parts[0].Payload
}

// Send sends one part.
func (r *Rig[A, S]) Send(d chat.Delivery) chat.Receipt {
	r.T.Helper()
	receipt, err := r.Adapter.Send(r.Ctx, d)
	if err != nil {
		r.T.Fatalf("send: %v", err)
	}
	return receipt
}

// Post renders a post and sends its parts as d says.
func (r *Rig[A, S]) Post(d chat.Delivery, p chat.Post) []chat.Receipt {
	r.T.Helper()
	var receipts []chat.Receipt
	for _, part := range r.Adapter.Render(p) {
		d.Payload = part.Payload
		receipts = append(receipts, r.Send(d))
	}
	return receipts
}
