package sqlite

import (
	"context"
	"slices"

	"talaria/storage"
)

// ReadLog implements storage.Driver.
func (d *Driver) ReadLog(ctx context.Context, p storage.Partition, log string, from uint64, limit int) ([]storage.Entry, error) {
	return d.entries(ctx, "SELECT pos, value FROM entries WHERE part = ? AND log = ? AND pos >= ? ORDER BY pos LIMIT ?",
		p.String(), log, clamp(from), max(limit, 0))
}

// TailLog implements storage.Driver.
func (d *Driver) TailLog(ctx context.Context, p storage.Partition, log string, limit int) ([]storage.Entry, error) {
	entries, err := d.entries(ctx, "SELECT pos, value FROM entries WHERE part = ? AND log = ? ORDER BY pos DESC LIMIT ?",
		p.String(), log, max(limit, 0))
	slices.Reverse(entries)
	return entries, err
}

func (d *Driver) entries(ctx context.Context, query string, args ...any) ([]storage.Entry, error) {
	var entries []storage.Entry
	err := d.read(ctx, func(c *conn) error {
		return c.each(ctx, query, func(r *row) error {
			entries = append(entries, storage.Entry{Offset: r.uint(0), Value: r.bytes(1)})
			return nil
		}, args...)
	})
	if err != nil {
		return nil, err
	}
	return entries, nil
}

// clamp makes a number fit SQLite's signed integers; nothing stored is beyond.
func clamp(n uint64) int64 { return int64(min(n, never)) }

// last is the highest offset that a log has given, zero for no log.
func (t *tx) last(part, log string) (uint64, error) {
	var last uint64
	_, err := t.one(func(r *row) { last = r.uint(0) }, `SELECT coalesce(
		(SELECT pos FROM entries WHERE part = ?1 AND log = ?2 ORDER BY pos DESC LIMIT 1),
		(SELECT last FROM logs WHERE part = ?1 AND log = ?2), 0)`, part, log)
	return last, err
}

func (t *tx) append(part string, op *storage.AppendOp) (storage.Result, error) {
	last, err := t.last(part, op.Log)
	if err != nil {
		return storage.Result{}, err
	}
	for n, v := range op.Values {
		if _, err := t.exec("INSERT INTO entries VALUES (?, ?, ?, ?)", part, op.Log, last+uint64(n)+1, v); err != nil {
			return storage.Result{}, err
		}
	}
	return storage.Result{Offset: last + 1}, nil
}

func (t *tx) trim(part string, op *storage.TrimOp) error {
	if op.Before == 0 {
		if _, err := t.exec("DELETE FROM logs WHERE part = ? AND log = ?", part, op.Log); err != nil {
			return err
		}
		_, err := t.exec("DELETE FROM entries WHERE part = ? AND log = ?", part, op.Log)
		return err
	}
	last, err := t.last(part, op.Log)
	if err != nil || last == 0 {
		return err
	}
	if last < op.Before { // none will be left to tell the count
		if err := t.keepLast(part, op.Log, last); err != nil {
			return err
		}
	}
	_, err = t.exec("DELETE FROM entries WHERE part = ? AND log = ? AND pos < ?", part, op.Log, clamp(op.Before))
	return err
}

func (t *tx) keepLast(part, log string, last uint64) error {
	_, err := t.exec("INSERT INTO logs VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET last = excluded.last", part, log, last)
	return err
}
