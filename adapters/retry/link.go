package retry

import (
	"fmt"
	"sync"
	"time"
)

// grace is how long a connection that was up may be away before that is worth
// telling: platforms end connections as a matter of course.
const grace = 30 * time.Second

// Link is what is known of an adapter's connection to its platform. The zero
// value is that of an adapter which is not to be connected, because it does not
// run or runs in another replica.
type Link struct {
	mu   sync.Mutex // guards the rest
	away time.Time  // zero while connected, and while not to be
	was  bool       // connected, since the last Begin
	err  error      // of the last attempt, may be nil
}

// Begin says that the adapter is to be connected from now on.
func (l *Link) Begin() { l.set(time.Now(), false, nil) }

// End says that it is not to be connected any more.
func (l *Link) End() { l.Up() }

// Up says that events come in.
func (l *Link) Up() { l.set(time.Time{}, true, nil) }

// Down says that none do, and what happened. The error holds no secret.
func (l *Link) Down(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.away.IsZero() {
		l.away = time.Now()
	}
	l.err = err
}

func (l *Link) set(away time.Time, was bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.away, l.was, l.err = away, was, err
}

// Probe is nil unless events should come in and do not: from the beginning on,
// and from 30 seconds on where the connection was up.
func (l *Link) Probe() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.away.IsZero() || l.was && time.Since(l.away) < grace {
		return nil
	}
	since := time.Since(l.away).Round(time.Second)
	if l.err == nil {
		return fmt.Errorf("connecting for %s", since)
	}
	return fmt.Errorf("not connected for %s: %w", since, l.err)
}
