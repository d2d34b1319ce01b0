//go:build failpoints

package app

import (
	"context"
	"crypto/rand"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"talaria/core/chat"
	"talaria/storage"
	"talaria/storage/fault"
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

// underFault is the driver that a store is made of. Where TALARIA_KILL names a
// file, the process is killed at one of its writes; where TALARIA_FULL names one,
// the disk is full while it is there.
func underFault(d storage.Driver) storage.Driver {
	if file := os.Getenv("TALARIA_FULL"); file != "" {
		return &crowded{d, fault.Wrap(d, 1, fault.Rule{Calls: fault.Writes(), Chance: 0.5, Fault: fault.DiskFull()}), file}
	}
	if file := os.Getenv("TALARIA_KILL"); file != "" {
		return &mortal{Driver: d, file: file}
	}
	return d
}

// mortal kills the process, as kill -9 does, before or after one of the writes
// that come once its file is there. The file says which: 0 is before the first,
// 1 after it, 2 before the second.
type mortal struct {
	storage.Driver
	file string

	mu     sync.Mutex
	passed int
}

func (m *mortal) passes() {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, err := os.ReadFile(m.file)
	if err != nil {
		return // not yet
	}
	if n, err := strconv.Atoi(strings.TrimSpace(string(data))); err == nil && n == m.passed {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	m.passed++
}

func (m *mortal) Apply(ctx context.Context, b storage.Ops) ([]storage.Result, error) {
	m.passes()
	defer m.passes()
	return m.Driver.Apply(ctx, b)
}

func (m *mortal) PutBlob(ctx context.Context, p storage.Partition, hash string, data []byte) error {
	m.passes()
	defer m.passes()
	return m.Driver.PutBlob(ctx, p, hash, data)
}

func (m *mortal) DeleteBlob(ctx context.Context, p storage.Partition, hash string) error {
	m.passes()
	defer m.passes()
	return m.Driver.DeleteBlob(ctx, p, hash)
}

func (m *mortal) Erase(ctx context.Context, p storage.Partition) error {
	m.passes()
	defer m.passes()
	return m.Driver.Erase(ctx, p)
}

// crowded is a driver on a disk that others use too: while its file is there,
// half of the writes find no space.
type crowded struct {
	storage.Driver
	full storage.Driver
	file string
}

func (c *crowded) now() storage.Driver {
	if _, err := os.Stat(c.file); err != nil {
		return c.Driver
	}
	return c.full
}

func (c *crowded) Apply(ctx context.Context, b storage.Ops) ([]storage.Result, error) {
	return c.now().Apply(ctx, b)
}

func (c *crowded) Acquire(ctx context.Context, p storage.Partition, holder string, ttl time.Duration) (storage.Fence, error) {
	return c.now().Acquire(ctx, p, holder, ttl)
}

func (c *crowded) Renew(ctx context.Context, f storage.Fence, ttl time.Duration) error {
	return c.now().Renew(ctx, f, ttl)
}

func (c *crowded) Release(ctx context.Context, f storage.Fence) error {
	return c.now().Release(ctx, f)
}

func (c *crowded) PutBlob(ctx context.Context, p storage.Partition, hash string, data []byte) error {
	return c.now().PutBlob(ctx, p, hash, data)
}
