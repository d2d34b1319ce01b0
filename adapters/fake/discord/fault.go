package discord

import (
	"context"
	"encoding/json"
	"net/http"
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
	Op         string // such as "createMessage"; empty: any
	Times      int    // how often; zero: once, negative: until Heal
	Delay      time.Duration
	Cut        Cut
	Status     int // refuse with it, without effect
	Code       int
	Message    string
	RetryAfter time.Duration // with Status 429
	Global     bool
	Body       string // answer with it, and Status, in place of JSON
}

// Break makes a fault happen.
func (s *Server) Break(f Fault) {
	if f.Times == 0 {
		f.Times = 1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// Heal ends all faults.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Unplug makes the server refuse connections from now on.
func (s *Server) Unplug() { _ = s.http.Close() }

// nextFault takes the fault that hits the call, nil for none. The lock is held.
func (s *Server) nextFault(c *call) *Fault {
	for i, f := range s.faults {
		if f.Op != "" && f.Op != c.op {
			continue
		}
		if f.Times--; f.Times == 0 {
			s.faults = append(s.faults[:i:i], s.faults[i+1:]...)
		}
		hit := *f
		return &hit
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
		return true
	case f.Status == 0:
		return false
	case f.Body != "":
		w.WriteHeader(f.Status)
		_, _ = w.Write([]byte(f.Body))
		return true
	}
	r := refuse(f.Status, f.Code, f.Message)
	if f.Status == http.StatusTooManyRequests {
		r = tooMany(f.RetryAfter, f.Global)
	}
	for name, values := range r.header {
		w.Header()[name] = values
	}
	w.WriteHeader(f.Status)
	_ = json.NewEncoder(w).Encode(r.value)
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
