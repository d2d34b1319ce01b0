package sim

import (
	"slices"
	"sync"
)

// Log is the truth about the calls that were made. R tells of a refused one.
type Log[R any] struct {
	mu       sync.Mutex
	calls    map[string]int
	refusals []R
	breaches []string
}

// Called notes a call of a method.
func (l *Log[R]) Called(method string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls == nil {
		l.calls = map[string]int{}
	}
	l.calls[method]++
}

// Refused notes a call that was refused.
func (l *Log[R]) Refused(r R) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refusals = append(l.refusals, r)
}

// Breach notes a call that the platform would take but that must not be made.
func (l *Log[R]) Breach(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.breaches = append(l.breaches, what)
}

// Calls is how often a method was called.
func (l *Log[R]) Calls(method string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calls[method]
}

// Refusals are the calls that were refused, in order.
func (l *Log[R]) Refusals() []R {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.refusals)
}

// Breaches are the calls that the platform would take but that must not be made.
func (l *Log[R]) Breaches() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.breaches)
}
