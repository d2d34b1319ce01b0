package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"talaria/storage"
)

// Rows implements storage.Driver. Each state is read from the index on its
// own, so that the many rows in the other states cost nothing.
func (d *Driver) Rows(ctx context.Context, p storage.Partition, after uint64, limit int, states ...storage.State) ([]storage.Row, error) {
	var rows []storage.Row
	now := d.now()
	err := d.snapshot(ctx, func(c *conn) error {
		for _, state := range slices.Compact(slices.Sorted(slices.Values(states))) {
			err := c.each(ctx, `SELECT key, seq, state, value FROM outbox
				WHERE part = ? AND state = ? AND seq > ? AND expires > ? ORDER BY seq LIMIT ?`,
				func(r *row) error { rows = append(rows, outboxRow(r)); return nil },
				p.String(), string(state), clamp(after), now, max(limit, 0))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b storage.Row) int { return cmp.Compare(a.Sequence, b.Sequence) })
	return rows[:min(len(rows), max(limit, 0))], nil
}

// Row implements storage.Driver.
func (d *Driver) Row(ctx context.Context, p storage.Partition, key string) (storage.Row, error) {
	var found storage.Row
	err := d.read(ctx, func(c *conn) error {
		ok, err := c.one(ctx, "SELECT key, seq, state, value FROM outbox WHERE part = ? AND key = ? AND expires > ?",
			func(r *row) { found = outboxRow(r) }, p.String(), key, d.now())
		if err == nil && !ok {
			err = fmt.Errorf("outbox row %q: %w", key, storage.ErrNotFound)
		}
		return err
	})
	return found, err
}

func outboxRow(r *row) storage.Row {
	return storage.Row{Key: r.text(0), Sequence: r.uint(1), State: storage.State(r.text(2)), Value: r.bytes(3)}
}

// state is that of a row, empty if there is none or it has expired.
func (t *tx) state(part, key string) (storage.State, error) {
	var state storage.State
	_, err := t.one(func(r *row) { state = storage.State(r.text(0)) },
		"SELECT state FROM outbox WHERE part = ? AND key = ? AND expires > ?", part, key, t.now)
	return state, err
}

func (t *tx) queue(part string, op *storage.QueueOp) (storage.Result, error) {
	state, err := t.state(part, op.Key)
	if err != nil || state != "" {
		return storage.Result{Known: state != ""}, err
	}
	seq, err := t.next(part, storage.OutboxCounter)
	if err != nil {
		return storage.Result{}, err
	}
	_, err = t.exec(`INSERT INTO outbox VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
		SET seq = excluded.seq, state = excluded.state, expires = excluded.expires, value = excluded.value`,
		part, op.Key, seq, string(op.State), int64(never), op.Value)
	return storage.Result{Offset: seq}, err
}

func (t *tx) move(part string, op *storage.MoveOp) error {
	state, err := t.state(part, op.Key)
	if err != nil {
		return err
	}
	if state == "" || !slices.Contains(op.From, state) {
		return fmt.Errorf("%w: outbox row %q is in state %q, not in %q", storage.ErrConflict, op.Key, state, op.From)
	}
	if op.Value == nil {
		_, err = t.exec("UPDATE outbox SET state = ?, expires = ? WHERE part = ? AND key = ?",
			string(op.To), t.until(op.TTL), part, op.Key)
		return err
	}
	_, err = t.exec("UPDATE outbox SET state = ?, expires = ?, value = ? WHERE part = ? AND key = ?",
		string(op.To), t.until(op.TTL), op.Value, part, op.Key)
	return err
}
