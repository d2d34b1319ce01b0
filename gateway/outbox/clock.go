package outbox

import (
	"context"
	"sync"
	"time"

	"talaria/storage"
)

// clock is the store's clock, by which rows are dated: whoever takes one up may
// run on another machine, whose own clock is minutes off. It is asked for now and
// then, and goes on by the monotonic clock in between.
type clock struct {
	mu   sync.Mutex
	told time.Time // what the store's clock showed
	at   time.Time // when that was, by ours; zero: it was not asked yet
}

// asked is how long what the store's clock showed is gone by.
const asked = time.Minute

// set asks the store, unless that was done a moment ago.
func (c *clock) set(ctx context.Context, s *storage.Store) error {
	c.mu.Lock()
	fresh := !c.at.IsZero() && time.Since(c.at) < asked
	c.mu.Unlock()
	if fresh {
		return nil
	}
	told, err := s.Now(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told, c.at = told, time.Now()
	return nil
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at.IsZero() {
		return time.Now().UTC()
	}
	return c.told.Add(time.Since(c.at))
}

// recognised reports whether the platform still knows the key of a message that it
// may have been given before.
func (o *Outbox) recognised(b *bot, m *Message) bool {
	return b.limits.Idempotent > 0 && o.clock.now().Sub(m.Since) < b.limits.Idempotent
}
