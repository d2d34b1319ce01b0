package redis

import (
	"context"
	"fmt"
	"strings"

	"talaria/storage"
)

// Get returns the documents that exist and have not expired.
func (d *Driver) Get(ctx context.Context, p storage.Partition, refs ...storage.Ref) ([]storage.Document, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	args := []any{d.offset.Load()}
	for _, r := range refs {
		args = append(args, field(r))
	}
	reply, err := d.read(ctx, d.scripts.get, d.space(p).keys("docs"), args...)
	if err != nil {
		return nil, fmt.Errorf("get documents of %s: %w", p, err)
	}
	now := whole(reply, 0)
	docs := make([]storage.Document, 0, len(refs))
	for n, ref := range refs {
		stored, ok := at(reply, n+1).(string)
		if !ok {
			continue
		}
		doc, err := decodeDocument(ref, stored)
		if err != nil {
			return nil, fmt.Errorf("%s, document %q %q: %w", p, ref.Collection, ref.Key, err)
		}
		if doc.Expires.IsZero() || doc.Expires.UnixMilli() > now {
			docs = append(docs, doc)
		}
	}
	return docs, nil
}

// List returns a page of a collection.
func (d *Driver) List(ctx context.Context, p storage.Partition, collection, after string, limit int) ([]storage.Document, error) {
	if limit <= 0 {
		return nil, nil
	}
	reply, err := d.read(ctx, d.scripts.list, d.space(p).keys("docs", "names"), d.offset.Load(), collection, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list %q of %s: %w", collection, p, err)
	}
	docs := make([]storage.Document, 0, len(reply)/2)
	for n := 0; n < len(reply); n += 2 {
		_, key, _ := strings.Cut(text(reply, n), "\x00")
		doc, err := decodeDocument(storage.Ref{Collection: collection, Key: key}, text(reply, n+1))
		if err != nil {
			return nil, fmt.Errorf("%s, document %q %q: %w", p, collection, key, err)
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

func decodeDocument(ref storage.Ref, stored string) (storage.Document, error) {
	head, value, err := header(stored, " \n")
	if err != nil {
		return storage.Document{}, err
	}
	return storage.Document{Ref: ref, Value: value, Revision: storage.Revision(head[0]), Expires: expiry(head[1])}, nil
}
