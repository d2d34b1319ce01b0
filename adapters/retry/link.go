package retry

import (
	"fmt"
	"log/slog"
	"sync"
	"time"
)

const (
	// grace is how long a connection that was up may be away before that is
	// worth telling: platforms end connections as a matter of course.
	grace = 30 * time.Second
	// tellEach is how often an outage that goes on is told of in the log.
	tellEach = time.Hour
)

// Link is what is known of an adapter's connection to its platform, and tells of
// it in the log: of an outage at its beginning, each hour that it goes on, and at
// its end. The zero value is that of an adapter which is not to be connected,
// because it does not run or runs in another replica.
type Link struct {
	Platform string
	Log      *slog.Logger // nil: nothing is told

	mu   sync.Mutex // guards the rest
	away time.Time  // zero while connected, and while not to be
	was  bool       // connected, since the last Begin
	told time.Time  // of this outage; zero: not yet
	err  error      // of the last attempt, may be nil
}

// Begin says that the adapter is to be connected from now on.
func (l *Link) Begin() { l.set(time.Now(), false) }

// End says that it is not to be connected any more.
func (l *Link) End() { l.set(time.Time{}, true) }

// Up says that events come in.
func (l *Link) Up() {
	first, told := l.set(time.Time{}, true)
	if l.Log != nil && (first || told) {
		l.Log.Info("connected", "platform", l.Platform)
	}
}

// Down says that none do, and what happened. The error holds no secret.
func (l *Link) Down(err error) {
	if l.fails(err) && l.Log != nil {
		l.Log.Warn("the platform is not reached; it is tried again, less and less often, until it is", "platform", l.Platform, "err", err,
			"remedy", fmt.Sprintf("see whether this machine gets to the network, by HTTPS_PROXY where it needs a proxy, and whether "+
				"[adapters.%s] api_url is right; talaria doctor looks closer", l.Platform))
	}
}

// fails notes a failure and reports whether it is to be told.
func (l *Link) fails(err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.away.IsZero() {
		l.away = now
	}
	l.err = err
	if l.was && now.Sub(l.away) < grace || !l.told.IsZero() && now.Sub(l.told) < tellEach {
		return false
	}
	l.told = now
	return true
}

// set reports whether this is the first connection since Begin, and whether an
// outage was told of before.
func (l *Link) set(away time.Time, was bool) (first, told bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first, told = !l.was && !l.away.IsZero(), !l.told.IsZero()
	l.away, l.was, l.told, l.err = away, was, time.Time{}, nil
	return first, told
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
