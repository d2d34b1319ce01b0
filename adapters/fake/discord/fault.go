package discord

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"talaria/adapters/fake/sim"
)

// The moments at which a connection is dropped.
const (
	CutBefore = sim.CutBefore // the request is read and forgotten
	CutAfter  = sim.CutAfter  // the call takes effect, its answer is lost
)

// Fault is something that goes wrong with calls.
type Fault struct {
	Op         string // such as "createMessage"; empty: any
	Times      int    // how often; zero: once, negative: until Heal
	Delay      time.Duration
	Cut        sim.Cut
	Status     int // refuse with it, without effect
	Code       int
	Message    string
	RetryAfter time.Duration // with Status 429
	Global     bool
	Body       string // answer with it, and Status, in place of JSON
}

// Break makes a fault happen.
func (s *Server) Break(f Fault) { s.faults.Add(f, f.Times) }

// Heal ends all faults.
func (s *Server) Heal() { s.faults.Heal() }

// fault takes the fault that hits the call, nil for none.
func (s *Server) fault(c *call) *Fault {
	return s.faults.Next(func(f Fault) bool { return f.Op == "" || f.Op == c.op })
}

// before reports whether the call ends without effect.
func (f *Fault) before(ctx context.Context, w http.ResponseWriter) bool {
	if f == nil {
		return false
	}
	sim.Stall(ctx, f.Delay)
	switch {
	case f.Cut.Before(w):
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
func (f *Fault) after(w http.ResponseWriter) bool { return f != nil && f.Cut.After(w) }
