package redis

import (
	"context"
	"fmt"

	"talaria/storage"
)

// PutBlob stores bytes under their hash.
func (d *Driver) PutBlob(ctx context.Context, p storage.Partition, hash string, data []byte) error {
	keys := d.space(p).keys(append([]string{"meta"}, blobKeys(hash)...)...)
	if _, err := d.change(ctx, d.bulk, d.scripts.putBlob, p, keys, func(registered string) []any {
		return []any{registered, hash, data}
	}); err != nil {
		return fmt.Errorf("put blob %s of %s: %w", hash, p, err)
	}
	return nil
}

// GetBlob returns ErrNotFound or the bytes.
func (d *Driver) GetBlob(ctx context.Context, p storage.Partition, hash string) ([]byte, error) {
	reply, err := d.repeat(func() (any, error) {
		return d.send(ctx, d.bulk, "get", d.space(p).key("blob:"+hash))
	})
	if err != nil {
		return nil, fmt.Errorf("get blob %s of %s: %w", hash, p, err)
	}
	data, ok := reply.(string)
	if !ok {
		return nil, fmt.Errorf("blob %s of %s: %w", hash, p, storage.ErrNotFound)
	}
	return []byte(data), nil
}

// DeleteBlob removes a blob.
func (d *Driver) DeleteBlob(ctx context.Context, p storage.Partition, hash string) error {
	if _, err := d.run(ctx, d.client, d.scripts.deleteBlob, d.space(p).keys(blobKeys(hash)...), hash); err != nil {
		return fmt.Errorf("delete blob %s of %s: %w", hash, p, err)
	}
	return nil
}
