package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"talaria/storage"
)

// tables are those with the rows of a partition that a dump gives.
var tables = []string{
	"documents", "entries", "logs", "counters", "events", "seen", "outbox", "timers", "blobs", "indexed",
}

// Partitions implements storage.Driver.
func (d *Driver) Partitions(ctx context.Context, yield func(storage.Partition) error) error {
	names := map[string]bool{}
	err := d.snapshot(ctx, func(c *conn) error {
		for _, table := range tables {
			if err := partitionsOf(ctx, c, table, names); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		p, err := storage.ParsePartition(name)
		if err != nil {
			return d.explain(fmt.Errorf("%w: %w", storage.ErrCorrupt, err))
		}
		if err := yield(p); err != nil {
			return err
		}
	}
	return nil
}

// partitionsOf leaps from one partition of a table to the next, which for
// large partitions is much less than reading them all.
func partitionsOf(ctx context.Context, c *conn, table string, names map[string]bool) error {
	part, found, err := "", true, error(nil)
	for found {
		found, err = c.one(ctx, "SELECT part FROM "+table+" WHERE part > ? ORDER BY part LIMIT 1",
			func(r *row) { part = r.text(0) }, part)
		if err != nil {
			return err
		}
		if found {
			names[part] = true
		}
	}
	return nil
}

// dumps read a partition's rows; the arguments are its name and the time.
var dumps = []struct {
	query  string
	record func(*row) (storage.Stored, error)
}{
	{
		"SELECT coll, key, rev, expires, value FROM documents WHERE part = ?1 AND expires > ?2",
		func(r *row) (storage.Stored, error) {
			d := document(r)
			return storage.Stored{Document: &d}, nil
		},
	}, {
		`SELECT log, max(last) FROM (
			SELECT log, last FROM logs WHERE part = ?1 UNION ALL
			SELECT log, max(pos) FROM entries WHERE part = ?1 GROUP BY log) WHERE ?2 >= 0 GROUP BY log`,
		func(r *row) (storage.Stored, error) {
			return storage.Stored{Log: &storage.StoredLog{Log: r.text(0), Last: r.uint(1)}}, nil
		},
	}, {
		"SELECT log, pos, value FROM entries WHERE part = ?1 AND ?2 >= 0",
		func(r *row) (storage.Stored, error) {
			return storage.Stored{Entry: &storage.StoredEntry{
				Log: r.text(0), Entry: storage.Entry{Offset: r.uint(1), Value: r.bytes(2)}}}, nil
		},
	}, {
		"SELECT name, last FROM counters WHERE part = ?1 AND ?2 >= 0",
		func(r *row) (storage.Stored, error) {
			return storage.Stored{Counter: &storage.StoredCounter{Name: r.text(0), Last: r.uint(1)}}, nil
		},
	}, {
		"SELECT seq, at, value FROM events WHERE part = ?1 AND ?2 >= 0",
		func(r *row) (storage.Stored, error) {
			return storage.Stored{Event: &storage.InboxEvent{Sequence: r.uint(0), At: at(r.int(1)), Value: r.bytes(2)}}, nil
		},
	}, {
		"SELECT key, expires FROM seen WHERE part = ?1 AND expires > ?2",
		func(r *row) (storage.Stored, error) {
			return storage.Stored{Seen: &storage.StoredKey{Key: r.text(0), Until: at(r.int(1))}}, nil
		},
	}, {
		"SELECT key, seq, state, value, expires FROM outbox WHERE part = ?1 AND expires > ?2",
		func(r *row) (storage.Stored, error) {
			return storage.Stored{Row: &storage.StoredRow{Row: outboxRow(r), Expires: at(r.int(4))}}, nil
		},
	}, {
		"SELECT id, due, value FROM timers WHERE part = ?1 AND ?2 >= 0",
		func(r *row) (storage.Stored, error) {
			return storage.Stored{Timer: &storage.Timer{ID: r.text(0), Due: at(r.int(1)), Value: r.bytes(2)}}, nil
		},
	}, {
		"SELECT hash, data FROM blobs WHERE part = ?1 AND ?2 >= 0",
		func(r *row) (storage.Stored, error) {
			return storage.Stored{Blob: &storage.StoredBlob{Hash: r.text(0), Data: r.bytes(1)}}, nil
		},
	}, {
		"SELECT place, doc, counts FROM indexed WHERE part = ?1 AND ?2 >= 0 ORDER BY place, doc",
		func(r *row) (storage.Stored, error) {
			counts, err := decodeCounts(r.bytes(2))
			return storage.Stored{Indexed: &storage.StoredIndex{
				Place: r.text(0), IndexedDoc: storage.IndexedDoc{Doc: r.text(1), Counts: counts}}}, err
		},
	},
}

// Dump implements storage.Driver.
func (d *Driver) Dump(ctx context.Context, p storage.Partition, yield func(storage.Record) error) error {
	var stopped error // yield's own error, which needs no explanation
	err := d.snapshot(ctx, func(c *conn) error {
		now := d.now()
		for _, dump := range dumps {
			err := c.each(ctx, dump.query, func(r *row) error {
				s, err := dump.record(r)
				if err != nil {
					return err
				}
				stopped = yield(s.Record())
				return stopped
			}, p.String(), now)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if stopped != nil {
		return stopped
	}
	return err
}

// Load implements storage.Driver.
func (d *Driver) Load(ctx context.Context, p storage.Partition, records []storage.Record) error {
	return d.writer.submit(ctx, &request{durable: true, late: true, work: func(t *tx) error {
		for _, r := range records {
			s, err := r.Stored()
			if err != nil {
				return fmt.Errorf("%w: %w", storage.ErrInvalid, err)
			}
			if err := t.load(p.String(), s); err != nil {
				return err
			}
		}
		return nil
	}})
}

func (t *tx) load(part string, s storage.Stored) error {
	var err error
	switch {
	case s.Document != nil:
		v := s.Document
		_, err = t.exec("INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?)",
			part, v.Collection, v.Key, int64(v.Revision), stored(v.Expires), v.Value)
	case s.Log != nil:
		err = t.keepLast(part, s.Log.Log, s.Log.Last)
	case s.Entry != nil:
		_, err = t.exec("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", part, s.Entry.Log, s.Entry.Offset, s.Entry.Value)
	case s.Counter != nil:
		_, err = t.exec("INSERT OR REPLACE INTO counters VALUES (?, ?, ?)", part, s.Counter.Name, s.Counter.Last)
	case s.Event != nil:
		_, err = t.exec("INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?)", part, s.Event.Sequence, stored(s.Event.At), s.Event.Value)
	case s.Seen != nil:
		_, err = t.remember(part, s.Seen.Key, stored(s.Seen.Until))
	case s.Row != nil:
		v := s.Row
		_, err = t.exec("INSERT OR REPLACE INTO outbox VALUES (?, ?, ?, ?, ?, ?)",
			part, v.Key, v.Sequence, string(v.State), stored(v.Expires), v.Value)
	case s.Timer != nil:
		err = t.setTimer(part, *s.Timer)
	case s.Blob != nil:
		err = t.putBlob(part, s.Blob.Hash, s.Blob.Data)
	case s.Indexed != nil:
		err = t.index(part, s.Indexed.Place, s.Indexed.IndexedDoc)
	}
	return err
}

// Erase implements storage.Driver. What is deleted is overwritten in the file
// (secure_delete); afterwards copies of it in unused space are wiped and the
// write-ahead log is emptied.
func (d *Driver) Erase(ctx context.Context, p storage.Partition) error {
	return d.writer.submit(ctx, &request{durable: true, scrub: true, work: func(t *tx) error {
		for _, query := range []string{
			"DELETE FROM postings WHERE rowid IN (SELECT id FROM indexed WHERE part = ?)",
			"DELETE FROM indexed_ids WHERE id IN (SELECT id FROM indexed WHERE part = ?)",
		} {
			if _, err := t.exec(query, p.String()); err != nil {
				return err
			}
		}
		for _, table := range append([]string{"places", "leases"}, tables...) {
			if _, err := t.exec("DELETE FROM "+table+" WHERE part = ?", p.String()); err != nil {
				return err
			}
		}
		return nil
	}})
}
