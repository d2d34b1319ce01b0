package storage

import (
	"context"
	"errors"
	"time"
)

// The errors of the contract. Drivers return them wrapped or bare; anything
// else means that the outcome of a write is unknown.
var (
	// ErrNotFound: no such document, log, row or blob.
	ErrNotFound = errors.New("not found")
	// ErrConflict: an expectation about a revision or state did not hold;
	// nothing of the batch was applied.
	ErrConflict = errors.New("conflict")
	// ErrFenced: the batch's fence is not the partition's current lease;
	// nothing of the batch was applied.
	ErrFenced = errors.New("fenced")
	// ErrHeld: another holder has the lease.
	ErrHeld = errors.New("lease is held")
	// ErrUnavailable: the store can't be reached or is out of space; nothing
	// was applied and the call may be repeated.
	ErrUnavailable = errors.New("store unavailable")
	// ErrCorrupt: what is stored can't be read; the text names where and the remedy.
	ErrCorrupt = errors.New("store damaged")
	// ErrInvalid: the request breaks a rule of the contract.
	ErrInvalid = errors.New("refused")
)

// Driver is what a store is made of. All calls may overlap and may block
// until ctx ends. A driver does not retry after a write whose outcome is
// unknown. Byte slices passed in are not kept or changed; those returned are
// the caller's. Names (collections, keys, logs, places, terms) are non-empty
// valid UTF-8 without NUL, at most 512 bytes; the Store has checked them.
type Driver interface {
	// Apply performs all of b's operations in order in one atomic step, or
	// none. The results stand at the index of their operation.
	Apply(ctx context.Context, b Ops) ([]Result, error)

	// Get returns the documents that exist and have not expired, in no order.
	Get(ctx context.Context, p Partition, refs ...Ref) ([]Document, error)
	// List returns up to limit documents of a collection with key > after, by key.
	List(ctx context.Context, p Partition, collection, after string, limit int) ([]Document, error)

	// ReadLog returns up to limit entries with offset >= from, in order.
	ReadLog(ctx context.Context, p Partition, log string, from uint64, limit int) ([]Entry, error)
	// TailLog returns the last limit entries, in order.
	TailLog(ctx context.Context, p Partition, log string, limit int) ([]Entry, error)

	// Pending returns up to limit events of the inbox that are not done, with
	// sequence > after, in order.
	Pending(ctx context.Context, p Partition, after uint64, limit int) ([]InboxEvent, error)

	// Rows returns up to limit outbox rows in one of the states, with
	// sequence > after, by sequence.
	Rows(ctx context.Context, p Partition, after uint64, limit int, states ...State) ([]Row, error)
	// Row returns one outbox row by key.
	Row(ctx context.Context, p Partition, key string) (Row, error)

	// Due returns up to limit timers that are due at now and not under a
	// claim by the store's clock, by due time, then id.
	Due(ctx context.Context, p Partition, now time.Time, limit int) ([]Timer, error)
	// NextDue is the earliest due time of any timer, or ErrNotFound.
	NextDue(ctx context.Context, p Partition) (time.Time, error)

	// IndexStats counts for one place: documents, their total length in
	// terms, and for each term in how many documents it occurs.
	IndexStats(ctx context.Context, p Partition, place string, terms []string) (IndexStats, error)
	// Postings returns for each term the documents of the place that hold it,
	// at most limit a term, the greatest document ids (by their bytes) first.
	Postings(ctx context.Context, p Partition, place string, terms []string, limit int) ([][]string, error)
	// Indexed returns the indexed form of those of docs that exist, in no order.
	Indexed(ctx context.Context, p Partition, place string, docs []string) ([]IndexedDoc, error)

	// Acquire takes the partition's lease for ttl; see CheckLease. The token is greater than
	// all earlier ones of this partition. A holder that has it already gets a
	// new token. ErrHeld if another one has it. A lease that has expired is
	// nobody's: not even its old holder's fence is current any more. Tokens
	// keep growing across release, expiry and Erase.
	Acquire(ctx context.Context, p Partition, holder string, ttl time.Duration) (Fence, error)
	// Renew prolongs a lease that is still f's, from now; ErrFenced otherwise.
	Renew(ctx context.Context, f Fence, ttl time.Duration) error
	// Release ends f's lease if it still is f's; that it is not is no error.
	Release(ctx context.Context, f Fence) error
	// Lease returns the current holder, or ErrNotFound if nobody has it.
	Lease(ctx context.Context, p Partition) (LeaseInfo, error)

	// PutBlob stores bytes under their hash (lower-case hex SHA-256), again
	// without effect if they are there.
	PutBlob(ctx context.Context, p Partition, hash string, data []byte) error
	// GetBlob returns ErrNotFound or the bytes.
	GetBlob(ctx context.Context, p Partition, hash string) ([]byte, error)
	// DeleteBlob removes it; that it is not there is no error.
	DeleteBlob(ctx context.Context, p Partition, hash string) error

	// Publish sends to whoever is subscribed now, in any process. Best effort.
	Publish(ctx context.Context, topic string, payload []byte) error
	// Subscribe receives the messages of at least one topic until ctx ends, then
	// the channel is closed. Messages
	// may be lost when the reader is slow or the connection breaks.
	Subscribe(ctx context.Context, topics ...string) (<-chan Message, error)

	// Now is the store's clock, in UTC, with the offset the driver was made with.
	Now(ctx context.Context) (time.Time, error)

	// Partitions calls yield once for every partition that holds anything that
	// Dump would give (one whose content has all expired may be among them), and
	// ends with yield's error if it returns one. yield may call the driver.
	Partitions(ctx context.Context, yield func(Partition) error) error
	// Dump calls yield for every record of a partition (see Stored), for
	// backup and check: one consistent state, without what has expired. It
	// ends with yield's error if it returns one. yield must not call the driver.
	Dump(ctx context.Context, p Partition, yield func(Record) error) error
	// Load writes records that Dump gave into a partition that was empty. A
	// large dump is loaded in several calls; each is atomic.
	Load(ctx context.Context, p Partition, records []Record) error
	// Check looks for damage and reports each finding; none is a sound store.
	Check(ctx context.Context) ([]string, error)
	// Durability says in one line what survives a power cut, and whether
	// everything acknowledged does.
	Durability(ctx context.Context) (text string, full bool, err error)

	// Erase removes everything in a partition for good, and its lease.
	Erase(ctx context.Context, p Partition) error
	// Close ends the driver; calls under way return ErrUnavailable.
	Close() error
}

