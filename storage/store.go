package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// MaxValue is the largest value of a document, entry, event or row, in bytes.
// Larger content belongs into a blob.
const MaxValue = 4 << 20

// MaxBlob is the largest blob, in bytes.
const MaxBlob = 64 << 20

// Store is what callers hold. It is safe for concurrent use.
type Store struct{ d Driver }

// New returns a store over a driver, which the store owns from then on.
func New(d Driver) *Store { return &Store{d: d} }

// Close closes the driver.
func (s *Store) Close() error { return s.d.Close() }

// Now is the store's clock: the one that leases and timers go by.
func (s *Store) Now(ctx context.Context) (time.Time, error) { return s.d.Now(ctx) }

// Batch collects operations on one partition. Build it, then Commit it. A
// mistake in an operation (a bad name, a value that can't be encoded) is kept
// and returned by Commit.
type Batch struct {
	ops Ops
	err error
}

// On begins a batch on a partition.
func On(p Partition) *Batch { return &Batch{ops: Ops{Partition: p}} }

// Under begins a batch that applies only while f is the current lease of its
// partition.
func Under(f Fence) *Batch { return &Batch{ops: Ops{Partition: f.Partition, Fence: &f}} }

// Durable asks that the batch is on disk when Commit returns.
func (b *Batch) Durable() *Batch { b.ops.Durable = true; return b }

// Len is the number of operations so far; the next one's result has this index.
func (b *Batch) Len() int { return len(b.ops.Ops) }

// Put writes v, encoded as JSON, if the document's revision is expect.
func (b *Batch) Put(collection, key string, v any, expect Revision) *Batch {
	return b.PutFor(collection, key, v, expect, 0)
}

// PutFor is Put of a document that expires after ttl.
func (b *Batch) PutFor(collection, key string, v any, expect Revision, ttl time.Duration) *Batch {
	b.name(collection, key)
	return b.add(Op{Put: &PutOp{Ref: Ref{collection, key}, Value: b.encode(v), Expect: expect, TTL: ttl}})
}

// Delete removes a document if its revision is expect.
func (b *Batch) Delete(collection, key string, expect Revision) *Batch {
	b.name(collection, key)
	return b.add(Op{Delete: &DeleteOp{Ref: Ref{collection, key}, Expect: expect}})
}

// Append adds values, each encoded as JSON, to a log.
func (b *Batch) Append(log string, values ...any) *Batch {
	b.name(log)
	op := &AppendOp{Log: log}
	for _, v := range values {
		op.Values = append(op.Values, b.encode(v))
	}
	return b.add(Op{Append: op})
}

// Trim removes the entries of a log before an offset, all of it for zero.
func (b *Batch) Trim(log string, before uint64) *Batch {
	b.name(log)
	return b.add(Op{Trim: &TrimOp{Log: log, Before: before}})
}

// Receive adds an event to the inbox unless one of its keys is known.
func (b *Batch) Receive(keys []string, v any, remember time.Duration) *Batch {
	b.name(keys...)
	return b.add(Op{Receive: &ReceiveOp{Keys: keys, Value: b.encode(v), Remember: remember}})
}

// Done removes an event from the inbox.
func (b *Batch) Done(sequence uint64) *Batch { return b.add(Op{Done: &DoneOp{sequence}}) }

// Queue adds an outbox row unless its key is there.
func (b *Batch) Queue(key string, state State, v any) *Batch {
	b.name(key)
	return b.add(Op{Queue: &QueueOp{Key: key, State: state, Value: b.encode(v)}})
}

// Move changes a row's state, and its value if v is not nil. A ttl other than
// zero has the row forgotten after it.
func (b *Batch) Move(key string, from []State, to State, v any, ttl time.Duration) *Batch {
	b.name(key)
	op := &MoveOp{Key: key, From: from, To: to, TTL: ttl}
	if v != nil {
		op.Value = b.encode(v)
	}
	return b.add(Op{Move: op})
}

// SetTimer sets or replaces a timer.
func (b *Batch) SetTimer(id string, due time.Time, v any) *Batch {
	b.name(id)
	return b.add(Op{SetTimer: &SetTimerOp{Timer{ID: id, Due: milli(due), Value: b.encode(v)}}})
}

// ClaimTimer takes the right to hand a due timer over.
func (b *Batch) ClaimTimer(id string, due time.Time, lease time.Duration) *Batch {
	b.name(id)
	return b.add(Op{ClaimTimer: &ClaimTimerOp{ID: id, Due: milli(due), Lease: lease}})
}

// SettleTimer ends a timer that was handed over; next may be zero.
func (b *Batch) SettleTimer(id string, due, next time.Time) *Batch {
	b.name(id)
	return b.add(Op{SettleTimer: &SettleTimerOp{ID: id, Due: milli(due), Next: milli(next)}})
}

// Index adds a document's terms to a place's index.
func (b *Batch) Index(place, doc string, counts map[string]int) *Batch {
	b.name(place, doc)
	for t, n := range counts {
		b.name(t)
		if n < 1 {
			b.fail("term %q has count %d", t, n)
		}
	}
	return b.add(Op{Index: &IndexOp{Place: place, IndexedDoc: IndexedDoc{Doc: doc, Counts: counts}}})
}

// Unindex removes a document from a place's index.
func (b *Batch) Unindex(place, doc string) *Batch {
	b.name(place, doc)
	return b.add(Op{Unindex: &UnindexOp{Place: place, Doc: doc}})
}

func (b *Batch) add(op Op) *Batch { b.ops.Ops = append(b.ops.Ops, op); return b }

func (b *Batch) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("%w: "+format, append([]any{ErrInvalid}, args...)...)
	}
}

func (b *Batch) name(names ...string) {
	for _, n := range names {
		if err := checkName(n); err != nil {
			b.fail("%v", err)
		}
	}
}

func (b *Batch) encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		b.fail("encode %T: %v", v, err)
	}
	if len(data) > MaxValue {
		b.fail("value of %d bytes is over the limit of %d", len(data), MaxValue)
	}
	return data
}

func checkName(n string) error {
	switch {
	case n == "":
		return fmt.Errorf("empty name")
	case len(n) > 512:
		return fmt.Errorf("name of %d bytes is over the limit of 512", len(n))
	case !utf8.ValidString(n):
		return fmt.Errorf("name %q is not valid UTF-8", n)
	}
	for i := range len(n) {
		if n[i] == 0 {
			return fmt.Errorf("name %q holds a NUL", n)
		}
	}
	return nil
}

func milli(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Millisecond)
}

// Commit applies a batch: all of it, or nothing with ErrConflict, ErrFenced,
// ErrInvalid or ErrUnavailable. After any other error the outcome is unknown.
func (s *Store) Commit(ctx context.Context, b *Batch) ([]Result, error) {
	if b.err != nil {
		return nil, b.err
	}
	if len(b.ops.Ops) == 0 {
		return nil, nil
	}
	if err := b.ops.Check(); err != nil {
		return nil, err
	}
	return s.d.Apply(ctx, b.ops)
}
