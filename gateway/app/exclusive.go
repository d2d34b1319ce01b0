package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"talaria/core/chat"
	"talaria/core/sleep"
	"talaria/storage"
)

const (
	adapterTTL   = 9 * time.Second
	adapterRenew = 3 * time.Second
	adapterRetry = time.Second
)

// receiver runs an adapter; one that may be active in a single replica only
// runs while this replica has its lease.
type receiver struct {
	adapter chat.Adapter
	store   *storage.Store
	replica string
	log     *slog.Logger
}

// run returns when ctx ends or the adapter can't go on.
func (r receiver) run(ctx context.Context, h chat.Handler) error {
	x, ok := r.adapter.(chat.Exclusive)
	if !ok || x.Exclusive() == "" {
		return r.adapter.Run(ctx, h)
	}
	p := adapterPartition(x.Exclusive())
	for {
		asked := time.Now()
		fence, err := r.store.Acquire(ctx, p, r.replica, adapterTTL)
		if err == nil {
			if err := r.under(ctx, fence, asked, h); err != nil || ctx.Err() != nil {
				return err
			}
			continue // the lease was lost; stand by for it
		}
		if ctx.Err() != nil {
			return nil
		}
		if !errors.Is(err, storage.ErrHeld) {
			r.log.Warn("adapter lease not acquired", "platform", r.adapter.Platform(), "err", err)
		}
		if !sleep.For(ctx, adapterRetry) {
			return nil
		}
	}
}

// adapterPartition is where the lease and the checkpoint of an account lie.
func adapterPartition(name string) storage.Partition { return storage.System("adapter:" + name) }

// under runs the adapter while the lease is renewed. It returns nil when the
// lease was lost: what fails then, a last save as well as the giving back, fails
// for the store, and is no reason for the adapter not to go on later.
func (r receiver) under(ctx context.Context, f storage.Fence, asked time.Time, h chat.Handler) error {
	held, cancel := context.WithCancel(ctx)
	defer cancel()
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		defer cancel()
		r.renew(held, f, asked)
	}()
	err := r.adapter.Run(held, h)
	lost := held.Err() != nil && ctx.Err() == nil
	cancel()
	<-renewed
	last, done := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer done()
	err = errors.Join(err, r.store.Release(last, f))
	if lost && err != nil {
		r.log.Debug("adapter stands by", "platform", r.adapter.Platform(), "err", err)
		return nil
	}
	return err
}

// renew returns when the lease is lost, which includes that it could not be
// renewed in time.
func (r receiver) renew(ctx context.Context, f storage.Fence, asked time.Time) {
	for sleep.For(ctx, adapterRenew) {
		now := time.Now()
		err := r.store.Renew(ctx, f, adapterTTL)
		if err == nil {
			asked = now
			continue
		}
		if errors.Is(err, storage.ErrFenced) || time.Since(asked) > adapterTTL-adapterRetry {
			r.log.Warn("adapter lease lost", "platform", r.adapter.Platform(), "err", err)
			return
		}
	}
}

// checkpoint keeps an adapter's state in its exclusive partition.
type checkpoint struct {
	store     *storage.Store
	partition storage.Partition
}

var _ chat.Checkpoint = checkpoint{}

// Load returns what was saved, nil for nothing.
func (c checkpoint) Load(ctx context.Context) ([]byte, error) {
	d, err := storage.Get[[]byte](ctx, c.store, c.partition, "checkpoint", "state")
	if errors.Is(err, storage.ErrNotFound) {
		return nil, nil
	}
	return d.Value, err
}

// Save replaces it.
func (c checkpoint) Save(ctx context.Context, state []byte) error {
	b := storage.On(c.partition).Put("checkpoint", "state", state, storage.Any)
	if _, err := c.store.Commit(ctx, b); err != nil {
		return fmt.Errorf("save checkpoint: %w", err)
	}
	return nil
}
