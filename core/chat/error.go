package chat

import (
	"errors"
	"fmt"
	"time"
)

// ErrorKind is what a failed call means for whoever has to decide what next.
// An adapter classifies; only the outbox decides.
type ErrorKind int

const (
	// UnknownOutcome: the call may or may not have taken effect. It is the
	// zero value, since it is the only safe thing to say of an unknown error.
	UnknownOutcome ErrorKind = iota
	// Permanent: the platform refused this very call and always will.
	Permanent
	// Transient: the call certainly had no effect and may work later.
	Transient
	// RateLimited: no effect; not before RetryAfter.
	RateLimited
	// NotAllowed: the bot's credentials or rights do not suffice.
	NotAllowed
	// Gone: the place, thread or person can't be reached any more.
	Gone
	// Moved: the place has a new id, in Error.To.
	Moved
)

var kindNames = map[ErrorKind]string{
	UnknownOutcome: "unknown outcome", Permanent: "permanent", Transient: "transient",
	RateLimited: "rate limited", NotAllowed: "not allowed", Gone: "gone", Moved: "moved",
}

// String returns the kind's name.
func (k ErrorKind) String() string { return kindNames[k] }

// Error is the only error type that leaves an adapter's Send, Edit and the
// like. Its text holds no secret.
type Error struct {
	Kind       ErrorKind
	Op         string        // the platform's method
	RetryAfter time.Duration // with RateLimited
	Whole      bool          // with RateLimited and NotAllowed: it holds for the whole bot, not for this chat alone
	Thread     bool          // with Gone: only the thread is, the place is still there
	To         string        // with Moved: the new chat id
	Err        error
}

// Error implements error.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s", e.Op, e.Kind)
	if e.RetryAfter > 0 {
		s += fmt.Sprintf(", retry after %s", e.RetryAfter)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the first *Error in err's chain, and
// UnknownOutcome where there is none.
func KindOf(err error) ErrorKind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return UnknownOutcome
}
