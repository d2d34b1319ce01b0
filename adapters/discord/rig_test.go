package discord_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"talaria/adapters/adaptertest"
	"talaria/adapters/discord"
	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"
)

// rig is an adapter beside a simulator.
type rig struct {
	t       *testing.T
	ctx     context.Context
	server  *simulator.Server
	adapter *discord.Adapter
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

func newRig(t *testing.T, o simulator.Options) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	r := &rig{t: t, ctx: ctx, server: newSimulator(t, o), log: &lines{wrote: make(chan struct{})}}
	r.adapter = r.another()
	return r
}

// another is a further replica of the same bot.
func (r *rig) another() *discord.Adapter {
	a := newAdapter(r.t, discord.Config{Token: r.server.Token(), APIURL: r.server.URL()}, slog.New(slog.NewTextHandler(r.log, nil)))
	a.Hurry(quick, patience)
	return a
}

// start runs the adapter; stop waits for its end and returns its error.
func (r *rig) start(h chat.Handler) (stop func() error) {
	ctx, cancel := context.WithCancel(r.ctx)
	done := make(chan error, 1)
	a := r.adapter
	go func() { done <- a.Run(ctx, h) }()
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

// listening waits until a session is told of what happens.
func (r *rig) listening() {
	r.t.Helper()
	r.await("a session", func() bool { return r.server.Ready() > 0 })
}

// run starts the adapter with a handler that keeps everything, and waits until
// it listens.
func (r *rig) run() *adaptertest.Recorder {
	r.t.Helper()
	kept := adaptertest.NewRecorder()
	before := r.server.Identifies() + r.server.Resumes()
	r.start(kept)
	r.await("a session", func() bool { return r.server.Identifies()+r.server.Resumes() > before })
	return kept
}

var errStore = errors.New("the store is away")

// memory is a checkpoint.
type memory struct {
	mu    sync.Mutex
	state []byte
}

func (m *memory) Load(context.Context) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state, nil
}

func (m *memory) Save(_ context.Context, state []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state = state
	return nil
}

var (
	toDirect = chat.Address{Platform: discord.Platform, Chat: direct}
	toLobby  = chat.Address{Platform: discord.Platform, Workspace: guild, Chat: lobby}
	toThread = chat.Address{Platform: discord.Platform, Workspace: guild, Chat: lobby, Thread: thread}
)
