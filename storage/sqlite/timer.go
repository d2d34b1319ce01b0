package sqlite

import (
	"context"
	"fmt"
	"time"

	"talaria/storage"
)

// Due implements storage.Driver.
func (d *Driver) Due(ctx context.Context, p storage.Partition, now time.Time, limit int) ([]storage.Timer, error) {
	var timers []storage.Timer
	err := d.read(ctx, func(c *conn) error {
		return c.each(ctx, `SELECT id, due, value FROM timers
			WHERE part = ? AND due <= ? AND claimed <= ? ORDER BY due, id LIMIT ?`,
			func(r *row) error {
				timers = append(timers, storage.Timer{ID: r.text(0), Due: at(r.int(1)), Value: r.bytes(2)})
				return nil
			}, p.String(), now.UnixMilli(), d.now(), max(limit, 0))
	})
	if err != nil {
		return nil, err
	}
	return timers, nil
}

// NextDue implements storage.Driver.
func (d *Driver) NextDue(ctx context.Context, p storage.Partition) (time.Time, error) {
	var due time.Time
	err := d.read(ctx, func(c *conn) error {
		ok, err := c.one(ctx, "SELECT due FROM timers WHERE part = ? ORDER BY due LIMIT 1",
			func(r *row) { due = at(r.int(0)) }, p.String())
		if err == nil && !ok {
			err = fmt.Errorf("timers of %s: %w", p, storage.ErrNotFound)
		}
		return err
	})
	return due, err
}

func (t *tx) setTimer(part string, timer storage.Timer) error {
	_, err := t.exec("INSERT OR REPLACE INTO timers VALUES (?, ?, ?, 0, ?)",
		part, timer.ID, timer.Due.UnixMilli(), timer.Value)
	return err
}

func (t *tx) claimTimer(part string, op *storage.ClaimTimerOp) (storage.Result, error) {
	n, err := t.exec("UPDATE timers SET claimed = ? WHERE part = ? AND id = ? AND due = ? AND claimed <= ?",
		t.now+op.Lease.Milliseconds(), part, op.ID, op.Due.UnixMilli(), t.now)
	return storage.Result{Known: n == 0}, err
}

func (t *tx) settleTimer(part string, op *storage.SettleTimerOp) error {
	if op.Next.IsZero() {
		_, err := t.exec("DELETE FROM timers WHERE part = ? AND id = ? AND due = ?", part, op.ID, op.Due.UnixMilli())
		return err
	}
	_, err := t.exec("UPDATE timers SET due = ?, claimed = 0 WHERE part = ? AND id = ? AND due = ?",
		op.Next.UnixMilli(), part, op.ID, op.Due.UnixMilli())
	return err
}
