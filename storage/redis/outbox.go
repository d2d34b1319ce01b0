package redis

import (
	"context"
	"fmt"
	"strings"
	"time"

	"talaria/storage"
)

// Rows returns rows in one of the states, by sequence.
func (d *Driver) Rows(ctx context.Context, p storage.Partition, after uint64, limit int, states ...storage.State) ([]storage.Row, error) {
	if limit <= 0 || len(states) == 0 {
		return nil, nil
	}
	args := listed(texts(states), d.offset.Load(), fmt.Sprintf("%020d", after), limit)
	reply, err := d.read(ctx, d.scripts.rows, d.space(p).keys("rows", "states"), args...)
	if err != nil {
		return nil, fmt.Errorf("list outbox rows of %s: %w", p, err)
	}
	rows := make([]storage.Row, 0, len(reply)/2)
	for n := 0; n < len(reply); n += 2 {
		row, _, err := decodeRow(text(reply, n), text(reply, n+1))
		if err != nil {
			return nil, fmt.Errorf("%s, outbox row %q: %w", p, text(reply, n), err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Row returns one row, or ErrNotFound.
func (d *Driver) Row(ctx context.Context, p storage.Partition, key string) (storage.Row, error) {
	reply, err := d.read(ctx, d.scripts.get, d.space(p).keys("rows"), d.offset.Load(), key)
	if err != nil {
		return storage.Row{}, fmt.Errorf("get outbox row %q of %s: %w", key, p, err)
	}
	stored, ok := at(reply, 1).(string)
	if !ok {
		return storage.Row{}, fmt.Errorf("outbox row %q of %s: %w", key, p, storage.ErrNotFound)
	}
	row, expires, err := decodeRow(key, stored)
	if err != nil {
		return storage.Row{}, fmt.Errorf("%s, outbox row %q: %w", p, key, err)
	}
	if !expires.IsZero() && expires.UnixMilli() <= whole(reply, 0) {
		return storage.Row{}, fmt.Errorf("outbox row %q of %s: %w", key, p, storage.ErrNotFound)
	}
	return row, nil
}

func decodeRow(key, stored string) (storage.Row, time.Time, error) {
	head, rest, err := header(stored, "  ")
	if err != nil {
		return storage.Row{}, time.Time{}, err
	}
	state, value, ok := strings.Cut(string(rest), "\n")
	if !ok {
		return storage.Row{}, time.Time{}, fmt.Errorf("%w: an outbox row without a state", storage.ErrCorrupt)
	}
	row := storage.Row{Key: key, Sequence: uint64(head[0]), State: storage.State(state), Value: []byte(value)}
	return row, expiry(head[1]), nil
}
