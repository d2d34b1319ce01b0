package sqlite

import (
	"context"
	"fmt"
	"time"

	"talaria/storage"
)

// The counter of fencing tokens. It belongs to no partition and counts for
// all, so that tokens grow even where a partition is erased.
const tokenCounter = "token"

// Acquire implements storage.Driver.
func (d *Driver) Acquire(ctx context.Context, p storage.Partition, holder string, ttl time.Duration) (storage.Fence, error) {
	if err := storage.CheckLease(p, holder, ttl); err != nil {
		return storage.Fence{}, err
	}
	f := storage.Fence{Partition: p}
	err := d.writer.submit(ctx, &request{work: func(t *tx) (err error) {
		f.Token, err = t.acquire(p.String(), holder, ttl)
		return err
	}})
	if err != nil {
		return storage.Fence{}, err
	}
	return f, nil
}

func (t *tx) acquire(part, holder string, ttl time.Duration) (uint64, error) {
	var other string
	held, err := t.one(func(r *row) { other = r.text(0) },
		"SELECT holder FROM leases WHERE part = ? AND expires > ?", part, t.now)
	if err != nil {
		return 0, err
	}
	if held && other != holder {
		return 0, fmt.Errorf("%w: %s by %q", storage.ErrHeld, part, other)
	}
	token, err := t.next("", tokenCounter)
	if err != nil {
		return 0, err
	}
	_, err = t.exec("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?)", part, holder, token, t.now+ttl.Milliseconds())
	return token, err
}

// fenced returns ErrFenced unless f is the current lease of part.
func (t *tx) fenced(part string, f storage.Fence) error {
	current := false
	if f.Partition.String() == part {
		var err error
		current, err = t.one(func(*row) {}, "SELECT 1 FROM leases WHERE part = ? AND token = ? AND expires > ?",
			part, clamp(f.Token), t.now)
		if err != nil {
			return err
		}
	}
	if !current {
		return fmt.Errorf("%w: token %d is not the current lease of %s", storage.ErrFenced, f.Token, part)
	}
	return nil
}

// Renew implements storage.Driver.
func (d *Driver) Renew(ctx context.Context, f storage.Fence, ttl time.Duration) error {
	if err := storage.CheckRenewal(ttl); err != nil {
		return err
	}
	return d.writer.submit(ctx, &request{work: func(t *tx) error {
		part := f.Partition.String()
		if err := t.fenced(part, f); err != nil {
			return err
		}
		_, err := t.exec("UPDATE leases SET expires = ? WHERE part = ?", t.now+ttl.Milliseconds(), part)
		return err
	}})
}

// Release implements storage.Driver.
func (d *Driver) Release(ctx context.Context, f storage.Fence) error {
	return d.writer.submit(ctx, &request{work: func(t *tx) error {
		_, err := t.exec("DELETE FROM leases WHERE part = ? AND token = ?", f.Partition.String(), clamp(f.Token))
		return err
	}})
}

// Lease implements storage.Driver.
func (d *Driver) Lease(ctx context.Context, p storage.Partition) (storage.LeaseInfo, error) {
	var info storage.LeaseInfo
	err := d.read(ctx, func(c *conn) error {
		ok, err := c.one(ctx, "SELECT holder, token, expires FROM leases WHERE part = ? AND expires > ?",
			func(r *row) { info = storage.LeaseInfo{Holder: r.text(0), Token: r.uint(1), Until: at(r.int(2))} },
			p.String(), d.now())
		if err == nil && !ok {
			err = fmt.Errorf("lease of %s: %w", p, storage.ErrNotFound)
		}
		return err
	})
	return info, err
}
