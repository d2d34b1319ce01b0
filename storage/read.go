package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"
)

// Doc is a decoded document.
type Doc[T any] struct {
	Key      string
	Value    T
	Revision Revision
	Expires  time.Time
}

// Get returns one document, or ErrNotFound.
func Get[T any](ctx context.Context, s *Store, p Partition, collection, key string) (Doc[T], error) {
	docs, err := GetAll[T](ctx, s, p, Ref{collection, key})
	if err != nil {
		return Doc[T]{}, err
	}
	if len(docs) == 0 {
		return Doc[T]{}, fmt.Errorf("%s %q: %w", collection, key, ErrNotFound)
	}
	return docs[0], nil
}

// GetAll returns those of the documents that exist, in no order.
func GetAll[T any](ctx context.Context, s *Store, p Partition, refs ...Ref) ([]Doc[T], error) {
	for _, r := range refs {
		if err := checkName(r.Key); err != nil {
			return nil, fmt.Errorf("%w: %v", ErrInvalid, err)
		}
	}
	raw, err := s.d.Get(ctx, p, refs...)
	if err != nil {
		return nil, err
	}
	return decodeDocs[T](p, raw)
}

// List returns up to limit documents of a collection with key > after, by key.
func List[T any](ctx context.Context, s *Store, p Partition, collection, after string, limit int) ([]Doc[T], error) {
	raw, err := s.d.List(ctx, p, collection, after, limit)
	if err != nil {
		return nil, err
	}
	return decodeDocs[T](p, raw)
}

// listPage is how many documents All reads at once.
const listPage = 100

// All returns every document of a collection with key > after, by key. They are
// read a page at a time while the loop goes on: what changes meanwhile is seen
// or not, and the loop may remove what it was given. An error comes last.
func All[T any](ctx context.Context, s *Store, p Partition, collection, after string) iter.Seq2[Doc[T], error] {
	return func(yield func(Doc[T], error) bool) {
		for {
			docs, err := List[T](ctx, s, p, collection, after, listPage)
			if err != nil {
				yield(Doc[T]{}, err)
				return
			}
			for _, d := range docs {
				if after = d.Key; !yield(d, nil) {
					return
				}
			}
			if len(docs) < listPage {
				return
			}
		}
	}
}

func decodeDocs[T any](p Partition, raw []Document) ([]Doc[T], error) {
	docs := make([]Doc[T], 0, len(raw))
	for _, r := range raw {
		d := Doc[T]{Key: r.Key, Revision: r.Revision, Expires: r.Expires}
		if err := decode(r.Value, &d.Value, p, r.Collection, r.Key); err != nil {
			return nil, err
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// decode fills v. Damage is told apart from absence: an unreadable document
// must never be taken for a missing one and be overwritten.
func decode(data []byte, v any, p Partition, where ...string) error {
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%w: %s %v: %v; restore it from a backup or delete it", ErrCorrupt, p, where, err)
	}
	return nil
}

// LogEntry is a decoded entry of a log.
type LogEntry[T any] struct {
	Offset uint64
	Value  T
}

// ReadLog returns up to limit entries of a log with offset >= from, in order;
// none for a log that does not exist.
func ReadLog[T any](ctx context.Context, s *Store, p Partition, log string, from uint64, limit int) ([]LogEntry[T], error) {
	raw, err := s.d.ReadLog(ctx, p, log, from, limit)
	if err != nil {
		return nil, err
	}
	return decodeEntries[T](p, log, raw)
}

// TailLog returns the last limit entries of a log, in order.
func TailLog[T any](ctx context.Context, s *Store, p Partition, log string, limit int) ([]LogEntry[T], error) {
	raw, err := s.d.TailLog(ctx, p, log, limit)
	if err != nil {
		return nil, err
	}
	return decodeEntries[T](p, log, raw)
}

func decodeEntries[T any](p Partition, log string, raw []Entry) ([]LogEntry[T], error) {
	entries := make([]LogEntry[T], len(raw))
	for n, r := range raw {
		entries[n].Offset = r.Offset
		if err := decode(r.Value, &entries[n].Value, p, log, fmt.Sprint(r.Offset)); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// Pending returns up to limit undecoded events of an inbox, in order. They
// are left undecoded so that one damaged event can be set aside by its reader
// and does not hide the others.
func (s *Store) Pending(ctx context.Context, p Partition, after uint64, limit int) ([]InboxEvent, error) {
	return s.d.Pending(ctx, p, after, limit)
}

// Rows returns up to limit outbox rows in one of the states, by sequence.
func (s *Store) Rows(ctx context.Context, p Partition, after uint64, limit int, states ...State) ([]Row, error) {
	return s.d.Rows(ctx, p, after, limit, states...)
}

// Row returns one outbox row, or ErrNotFound.
func (s *Store) Row(ctx context.Context, p Partition, key string) (Row, error) {
	return s.d.Row(ctx, p, key)
}

// Due returns up to limit timers of a partition that are due and unclaimed.
func (s *Store) Due(ctx context.Context, p Partition, now time.Time, limit int) ([]Timer, error) {
	return s.d.Due(ctx, p, now, limit)
}

// NextDue is the earliest due time of a partition's timers, or ErrNotFound.
func (s *Store) NextDue(ctx context.Context, p Partition) (time.Time, error) {
	return s.d.NextDue(ctx, p)
}

// Acquire takes a partition's lease, or returns ErrHeld.
func (s *Store) Acquire(ctx context.Context, p Partition, holder string, ttl time.Duration) (Fence, error) {
	return s.d.Acquire(ctx, p, holder, ttl)
}

// Renew prolongs a lease, or returns ErrFenced once it is another's.
func (s *Store) Renew(ctx context.Context, f Fence, ttl time.Duration) error {
	return s.d.Renew(ctx, f, ttl)
}

// Release gives a lease up.
func (s *Store) Release(ctx context.Context, f Fence) error { return s.d.Release(ctx, f) }

// Lease tells who holds a partition's lease, or ErrNotFound.
func (s *Store) Lease(ctx context.Context, p Partition) (LeaseInfo, error) { return s.d.Lease(ctx, p) }

// Publish sends a best-effort message to all subscribers in all replicas.
func (s *Store) Publish(ctx context.Context, topic string, payload []byte) error {
	return s.d.Publish(ctx, topic, payload)
}

// Subscribe receives messages until ctx ends.
func (s *Store) Subscribe(ctx context.Context, topics ...string) (<-chan Message, error) {
	return s.d.Subscribe(ctx, topics...)
}

// Check looks for damage; no findings is a sound store.
func (s *Store) Check(ctx context.Context) ([]string, error) { return s.d.Check(ctx) }

// Durability says what survives a power cut.
func (s *Store) Durability(ctx context.Context) (string, bool, error) { return s.d.Durability(ctx) }

// Erase removes everything in a partition for good.
func (s *Store) Erase(ctx context.Context, p Partition) error { return s.d.Erase(ctx, p) }

// Dump calls yield for everything that a partition holds, in no order, as of
// one moment: for whoever has to say all that is kept of somebody. yield must
// not call the store.
func (s *Store) Dump(ctx context.Context, p Partition, yield func(Record) error) error {
	return s.d.Dump(ctx, p, yield)
}
