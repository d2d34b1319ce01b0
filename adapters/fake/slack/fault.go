package slack

import (
	"context"
	"fmt"
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

// Fault is something that goes wrong with calls.
type Fault struct {
	Method     string                    // empty: any
	Match      func(channel string) bool // nil: any channel
	Times      int                       // how often; zero: once, negative: until Heal
	Delay      time.Duration             // before anything else
	Cut        Cut
	Error      string // refuse with it, without effect
	RetryAfter int    // refuse with 429 and this many seconds
	Code       int    // answer with this status and Body
	Body       string
}

// faults are those that are still to happen.
type faults struct {
	mu   sync.Mutex
	list []*Fault
}

// Break makes a fault happen.
func (s *Server) Break(f Fault) {
	if f.Times == 0 {
		f.Times = 1
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list = append(s.faults.list, &f)
}

// Heal ends all faults.
func (s *Server) Heal() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list = nil
}

// next takes the fault that hits the call, nil for none.
func (f *faults) next(c *call) *Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, fault := range f.list {
		if fault.Method != "" && fault.Method != c.method || fault.Match != nil && !fault.Match(c.params["channel"]) {
			continue
		}
		if fault.Times--; fault.Times == 0 {
			f.list = append(f.list[:i:i], f.list[i+1:]...)
		}
		return fault
	}
	return nil
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
	case f.Code != 0:
		w.WriteHeader(f.Code)
		_, _ = fmt.Fprint(w, f.Body)
	case f.RetryAfter > 0:
		write(w, reply{refused: "ratelimited", retryAfter: f.RetryAfter})
	case f.Error != "":
		write(w, refuse(f.Error))
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
func (s *Server) Unplug() {
	_ = s.listen.Close() // the server may not have taken it up yet
	_ = s.http.Close()
}
