package app

import (
	"context"
	"fmt"
	"sync"
	"time"

	"talaria/core/sleep"
)

// damagePatience is how long a person at a console waits for an answer while the
// store tells of damage: what fails for that reason is tried again every two
// seconds, and much of it can be done without.
const damagePatience = 5 * time.Second

// damage is the last that the store told of its being damaged.
type damage struct {
	mu  sync.Mutex
	err error
	met time.Time
}

func (d *damage) note(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.err, d.met = err, time.Now()
}

// since is the damage that was met after begin, or nil.
func (d *damage) since(begin time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.met.After(begin) {
		return d.err
	}
	return nil
}

// unless waits until something is done, which nothing announces, and is over
// patience with an error where there is damage meanwhile.
func (d *damage) unless(ctx context.Context, done func() bool) error {
	const glance = 2 * time.Millisecond
	begin := time.Now()
	for !done() {
		if !sleep.For(ctx, glance) {
			return ctx.Err()
		}
		if err := d.since(begin); err != nil && time.Since(begin) > damagePatience {
			return fmt.Errorf("no answer comes of this: %w", err)
		}
	}
	return nil
}
