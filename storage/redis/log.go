package redis

import (
	"context"
	"fmt"

	"talaria/storage"
)

// ReadLog returns entries from an offset on.
func (d *Driver) ReadLog(ctx context.Context, p storage.Partition, log string, from uint64, limit int) ([]storage.Entry, error) {
	if limit <= 0 {
		return nil, nil
	}
	reply, err := d.query(ctx, "zrangebyscore", d.space(p).key("log:"+log), from, "+inf", "limit", 0, limit)
	if err != nil {
		return nil, fmt.Errorf("read log %q of %s: %w", log, p, err)
	}
	return decodeEntries(p, log, list(reply))
}

// TailLog returns the last entries.
func (d *Driver) TailLog(ctx context.Context, p storage.Partition, log string, limit int) ([]storage.Entry, error) {
	if limit <= 0 {
		return nil, nil
	}
	reply, err := d.query(ctx, "zrange", d.space(p).key("log:"+log), -limit, -1)
	if err != nil {
		return nil, fmt.Errorf("read the end of log %q of %s: %w", log, p, err)
	}
	return decodeEntries(p, log, list(reply))
}

func decodeEntries(p storage.Partition, log string, reply []any) ([]storage.Entry, error) {
	entries := make([]storage.Entry, len(reply))
	for n := range reply {
		var err error
		if entries[n], err = decodeEntry(text(reply, n)); err != nil {
			return nil, fmt.Errorf("%s, log %q: %w", p, log, err)
		}
	}
	return entries, nil
}

func decodeEntry(stored string) (storage.Entry, error) {
	head, value, err := header(stored, ":")
	if err != nil {
		return storage.Entry{}, err
	}
	return storage.Entry{Offset: uint64(head[0]), Value: value}, nil
}

// Pending returns the events that are not done.
func (d *Driver) Pending(ctx context.Context, p storage.Partition, after uint64, limit int) ([]storage.InboxEvent, error) {
	if limit <= 0 {
		return nil, nil
	}
	reply, err := d.query(ctx, "zrangebyscore", d.space(p).key("inbox"), fmt.Sprintf("(%d", after), "+inf", "limit", 0, limit)
	if err != nil {
		return nil, fmt.Errorf("read the inbox of %s: %w", p, err)
	}
	events := make([]storage.InboxEvent, len(list(reply)))
	for n := range events {
		if events[n], err = decodeEvent(text(list(reply), n)); err != nil {
			return nil, fmt.Errorf("%s, inbox: %w", p, err)
		}
	}
	return events, nil
}

func decodeEvent(stored string) (storage.InboxEvent, error) {
	head, value, err := header(stored, "::")
	if err != nil {
		return storage.InboxEvent{}, err
	}
	return storage.InboxEvent{Sequence: uint64(head[0]), At: moment(head[1]), Value: value}, nil
}
