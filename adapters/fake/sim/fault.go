package sim

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Cut says when a connection is dropped.
type Cut int

// The moments.
const (
	NoCut     Cut = iota
	CutBefore     // the request is read and forgotten
	CutAfter      // the call takes effect, its answer is lost
)

// Before drops the connection if that is to happen before the call takes
// effect, and reports whether it did.
func (c Cut) Before(w http.ResponseWriter) bool { return c == CutBefore && sever(w) }

// After drops the connection if that is to happen in place of the answer, and
// reports whether it did.
func (c Cut) After(w http.ResponseWriter) bool { return c == CutAfter && sever(w) }

func sever(w http.ResponseWriter) bool {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close()
	}
	return true
}

// Stall waits, but not longer than ctx lasts.
func Stall(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// Faults are those of type F that are still to happen.
type Faults[F any] struct {
	mu   sync.Mutex
	list []*scripted[F]
}

type scripted[F any] struct {
	fault F
	left  int // times; negative: no end
}

// Add makes a fault happen so often; zero: once, negative: until Heal.
func (f *Faults[F]) Add(fault F, times int) {
	if times == 0 {
		times = 1
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, &scripted[F]{fault, times})
}

// Heal ends all faults.
func (f *Faults[F]) Heal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = nil
}

// Next takes the first fault that hits, nil for none.
func (f *Faults[F]) Next(hits func(F) bool) *F {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, s := range f.list {
		if !hits(s.fault) {
			continue
		}
		if s.left--; s.left == 0 {
			f.list = append(f.list[:i:i], f.list[i+1:]...)
		}
		return &s.fault
	}
	return nil
}
