package sqlite

import (
	"context"
	"fmt"

	"talaria/storage"
)

// Get implements storage.Driver. Several documents are of the same moment.
func (d *Driver) Get(ctx context.Context, p storage.Partition, refs ...storage.Ref) ([]storage.Document, error) {
	lend := d.read
	if len(refs) > 1 {
		lend = d.snapshot
	}
	var docs []storage.Document
	now := d.now()
	err := lend(ctx, func(c *conn) error {
		// One row is found before it could be interrupted, and to listen for
		// the end of ctx would take longer than the search.
		ctx := context.WithoutCancel(ctx)
		for _, ref := range refs {
			_, err := c.one(ctx, `SELECT coll, key, rev, expires, value FROM documents
				WHERE part = ? AND coll = ? AND key = ? AND expires > ?`,
				func(r *row) { docs = append(docs, document(r)) }, p.String(), ref.Collection, ref.Key, now)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// List implements storage.Driver.
func (d *Driver) List(ctx context.Context, p storage.Partition, collection, after string, limit int) ([]storage.Document, error) {
	var docs []storage.Document
	err := d.read(ctx, func(c *conn) error {
		return c.each(ctx, `SELECT coll, key, rev, expires, value FROM documents
			WHERE part = ? AND coll = ? AND key > ? AND expires > ? ORDER BY key LIMIT ?`,
			func(r *row) error { docs = append(docs, document(r)); return nil },
			p.String(), collection, after, d.now(), max(limit, 0))
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

func document(r *row) storage.Document {
	return storage.Document{
		Ref:      storage.Ref{Collection: r.text(0), Key: r.text(1)},
		Revision: storage.Revision(r.int(2)),
		Expires:  at(r.int(3)),
		Value:    r.bytes(4),
	}
}

// revision is that of a document, Absent if there is none or it has expired.
func (t *tx) revision(part string, ref storage.Ref) (storage.Revision, error) {
	rev := storage.Absent
	_, err := t.one(func(r *row) { rev = storage.Revision(r.int(0)) },
		"SELECT rev FROM documents WHERE part = ? AND coll = ? AND key = ? AND expires > ?",
		part, ref.Collection, ref.Key, t.now)
	return rev, err
}

// expected returns the revision of a document if it is the expected one.
func (t *tx) expected(part string, ref storage.Ref, expect storage.Revision) (storage.Revision, error) {
	have, err := t.revision(part, ref)
	if err == nil && expect != storage.Any && expect != have {
		err = fmt.Errorf("%w: %s %q is at revision %d, not %d", storage.ErrConflict, ref.Collection, ref.Key, have, expect)
	}
	return have, err
}

func (t *tx) put(part string, op *storage.PutOp) (storage.Result, error) {
	have, err := t.expected(part, op.Ref, op.Expect)
	if err != nil {
		return storage.Result{}, err
	}
	_, err = t.exec(`INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
		SET rev = excluded.rev, expires = excluded.expires, value = excluded.value`,
		part, op.Collection, op.Key, int64(have)+1, t.until(op.TTL), op.Value)
	return storage.Result{Revision: have + 1}, err
}

func (t *tx) remove(part string, op *storage.DeleteOp) error {
	if op.Expect != storage.Any {
		if _, err := t.expected(part, op.Ref, op.Expect); err != nil {
			return err
		}
	}
	_, err := t.exec("DELETE FROM documents WHERE part = ? AND coll = ? AND key = ?", part, op.Collection, op.Key)
	return err
}
