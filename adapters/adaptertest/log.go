package adaptertest

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
)

// Log is all that was logged. It can be waited on.
type Log struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	wrote chan struct{}
}

// NewLog returns a log in which nothing stands.
func NewLog() *Log { return &Log{wrote: make(chan struct{})} }

// Logger writes to the log what has at least the level.
func (l *Log) Logger(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: level}))
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.wrote)
	l.wrote = make(chan struct{})
	return l.buf.Write(p)
}

// String is the log so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// Await returns the log once the text stands in it.
func (l *Log) Await(t testing.TB, ctx context.Context, text string) string {
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
