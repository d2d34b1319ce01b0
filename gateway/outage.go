package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"talaria/storage"
)

// outageEach is how often the same words about a store that can't be reached, or
// is damaged, are logged.
const outageEach = 10 * time.Second

// outages keeps a log readable while the store can't be reached or is damaged:
// everything that needs it fails then, and is tried again many times a second. Of records
// with the same words it lets one through every outageEach, with how many were
// left out. Everything else passes.
type outages struct {
	slog.Handler
	seen *outagesSeen
}

// outagesSeen is shared by a logger and those derived from it.
type outagesSeen struct {
	mu    sync.Mutex
	words map[string]outage
}

// outage is what became of the records with the same words.
type outage struct {
	told    time.Time // when one was let through last
	leftOut int       // how many were not since
}

func withoutFlood(h slog.Handler) slog.Handler {
	return outages{h, &outagesSeen{words: map[string]outage{}}}
}

// Handle implements slog.Handler.
func (o outages) Handle(ctx context.Context, r slog.Record) error {
	if !failing(r) {
		return o.Handler.Handle(ctx, r)
	}
	leftOut, pass := o.seen.pass(r)
	if !pass {
		return nil
	}
	if leftOut > 0 {
		r = r.Clone()
		r.AddAttrs(slog.Int("left_out", leftOut))
	}
	return o.Handler.Handle(ctx, r)
}

// pass tells whether a record is let through, and how many with its words were
// left out before it.
func (s *outagesSeen) pass(r slog.Record) (leftOut int, pass bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, known := s.words[r.Message]
	if known && r.Time.Sub(o.told) < outageEach {
		o.leftOut++
		s.words[r.Message] = o
		return 0, false
	}
	s.words[r.Message] = outage{told: r.Time}
	return o.leftOut, true
}

// failing tells whether a record is about a store that can't be reached or is damaged.
func failing(r slog.Record) (yes bool) {
	r.Attrs(func(a slog.Attr) bool {
		err, ok := a.Value.Any().(error)
		yes = ok && (errors.Is(err, storage.ErrUnavailable) || errors.Is(err, storage.ErrCorrupt))
		return !yes
	})
	return yes
}

// WithAttrs implements slog.Handler.
func (o outages) WithAttrs(attrs []slog.Attr) slog.Handler {
	return outages{o.Handler.WithAttrs(attrs), o.seen}
}

// WithGroup implements slog.Handler.
func (o outages) WithGroup(name string) slog.Handler {
	return outages{o.Handler.WithGroup(name), o.seen}
}
