package fault

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/storage"
)

// Fault is what happens to a call. The zero value is nothing.
type Fault struct {
	Delay  time.Duration // wait first; the call's context ends the wait
	Before error         // then fail with this, with nothing done
	After  error         // or do it and fail with this all the same
}

// ErrLost is what a caller sees when the answer to a call got lost: the call
// may or may not have had its effect.
var ErrLost = errors.New("connection lost, outcome unknown")

// Unavailable fails a call without effect.
func Unavailable() Fault {
	return Fault{Before: fmt.Errorf("%w: injected", storage.ErrUnavailable)}
}

// DiskFull fails a call as a full disk does; meant for Writes.
func DiskFull() Fault {
	return Fault{Before: fmt.Errorf("%w: the disk is full (injected)", storage.ErrUnavailable)}
}

// LostBefore loses a call before it had its effect.
func LostBefore() Fault { return Fault{Before: ErrLost} }

// LostAfter lets a call have its effect and loses the answer.
func LostAfter() Fault { return Fault{After: ErrLost} }

// Slow makes a call wait.
func Slow(delay time.Duration) Fault { return Fault{Delay: delay} }

// Rule says which calls meet a fault.
type Rule struct {
	// Calls are names of methods of storage.Driver; none is every call.
	Calls []string
	// Op is the name of a field of storage.Op: only batches with such an
	// operation. Empty is every batch.
	Op string
	// Skip is how many matching calls pass before the first that is met.
	Skip int
	// Times is how many calls are met; zero is no limit.
	Times int
	// Chance is the share of the remaining calls that is met, decided by the
	// plan's seed; zero is all of them.
	Chance float64

	Fault Fault
}

// Writes are the names of the calls that change something.
func Writes() []string {
	return []string{"Apply", "Acquire", "Renew", "Release", "PutBlob", "DeleteBlob", "Load", "Erase"}
}

// matches reports whether a call is one that the rule is about.
func (r Rule) matches(call string, ops []storage.Op) bool {
	if len(r.Calls) > 0 && !slices.Contains(r.Calls, call) {
		return false
	}
	return r.Op == "" || slices.ContainsFunc(ops, func(op storage.Op) bool { return kind(op) == r.Op })
}

// kind is the name of the field that an operation sets.
func kind(op storage.Op) string {
	switch {
	case op.Put != nil:
		return "Put"
	case op.Delete != nil:
		return "Delete"
	case op.Append != nil:
		return "Append"
	case op.Trim != nil:
		return "Trim"
	case op.Receive != nil:
		return "Receive"
	case op.Done != nil:
		return "Done"
	case op.Queue != nil:
		return "Queue"
	case op.Move != nil:
		return "Move"
	case op.SetTimer != nil:
		return "SetTimer"
	case op.ClaimTimer != nil:
		return "ClaimTimer"
	case op.SettleTimer != nil:
		return "SettleTimer"
	case op.Index != nil:
		return "Index"
	case op.Unindex != nil:
		return "Unindex"
	}
	return ""
}
