package slack_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	simulator "talaria/adapters/fake/slack"
	"talaria/adapters/slack"
	"talaria/core/chat"
)

// rig is an adapter beside a simulator.
type rig struct {
	t       *testing.T
	ctx     context.Context
	server  *simulator.Server
	adapter *slack.Adapter
	log     *lines
}

// lines is a log that can be waited on.
type lines struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	wrote chan struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.wrote)
	l.wrote = make(chan struct{})
	return l.buf.Write(p)
}

func (l *lines) await(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	for {
		l.mu.Lock()
		all, wrote := l.buf.String(), l.wrote
		l.mu.Unlock()
		if strings.Contains(all, text) {
			return
		}
		select {
		case <-wrote:
		case <-ctx.Done():
			t.Fatalf("the log does not say %q", text)
		}
	}
}

type setup struct {
	mode   slack.Mode
	config func(*slack.Config)
	opts   simulator.Options
}

func newRig(t *testing.T, s setup) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	if s.opts.Minute == 0 {
		s.opts.Minute = 20 * time.Millisecond
	}
	s.opts.NoLimits = true
	r := &rig{t: t, ctx: ctx, log: &lines{wrote: make(chan struct{})}}
	r.server, r.adapter = newPair(t, s.mode, s.config, s.opts, slog.New(slog.NewTextHandler(r.log, nil)))
	return r
}

// start runs the adapter; stop waits for its end and returns its error.
func (r *rig) start(h chat.Handler) (stop func() error) {
	ctx, cancel := context.WithCancel(r.ctx)
	done := make(chan error, 1)
	go func() { done <- r.adapter.Run(ctx, h) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	r.t.Cleanup(func() { _ = stop() })
	return stop
}

func (r *rig) await(what string, condition func() bool) {
	r.t.Helper()
	if err := r.server.Await(r.ctx, condition); err != nil {
		r.t.Fatalf("waiting for %s: %v", what, err)
	}
}

func (r *rig) settled() {
	r.t.Helper()
	r.await("acknowledgement", func() bool { return r.server.Unacknowledged() == 0 })
}

// send renders a post and sends its parts.
func (r *rig) send(d chat.Delivery, p chat.Post) []chat.Receipt {
	r.t.Helper()
	var receipts []chat.Receipt
	for _, part := range r.adapter.Render(p) {
		d.Payload = part.Payload
		receipt, err := r.adapter.Send(r.ctx, d)
		if err != nil {
			r.t.Fatalf("send: %v", err)
		}
		receipts = append(receipts, receipt)
	}
	return receipts
}

var errStore = errors.New("the store is away")
