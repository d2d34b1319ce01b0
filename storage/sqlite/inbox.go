package sqlite

import (
	"context"
	"slices"

	"talaria/storage"
)

// Pending implements storage.Driver.
func (d *Driver) Pending(ctx context.Context, p storage.Partition, after uint64, limit int) ([]storage.InboxEvent, error) {
	var events []storage.InboxEvent
	err := d.read(ctx, func(c *conn) error {
		return c.each(ctx, "SELECT seq, at, value FROM events WHERE part = ? AND seq > ? ORDER BY seq LIMIT ?",
			func(r *row) error {
				events = append(events, storage.InboxEvent{Sequence: r.uint(0), At: at(r.int(1)), Value: r.bytes(2)})
				return nil
			}, p.String(), clamp(after), max(limit, 0))
	})
	if err != nil {
		return nil, err
	}
	return events, nil
}

func (t *tx) receive(part string, op *storage.ReceiveOp) (storage.Result, error) {
	known := false
	for n, key := range op.Keys {
		if slices.Contains(op.Keys[:n], key) {
			continue // named twice, which does not make it known
		}
		seen, err := t.remember(part, key, t.now+op.Remember.Milliseconds())
		if err != nil {
			return storage.Result{}, err
		}
		known = known || seen
	}
	if known {
		return storage.Result{Known: true}, nil
	}
	seq, err := t.next(part, storage.InboxCounter)
	if err != nil {
		return storage.Result{}, err
	}
	_, err = t.exec("INSERT INTO events VALUES (?, ?, ?, ?)", part, seq, t.now, op.Value)
	return storage.Result{Offset: seq}, err
}

// remember keeps a key until a time, or longer if it was kept for longer, and
// reports whether it was known. Most keys are new, which one statement finds out.
func (t *tx) remember(part, key string, until int64) (bool, error) {
	added, err := t.exec("INSERT INTO seen VALUES (?, ?, ?) ON CONFLICT DO NOTHING", part, key, until)
	if err != nil || added > 0 {
		return false, err
	}
	var before int64
	known, err := t.one(func(r *row) { before = r.int(0) },
		"SELECT expires FROM seen WHERE part = ? AND key = ? AND expires > ?", part, key, t.now)
	if err != nil || before >= until {
		return known, err
	}
	_, err = t.exec("UPDATE seen SET expires = ? WHERE part = ? AND key = ?", until, part, key)
	return known, err
}
