package telegram

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
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

// Fault is something that goes wrong with calls.
type Fault struct {
	Method      string                // empty: any
	Match       func(chat int64) bool // nil: any chat
	Times       int                   // how often; zero: once, negative: until Heal
	Delay       time.Duration         // before anything else
	Cut         Cut
	Code        int // refuse with it, without effect
	Description string
	RetryAfter  int
	MigrateTo   int64
	Body        string // answer with it, and status Code, in place of JSON
}

// faults are those that are still to happen.
type faults struct {
	mu     sync.Mutex
	active atomic.Int32
	list   []*Fault
}

// Break makes a fault happen.
func (s *Server) Break(f Fault) {
	if f.Times == 0 {
		f.Times = 1
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list = append(s.faults.list, &f)
	s.faults.active.Store(int32(len(s.faults.list)))
}

// Heal ends all faults.
func (s *Server) Heal() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list = nil
	s.faults.active.Store(0)
}

// next takes the fault that hits the call, nil for none.
func (f *faults) next(c *call) *Fault {
	if f.active.Load() == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, fault := range f.list {
		if !fault.hits(c) {
			continue
		}
		if fault.Times--; fault.Times == 0 {
			f.list = append(f.list[:i:i], f.list[i+1:]...)
			f.active.Store(int32(len(f.list)))
		}
		return fault
	}
	return nil
}

func (f *Fault) hits(c *call) bool {
	return (f.Method == "" || f.Method == c.method) && (f.Match == nil || f.Match(int64(c.params.Chat)))
}

// before reports whether the call ends without effect.
func (f *Fault) before(ctx context.Context, w http.ResponseWriter) bool {
	if f == nil {
		return false
	}
	if f.Delay > 0 {
		select {
		case <-time.After(f.Delay):
		case <-ctx.Done():
		}
	}
	switch {
	case f.Cut == CutBefore:
		cut(w)
	case f.Body != "":
		w.WriteHeader(f.Code)
		_, _ = w.Write([]byte(f.Body))
	case f.Code != 0:
		write(w, reply{code: f.Code, description: f.Description, retryAfter: f.RetryAfter, migrateTo: f.MigrateTo})
	default:
		return false
	}
	return true
}

// after reports whether the answer of the call is lost.
func (f *Fault) after(w http.ResponseWriter) bool {
	if f == nil || f.Cut != CutAfter {
		return false
	}
	cut(w)
	return true
}

func cut(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

// Unplug makes the server refuse connections from now on.
func (s *Server) Unplug() { _ = s.http.Close() }
