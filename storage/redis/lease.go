package redis

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"talaria/storage"
)

// Acquire takes a partition's lease, or returns ErrHeld.
func (d *Driver) Acquire(ctx context.Context, p storage.Partition, holder string, ttl time.Duration) (storage.Fence, error) {
	if err := storage.CheckLease(p, holder, ttl); err != nil {
		return storage.Fence{}, err
	}
	words, err := d.change(ctx, d.client, d.scripts.acquire, p, d.space(p).keys("meta"), func(registered string) []any {
		return []any{d.offset.Load(), registered, holder, millis(ttl)}
	})
	if err != nil {
		return storage.Fence{}, fmt.Errorf("acquire lease of %s: %w", p, err)
	}
	if text(words, 0) == "held" {
		return storage.Fence{}, fmt.Errorf("%w: %s", storage.ErrHeld, p)
	}
	token, err := strconv.ParseUint(text(words, 1), 10, 64)
	if err != nil {
		return storage.Fence{}, fmt.Errorf("acquire lease of %s: unexpected reply", p)
	}
	return storage.Fence{Partition: p, Token: token}, nil
}

// Renew prolongs a lease, or returns ErrFenced.
func (d *Driver) Renew(ctx context.Context, f storage.Fence, ttl time.Duration) error {
	if err := storage.CheckRenewal(ttl); err != nil {
		return err
	}
	reply, err := d.run(ctx, d.client, d.scripts.renew, d.space(f.Partition).keys("meta"), d.offset.Load(), f.Token, millis(ttl))
	if err != nil {
		return fmt.Errorf("renew lease of %s: %w", f.Partition, err)
	}
	if text(list(reply), 0) == "fenced" {
		return fmt.Errorf("%w: %s", storage.ErrFenced, f.Partition)
	}
	return nil
}

// Release ends a lease if it still is f's.
func (d *Driver) Release(ctx context.Context, f storage.Fence) error {
	if _, err := d.run(ctx, d.client, d.scripts.release, d.space(f.Partition).keys("meta"), f.Token); err != nil {
		return fmt.Errorf("release lease of %s: %w", f.Partition, err)
	}
	return nil
}

// Lease returns the current holder, or ErrNotFound.
func (d *Driver) Lease(ctx context.Context, p storage.Partition) (storage.LeaseInfo, error) {
	reply, err := d.read(ctx, d.scripts.lease, d.space(p).keys("meta"), d.offset.Load())
	if err != nil {
		return storage.LeaseInfo{}, fmt.Errorf("read lease of %s: %w", p, err)
	}
	if len(reply) == 0 {
		return storage.LeaseInfo{}, fmt.Errorf("lease of %s: %w", p, storage.ErrNotFound)
	}
	return storage.LeaseInfo{Holder: text(reply, 0), Token: uint64(whole(reply, 1)), Until: moment(whole(reply, 2))}, nil
}

// Now is the server's clock. On a cluster it is that of any node; their clocks
// must agree to well within a lease.
func (d *Driver) Now(ctx context.Context) (time.Time, error) {
	reply, err := d.query(ctx, "time")
	if err != nil {
		return time.Time{}, fmt.Errorf("read the clock: %w", err)
	}
	seconds, micros := whole(list(reply), 0), whole(list(reply), 1)
	return moment(seconds*1000 + micros/1000 + d.offset.Load()), nil
}
