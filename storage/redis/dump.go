package redis

import (
	"context"
	"errors"
	"fmt"

	"talaria/storage"
)

// Dump reads a partition by one run of dump.lua, which is what makes it one
// consistent state. The server does nothing else meanwhile: some hundred
// milliseconds for a partition of 100 MB. The bytes of blobs, which never
// change under their hash, are read afterwards.
func (d *Driver) Dump(ctx context.Context, p storage.Partition, yield func(storage.Record) error) error {
	s, err := d.snapshot(ctx, p)
	if err != nil {
		return err
	}
	for stored, err := range s.all {
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if err := yield(stored.Record()); err != nil {
			return err
		}
	}
	for n := range s.blobs {
		hash := text(s.blobs, n)
		data, err := d.GetBlob(ctx, p, hash)
		if errors.Is(err, storage.ErrNotFound) {
			continue // deleted since
		}
		if err != nil {
			return err
		}
		if err := yield(storage.Stored{Blob: &storage.StoredBlob{Hash: hash, Data: data}}.Record()); err != nil {
			return err
		}
	}
	return nil
}

// Load writes records by one run of load.lua.
func (d *Driver) Load(ctx context.Context, p storage.Partition, records []storage.Record) error {
	if len(records) == 0 {
		return nil
	}
	r := newRequest(d.space(p), "")
	for _, record := range records {
		s, err := record.Stored()
		if err != nil {
			return fmt.Errorf("%w: %w", storage.ErrInvalid, err)
		}
		encodeStored(r, s)
	}
	_, err := d.change(ctx, d.bulk, d.scripts.load, p, r.keys, func(registered string) []any {
		r.args[0] = registered
		return r.args
	})
	if err != nil {
		return fmt.Errorf("load into %s: %w", p, err)
	}
	return nil
}

// encodeStored appends a record in the form that load.lua reads.
func encodeStored(r *request, s storage.Stored) {
	switch {
	case s.Document != nil:
		v := s.Document
		r.add("document", r.group(documentKeys()), field(v.Ref), int64(v.Revision), unixMilli(v.Expires), v.Value)
	case s.Log != nil:
		r.add("log", r.group(logKeys(s.Log.Log)), s.Log.Log, s.Log.Last)
	case s.Entry != nil:
		r.add("entry", r.group(logKeys(s.Entry.Log)), s.Entry.Log, s.Entry.Offset, s.Entry.Value)
	case s.Counter != nil:
		r.add("counter", s.Counter.Name, s.Counter.Last)
	case s.Event != nil:
		r.add("event", r.group(inboxKeys()), s.Event.Sequence, unixMilli(s.Event.At), s.Event.Value)
	case s.Seen != nil:
		r.add("seen", r.group(inboxKeys()), s.Seen.Key, unixMilli(s.Seen.Until))
	case s.Row != nil:
		v := s.Row
		r.add("row", r.group(outboxKeys()), v.Key, v.Sequence, unixMilli(v.Expires), string(v.State), v.Value)
	case s.Timer != nil:
		r.add("timer", r.group(timerKeys()), s.Timer.ID, unixMilli(s.Timer.Due), s.Timer.Value)
	case s.Indexed != nil:
		v := s.Indexed
		r.add("indexed", r.group(placeKeys(v.Place)), v.Place, v.Doc, encodeCounts(v.Counts), v.Length())
	case s.Blob != nil:
		r.add("blob", r.group(blobKeys(s.Blob.Hash)), s.Blob.Hash, s.Blob.Data)
	}
}
