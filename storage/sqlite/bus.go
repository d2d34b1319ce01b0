package sqlite

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"talaria/storage"
)

// busBuffer is how many messages a slow subscriber may lag behind before it
// loses some.
const busBuffer = 256

// bus hands messages to the subscribers of this driver. It does not reach
// other processes: a second process on the same file is a command that does
// its work and ends, and nothing may depend on a message anyway.
type bus struct {
	mu     sync.Mutex
	subs   map[*subscription]struct{}
	closed bool
}

type subscription struct {
	topics map[string]bool
	ch     chan storage.Message
	stop   func() bool
}

func newBus() *bus { return &bus{subs: map[*subscription]struct{}{}} }

// Publish implements storage.Driver.
func (d *Driver) Publish(ctx context.Context, topic string, payload []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d.bus.mu.Lock()
	defer d.bus.mu.Unlock()
	if d.bus.closed {
		return errClosed
	}
	for s := range d.bus.subs {
		if !s.topics[topic] {
			continue
		}
		select {
		case s.ch <- storage.Message{Topic: topic, Payload: bytes.Clone(payload)}:
		default: // best effort: a full reader loses it
		}
	}
	return nil
}

// Subscribe implements storage.Driver. The channel is closed when ctx or the
// driver ends.
func (d *Driver) Subscribe(ctx context.Context, topics ...string) (<-chan storage.Message, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(topics) == 0 {
		return nil, fmt.Errorf("%w: no topic to subscribe to", storage.ErrInvalid)
	}
	s := &subscription{topics: map[string]bool{}, ch: make(chan storage.Message, busBuffer)}
	for _, t := range topics {
		s.topics[t] = true
	}
	d.bus.mu.Lock()
	defer d.bus.mu.Unlock()
	if d.bus.closed {
		return nil, errClosed
	}
	d.bus.subs[s] = struct{}{}
	s.stop = context.AfterFunc(ctx, func() {
		d.bus.mu.Lock()
		defer d.bus.mu.Unlock()
		d.bus.drop(s)
	})
	return s.ch, nil
}

// drop ends a subscription once; the caller holds the lock.
func (b *bus) drop(s *subscription) {
	if _, ok := b.subs[s]; ok {
		delete(b.subs, s)
		close(s.ch)
	}
}

func (b *bus) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for s := range b.subs {
		s.stop()
		b.drop(s)
	}
}
