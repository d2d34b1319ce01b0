package telegram

import (
	"context"
	"slices"
	"sync"
	"time"

	"talaria/core/chat"
)

// albumPause is how long after an album's last part the next may still come.
// Telegram sends the parts as separate messages and never says how many.
const albumPause = 600 * time.Millisecond

// closedAlbums is how many finished albums are remembered, to know a part that
// comes too late.
const closedAlbums = 256

// albums gathers the parts of albums.
type albums struct {
	pause  time.Duration
	mu     sync.Mutex
	open   map[string]*album
	closed []string
}

type album struct {
	parts []chat.Event
	done  []func(error) // of each part, called once the whole is kept
	grown chan struct{} // holds a token after a part was added
}

func newAlbums(pause time.Duration) *albums {
	return &albums{pause: pause, open: map[string]*album{}}
}

// add puts a part into its album. It reports whether that is a new one, which
// somebody has to gather, and whether the part came too late for its album.
func (a *albums) add(group string, part chat.Event, done func(error)) (fresh, late bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if slices.Contains(a.closed, group) {
		return false, true
	}
	al, there := a.open[group]
	if !there {
		al = &album{grown: make(chan struct{}, 1)}
		a.open[group] = al
	}
	al.parts, al.done = append(al.parts, part), append(al.done, done)
	select {
	case al.grown <- struct{}{}:
	default:
	}
	return !there, false
}

// gather waits until no part was added for the pause, closes the album and
// returns it whole. done must be called with what came of it.
func (a *albums) gather(ctx context.Context, group string) (whole chat.Event, done func(error)) {
	a.mu.Lock()
	al := a.open[group]
	a.mu.Unlock()
	quiet := time.NewTimer(a.pause)
	defer quiet.Stop()
	for waiting := true; waiting; {
		select {
		case <-al.grown:
			quiet.Reset(a.pause)
		case <-quiet.C:
			waiting = false
		case <-ctx.Done():
			waiting = false
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.open, group)
	a.closed = append(a.closed, group)
	a.closed = a.closed[max(0, len(a.closed)-closedAlbums):]
	return mergeAlbum(al.parts), func(err error) {
		for _, d := range al.done {
			d(err)
		}
	}
}
