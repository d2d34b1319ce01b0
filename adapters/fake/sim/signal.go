package sim

import (
	"context"
	"sync"
	"sync/atomic"
)

// Signal tells whoever waits that something has changed. It costs next to
// nothing while nobody does.
type Signal struct {
	waiting atomic.Int32
	mu      sync.Mutex
	changed chan struct{}
}

// Raise says that something has changed.
func (s *Signal) Raise() {
	if s.waiting.Load() == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// Await returns nil once the condition holds. It looks again whenever
// something has changed, and returns the context's error if it ends first.
func (s *Signal) Await(ctx context.Context, condition func() bool) error {
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	for {
		changed := s.next()
		if condition() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *Signal) next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.changed
}
