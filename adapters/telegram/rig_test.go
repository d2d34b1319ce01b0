package telegram_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	simulator "talaria/adapters/fake/telegram"
	"talaria/adapters/telegram"
	"talaria/core/chat"
)

// rig is an adapter beside a simulator.
type rig struct {
	t       *testing.T
	ctx     context.Context
	server  *simulator.Server
	adapter *telegram.Adapter
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

func (l *lines) await(t *testing.T, ctx context.Context, text string) string {
	t.Helper()
	for {
		l.mu.Lock()
		all, wrote := l.buf.String(), l.wrote
		l.mu.Unlock()
		if strings.Contains(all, text) {
			return all
		}
		select {
		case <-wrote:
		case <-ctx.Done():
			t.Fatalf("the log does not say %q", text)
		}
	}
}

func newRig(t *testing.T, change func(*telegram.Config)) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	r := &rig{t: t, ctx: ctx, server: simulator.New(t, simulator.Options{NoFlood: true}), log: &lines{wrote: make(chan struct{})}}
	r.server.Group(group, ada)
	cfg := telegram.Config{Token: r.server.Token(), APIURL: r.server.URL()}
	if change != nil {
		change(&cfg)
	}
	r.adapter = newAdapter(t, cfg, slog.New(slog.NewTextHandler(r.log, nil)))
	r.adapter.Hurry(quick, 30*time.Millisecond)
	return r
}

func quick(int) time.Duration { return time.Millisecond }

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

func (r *rig) confirmed() {
	r.t.Helper()
	r.await("confirmation", func() bool { return r.server.Unconfirmed() == 0 })
}

var errStore = errors.New("the store is away")

// call makes a call beside the adapter.
func (r *rig) call(method string, params url.Values) {
	r.t.Helper()
	resp, err := http.PostForm(r.server.URL()+"/bot"+r.server.Token()+"/"+method, params)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		r.t.Fatalf("%s: %s", method, resp.Status)
	}
}
