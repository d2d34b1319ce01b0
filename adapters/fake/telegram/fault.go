package telegram

import (
	"context"
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
	Method      string                // empty: any
	Match       func(chat int64) bool // nil: any chat
	Times       int                   // how often; zero: once, negative: until Heal
	Delay       time.Duration         // before anything else
	Cut         sim.Cut
	Code        int // refuse with it, without effect
	Description string
	RetryAfter  int
	MigrateTo   int64
	Body        string // answer with it, and status Code, in place of JSON
}

// Break makes a fault happen.
func (s *Server) Break(f Fault) { s.faults.Add(f, f.Times) }

// Heal ends all faults.
func (s *Server) Heal() { s.faults.Heal() }

// fault takes the fault that hits the call, nil for none.
func (s *Server) fault(c *call) *Fault {
	return s.faults.Next(func(f Fault) bool {
		return (f.Method == "" || f.Method == c.method) && (f.Match == nil || f.Match(int64(c.params.Chat)))
	})
}

// before reports whether the call ends without effect.
func (f *Fault) before(ctx context.Context, w http.ResponseWriter) bool {
	if f == nil {
		return false
	}
	sim.Stall(ctx, f.Delay)
	switch {
	case f.Cut.Before(w):
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
func (f *Fault) after(w http.ResponseWriter) bool { return f != nil && f.Cut.After(w) }
