package slack

import (
	"context"
	"fmt"
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
	Method     string                    // empty: any
	Match      func(channel string) bool // nil: any channel
	Times      int                       // how often; zero: once, negative: until Heal
	Delay      time.Duration             // before anything else
	Cut        sim.Cut
	Error      string // refuse with it, without effect
	RetryAfter int    // refuse with 429 and this many seconds
	Code       int    // answer with this status and Body
	Body       string
}

// Break makes a fault happen.
func (s *Server) Break(f Fault) { s.faults.Add(f, f.Times) }

// Heal ends all faults.
func (s *Server) Heal() { s.faults.Heal() }

// fault takes the fault that hits a call of the method about the channel, nil
// for none.
func (s *Server) fault(method, channel string) *Fault {
	return s.faults.Next(func(f Fault) bool {
		return (f.Method == "" || f.Method == method) && (f.Match == nil || f.Match(channel))
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
func (f *Fault) after(w http.ResponseWriter) bool { return f != nil && f.Cut.After(w) }
