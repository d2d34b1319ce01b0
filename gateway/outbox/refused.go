package outbox

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// refusalEach is how often a refusal that goes on is told of in the log. Each
// message that waits meets it once a minute.
const refusalEach = time.Hour

// refusal is whether a platform refuses the bot as a whole, as it does with a
// token that was revoked.
type refusal struct {
	mu    sync.Mutex
	since time.Time // zero: it does not
	told  time.Time
	err   error
}

// met notes that it does, and reports whether that is to be told.
func (r *refusal) met(now time.Time, err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.since.IsZero() {
		r.since, r.told = now, time.Time{}
	}
	r.err = err
	if !r.told.IsZero() && now.Sub(r.told) < refusalEach {
		return false
	}
	r.told = now
	return true
}

// over notes that it does not, and reports whether it did.
func (r *refusal) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := !r.since.IsZero()
	r.since, r.err = time.Time{}, nil
	return was
}

// state is nil unless it does.
func (r *refusal) state(now time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.since.IsZero() {
		return nil
	}
	return fmt.Errorf("takes nothing from the bot for %s: %w; check its token and rights with 'talaria doctor'", now.Sub(r.since).Round(time.Second), r.err)
}

// Refused returns one error for each platform that refuses the bot as a whole.
// What is to be said there waits meanwhile.
func (o *Outbox) Refused() []error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(o.bots)) {
		if err := o.bots[name].refusal.state(time.Now()); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errs
}