// Ops is a batch as a driver gets it; the Store has run Check.
type Ops struct {
	Partition Partition
	Fence     *Fence // if set, the batch applies only while it is current
	Durable   bool
	Ops       []Op
}

// Op is one operation of a batch; exactly one field is set.
type Op struct {
	Put         *PutOp
	Delete      *DeleteOp
	Append      *AppendOp
	Trim        *TrimOp
	Receive     *ReceiveOp
	Done        *DoneOp
	Queue       *QueueOp
	Move        *MoveOp
	SetTimer    *SetTimerOp
	ClaimTimer  *ClaimTimerOp
	SettleTimer *SettleTimerOp
	Index       *IndexOp
	Unindex     *UnindexOp
}

// Result is what an operation says back.
type Result struct {
	Revision Revision // Put: the new revision
	Offset   uint64   // Append: of the first entry; Receive, Queue: the sequence, zero if Known
	Known    bool     // Receive: an alias was known before; Queue: the key was; ClaimTimer: somebody else has it
}

// Revision counts the writes of a document from 1; it begins again when the
// document was deleted or has expired.
type Revision int64

// Expectations about a document's revision, beside a number seen before.
const (
	Any    Revision = -1 // whatever is there
	Absent Revision = 0  // must not exist
)

// Ref names a document in a partition.
type Ref struct{ Collection, Key string }

// Document is a stored value with its revision.
type Document struct {
	Ref
	Value    []byte
	Revision Revision
	Expires  time.Time // to the millisecond; zero: never
}

// PutOp writes a document if its revision is Expect. A document that has
// expired is absent.
type PutOp struct {
	Ref
	Value  []byte
	Expect Revision
	TTL    time.Duration // zero: for ever, whatever it was before; not negative
}

// DeleteOp removes a document if its revision is Expect; with Any its absence
// is no error.
type DeleteOp struct {
	Ref
	Expect Revision
}

