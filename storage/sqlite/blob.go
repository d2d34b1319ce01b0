package sqlite

import (
	"context"
	"fmt"

	"talaria/storage"
)

// PutBlob implements storage.Driver.
func (d *Driver) PutBlob(ctx context.Context, p storage.Partition, hash string, data []byte) error {
	return d.writer.submit(ctx, &request{work: func(t *tx) error {
		return t.putBlob(p.String(), hash, data)
	}})
}

func (t *tx) putBlob(part, hash string, data []byte) error {
	_, err := t.exec("INSERT INTO blobs (part, hash, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", part, hash, data)
	return err
}

// GetBlob implements storage.Driver.
func (d *Driver) GetBlob(ctx context.Context, p storage.Partition, hash string) ([]byte, error) {
	var data []byte
	err := d.read(ctx, func(c *conn) error {
		ok, err := c.one(ctx, "SELECT data FROM blobs WHERE part = ? AND hash = ?",
			func(r *row) { data = r.bytes(0) }, p.String(), hash)
		if err == nil && !ok {
			err = fmt.Errorf("blob %s: %w", hash, storage.ErrNotFound)
		}
		return err
	})
	return data, err
}

// DeleteBlob implements storage.Driver.
func (d *Driver) DeleteBlob(ctx context.Context, p storage.Partition, hash string) error {
	return d.writer.submit(ctx, &request{work: func(t *tx) error {
		_, err := t.exec("DELETE FROM blobs WHERE part = ? AND hash = ?", p.String(), hash)
		return err
	}})
}
