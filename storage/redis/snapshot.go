package redis

import (
	"context"
	"fmt"
	"strings"

	"talaria/storage"
)

// snapshot is the reply of dump.lua: all of a partition but the bytes of its
// blobs, in the form in which it is stored. Pairs alternate name and value.
type snapshot struct {
	now      int64
	counters []any // of inbox and outbox, nil where there is none
	docs     []any // pairs
	names    int64 // how many documents the order of keys has
	events   []any
	seen     []any // pairs
	rows     []any // pairs
	states   int64 // how many rows the order of states has
	timers   []any // pairs of id and value
	due      []any // pairs of id and time
	logs     []any // of each: name, last offset, entries
	places   []any // of each: name, length of its documents, postings, pairs of documents
	blobs    []any // hashes
}

func (d *Driver) snapshot(ctx context.Context, p storage.Partition) (snapshot, error) {
	fixed := []string{"meta", "docs", "names", "inbox", "seen", "rows", "states", "timers", "due"}
	r, err := d.entire(ctx, p, d.scripts.dump, fixed, []any{d.offset.Load()})
	if err != nil && !certain(err) {
		err = unavailable(err) // nothing was changed, in any case
	}
	if err != nil {
		return snapshot{}, fmt.Errorf("read partition %s: %w", p, err)
	}
	return snapshot{
		now: whole(r, 1), counters: list(at(r, 2)), docs: list(at(r, 3)), names: whole(r, 4),
		events: list(at(r, 5)), seen: list(at(r, 6)), rows: list(at(r, 7)), states: whole(r, 8),
		timers: list(at(r, 9)), due: list(at(r, 10)), logs: list(at(r, 11)), places: list(at(r, 12)),
		blobs: list(at(r, 13)),
	}, nil
}

// yield takes a stored thing, or the reason why one can't be read, and says
// whether to go on. So do the functions that call it.
type yield func(storage.Stored, error) bool

// all walks over a snapshot without what had expired and without the blobs.
func (s snapshot) all(y yield) {
	for _, part := range []func(yield) bool{
		s.documents, s.counts, s.inbox, s.remembered, s.outbox, s.timetable, s.journal, s.index,
	} {
		if !part(y) {
			return
		}
	}
}

func (s snapshot) live(expires int64) bool { return expires == 0 || expires > s.now }

func (s snapshot) documents(y yield) bool {
	for n := 0; n < len(s.docs); n += 2 {
		collection, key, _ := strings.Cut(text(s.docs, n), "\x00")
		doc, err := decodeDocument(storage.Ref{Collection: collection, Key: key}, text(s.docs, n+1))
		if err == nil && !doc.Expires.IsZero() && !s.live(doc.Expires.UnixMilli()) {
			continue
		}
		if !y(storage.Stored{Document: &doc}, wrap(err, "document %q %q", collection, key)) {
			return false
		}
	}
	return true
}

func (s snapshot) counts(y yield) bool {
	for n, name := range []string{storage.InboxCounter, storage.OutboxCounter} {
		if at(s.counters, n) == nil {
			continue
		}
		counter := storage.StoredCounter{Name: name, Last: uint64(whole(s.counters, n))}
		if !y(storage.Stored{Counter: &counter}, nil) {
			return false
		}
	}
	return true
}

func (s snapshot) inbox(y yield) bool {
	for n := range s.events {
		event, err := decodeEvent(text(s.events, n))
		if !y(storage.Stored{Event: &event}, wrap(err, "inbox")) {
			return false
		}
	}
	return true
}

func (s snapshot) remembered(y yield) bool {
	for n := 0; n < len(s.seen); n += 2 {
		until, err := score(s.seen, n+1)
		if err == nil && !s.live(until) {
			continue
		}
		seen := storage.StoredKey{Key: text(s.seen, n), Until: moment(until)}
		if !y(storage.Stored{Seen: &seen}, wrap(err, "remembered key %q", seen.Key)) {
			return false
		}
	}
	return true
}

func (s snapshot) outbox(y yield) bool {
	for n := 0; n < len(s.rows); n += 2 {
		row, expires, err := decodeRow(text(s.rows, n), text(s.rows, n+1))
		if err == nil && !expires.IsZero() && !s.live(expires.UnixMilli()) {
			continue
		}
		stored := storage.StoredRow{Row: row, Expires: expires}
		if !y(storage.Stored{Row: &stored}, wrap(err, "outbox row %q", text(s.rows, n))) {
			return false
		}
	}
	return true
}

func (s snapshot) timetable(y yield) bool {
	values := make(map[string]string, len(s.timers)/2)
	for n := 0; n < len(s.timers); n += 2 {
		values[text(s.timers, n)] = text(s.timers, n+1)
	}
	for n := 0; n < len(s.due); n += 2 {
		id := text(s.due, n)
		due, err := score(s.due, n+1)
		value, ok := values[id]
		if !ok && err == nil {
			err = fmt.Errorf("%w: it has no value; set it again", storage.ErrCorrupt)
		}
		timer := storage.Timer{ID: id, Due: moment(due), Value: []byte(value)}
		if !y(storage.Stored{Timer: &timer}, wrap(err, "timer %q", id)) {
			return false
		}
	}
	return true
}

func (s snapshot) journal(y yield) bool {
	for _, l := range s.logs {
		log := storage.StoredLog{Log: text(list(l), 0), Last: uint64(whole(list(l), 1))}
		if !y(storage.Stored{Log: &log}, nil) {
			return false
		}
		for _, stored := range list(at(list(l), 2)) {
			entry, err := decodeEntry(text([]any{stored}, 0))
			if !y(storage.Stored{Entry: &storage.StoredEntry{Log: log.Log, Entry: entry}}, wrap(err, "log %q", log.Log)) {
				return false
			}
		}
	}
	return true
}

func (s snapshot) index(y yield) bool {
	for _, p := range s.places {
		docs := list(at(list(p), 3))
		for n := 0; n < len(docs); n += 2 {
			counts, err := decodeCounts(text(docs, n+1))
			doc := storage.StoredIndex{Place: text(list(p), 0), IndexedDoc: storage.IndexedDoc{Doc: text(docs, n), Counts: counts}}
			if !y(storage.Stored{Indexed: &doc}, wrap(err, "place %q, document %q", doc.Place, doc.Doc)) {
				return false
			}
		}
	}
	return true
}

// wrap says where an error is, if there is one.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}