// Entry is one entry of a log.
type Entry struct {
	Offset uint64 // from 1, never reused
	Value  []byte
}

// AppendOp adds entries, at least one, to a log, which comes into being by that.
type AppendOp struct {
	Log    string
	Values [][]byte
}

// TrimOp removes the entries with offset < Before; the count goes on even if
// none is left. A Before of zero removes the log with its count.
type TrimOp struct {
	Log    string
	Before uint64
}

// InboxEvent is one pending event.
type InboxEvent struct {
	Sequence uint64
	Value    []byte
	At       time.Time // the store's time of receiving
}

// ReceiveOp adds an event to the partition's inbox unless one of its keys is
// remembered. Either way all its keys are remembered for Remember from now, or
// longer if they were already.
type ReceiveOp struct {
	Keys     []string // at least one
	Value    []byte
	Remember time.Duration
}

// DoneOp removes an event from the inbox; its keys stay known. That it is not
// there is no error.
type DoneOp struct{ Sequence uint64 }

// State is the state of an outbox row.
type State string

// The states of an outbox row.
const (
	Queued  State = "queued"  // not tried, or certainly without effect
	Sending State = "sending" // a call may be under way
	Sent    State = "sent"    // the platform took it
	Failed  State = "failed"  // given up; its author was told
	Unknown State = "unknown" // may or may not have been sent; shown, never resent by itself
)

// Row is one message to be said.
type Row struct {
	Key      string
	Sequence uint64
	State    State
	Value    []byte
}

// QueueOp adds an outbox row unless its key is there.
type QueueOp struct {
	Key   string
	State State // Queued, or Sending for a live preview; any known state is taken
	Value []byte
}

// MoveOp changes a row that is in one of From; otherwise, and if it is not
// there, the batch conflicts. A nil Value keeps the old one. With a TTL the
// row is forgotten after it, without one it is kept.
type MoveOp struct {
	Key   string
	From  []State
	To    State
	Value []byte
	TTL   time.Duration
}

// Timer is something that is to happen at a time.
type Timer struct {
	ID    string
	Due   time.Time // to the millisecond
	Value []byte
}

// SetTimerOp sets or replaces a timer and ends any claim on it.
type SetTimerOp struct{ Timer }

// ClaimTimerOp takes the right to hand over (ID, Due) until Lease has passed.
// Known in the result: it is claimed, has another due time or is gone. A claim
// runs by the store's clock; whether the timer is due is the caller's affair.
type ClaimTimerOp struct {
	ID    string
	Due   time.Time
	Lease time.Duration
}

// SettleTimerOp ends (ID, Due): the timer is removed, or with Next set becomes
// due then with no claim on it. A timer that has another due time or is gone is
// left alone.
type SettleTimerOp struct {
	ID   string
	Due  time.Time
	Next time.Time
}

// IndexedDoc is a document of the text index: terms with counts, never text.
type IndexedDoc struct {
	Doc    string // unique in its place; greater ids are later
	Counts map[string]int
}

// Length is how many terms the document has.
func (d IndexedDoc) Length() int {
	n := 0
	for _, c := range d.Counts {
		n += c
	}
	return n
}

// IndexOp adds a document to a place's index or replaces it.
type IndexOp struct {
	Place string
	IndexedDoc
}

// UnindexOp removes one; that it is not there is no error.
type UnindexOp struct{ Place, Doc string }

// IndexStats are the counts that ranking needs.
type IndexStats struct {
	Documents int
	Terms     int // total length of all documents
	Holding   []int
}

// Fence is the proof of a lease, for one partition and one holding of it.
type Fence struct {
	Partition Partition
	Token     uint64
}

// LeaseInfo is who holds a lease and until when.
type LeaseInfo struct {
	Holder string
	Token  uint64
	Until  time.Time
}

// Message is one message of the bus.
type Message struct {
	Topic   string
	Payload []byte
}

// Record is one stored thing in a driver-independent form, for backups that
// can be restored into either driver.
type Record struct {
	Kind string            `json:"kind"`
	Key  string            `json:"key,omitempty"`
	Data map[string]string `json:"data,omitempty"`
	Blob []byte            `json:"blob,omitempty"`
}
