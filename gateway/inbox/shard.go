package inbox

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"talaria/storage"
)

// Worker does the work of the shards that this replica holds. Calls for one
// shard do not overlap.
type Worker interface {
	// Open is called when a shard's lease was gained, before any Take of it:
	// the time to look for what an earlier holder left half done.
	Open(s *Shard)
	// Take gets one pending event. Events of one place come in order. The
	// worker answers with s.Done once the event is out of the inbox. It must
	// return at once.
	Take(s *Shard, sequence uint64, env Envelope)
	// Close is called before a lease is given up: the worker stops taking up
	// new turns, waits for what runs (or until s.Context ends) and returns.
	Close(s *Shard)
}

// Shard is one shard while this replica holds its lease.
type Shard struct {
	N     int
	store *storage.Store
	log   *slog.Logger

	ctx    context.Context // ends when the lease is lost
	cancel context.CancelCauseFunc
	fence  storage.Fence
	until  atomic.Int64 // nanoseconds since start, by the local monotonic clock
	closed chan struct{}
	idle   chan struct{} // closed once the shard is closing and nothing holds it

	// order is held from marking an event as taken to handing it over, so
	// that a sweep and a direct delivery can't swap two events of one place.
	order sync.Mutex

	mu      sync.Mutex
	last    uint64              // highest sequence handed over
	taken   map[uint64]progress // by sequence
	closing bool
	holds   int       // pieces of work that keep the lease beside events
	busy    time.Time // when something was last under way
}

func (s *Shard) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	close(s.closed)
	s.letGo()
}

// letGo notes that nothing holds a closing shard. Called with mu held.
func (s *Shard) letGo() {
	if !s.closing || s.holds > 0 {
		return
	}
	select {
	case <-s.idle:
	default:
		close(s.idle)
	}
}

// Closing is closed when the lease is about to be given up: what only waits
// stops waiting and leaves its work to the next owner.
func (s *Shard) Closing() <-chan struct{} { return s.closed }

// Sleep waits for d and reports whether that time passed: not when the shard
// was lost or is about to be given up.
func (s *Shard) Sleep(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-s.ctx.Done():
		return false
	case <-s.closed:
		return false
	case <-t.C:
		return true
	}
}

// Hold keeps the lease for a piece of work that is no event, until release is
// called. Only an end of the lease itself takes it away.
func (s *Shard) Hold() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holds++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.holds--
		s.busy = time.Now()
		s.letGo()
	}
}

// quietFor is how long nothing has been under way.
func (s *Shard) quietFor() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds > 0 {
		return 0
	}
	for _, p := range s.taken {
		if p == working {
			return 0
		}
	}
	return time.Since(s.busy)
}

// progress is how far an event of the inbox has come in this replica.
type progress int

const (
	working progress = iota // handed to the worker
	done                    // out of the inbox
	damaged                 // can't be read: set aside, still in the inbox
)

// ErrLost is the cause of a shard's context when its lease is gone.
var ErrLost = errors.New("shard lease lost")

// Context ends when the lease is lost or given up. Everything that writes or
// sends for the shard runs under it.
func (s *Shard) Context() context.Context { return s.ctx }

// Partition is the shard's partition.
func (s *Shard) Partition() storage.Partition { return s.fence.Partition }

// Fence is the proof of the lease.
func (s *Shard) Fence() storage.Fence { return s.fence }

// Batch begins a batch that applies only while this replica holds the lease.
func (s *Shard) Batch() *storage.Batch { return storage.Under(s.fence) }

// Commit applies a batch made by Batch. If the fence is out of date the shard
// is lost, and its context ends.
func (s *Shard) Commit(ctx context.Context, b *storage.Batch) ([]storage.Result, error) {
	res, err := s.store.Commit(ctx, b)
	if errors.Is(err, storage.ErrFenced) {
		s.lose()
	}
	return res, err
}

// Row returns a row of the shard's outbox, or storage.ErrNotFound.
func (s *Shard) Row(ctx context.Context, key string) (storage.Row, error) {
	return s.store.Row(ctx, s.Partition(), key)
}

// Held reports whether the lease is certainly still ours by the local clock.
// A call to a platform that no fence can guard asks first.
func (s *Shard) Held() bool {
	return s.ctx.Err() == nil && time.Since(started) < time.Duration(s.until.Load())
}

// started anchors the monotonic clock that lease deadlines are measured by.
var started = time.Now()

func (s *Shard) held(ttl time.Duration, asked time.Time) {
	s.until.Store(int64(asked.Add(ttl).Sub(started)))
}

func (s *Shard) lose() { s.cancel(ErrLost) }

// Done tells that an event is out of the inbox.
func (s *Shard) Done(sequence uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken[sequence] = done
	s.busy = time.Now()
}

// take marks an event as handed over; false if it was before, if the shard is
// being given up, or if next is set and there are others before it that the
// store has to be asked for.
func (s *Shard) take(sequence uint64, next bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.taken[sequence]; known || s.closing || next && sequence != s.last+1 {
		return false
	}
	s.taken[sequence] = working
	s.last = max(s.last, sequence)
	s.busy = time.Now()
	return true
}

// deliver hands a just kept event over, without a look at the store, if it is
// the next one. Otherwise the caller has the shard swept.
func (s *Shard) deliver(w Worker, sequence uint64, env Envelope) bool {
	s.order.Lock()
	defer s.order.Unlock()
	if !s.take(sequence, true) {
		return false
	}
	env.Fresh = true
	w.Take(s, sequence, env)
	return true
}

// Working reports how many events are under way.
func (s *Shard) Working() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, p := range s.taken {
		if p == working {
			n++
		}
	}
	return n
}

// sweep hands over everything pending that was not handed over before. What
// was done before the look at the store may be forgotten afterwards; what is
// done during it may not, for the look may still have seen it.
func (s *Shard) sweep(w Worker) error {
	old := s.doneSoFar()
	var after uint64
	for {
		const page = 256
		pending, err := s.store.Pending(s.ctx, s.Partition(), after, page)
		if err != nil {
			return err
		}
		for _, p := range pending {
			after = p.Sequence
			s.offer(w, p)
		}
		if len(pending) < page {
			break
		}
	}
	s.forget(old)
	return nil
}

func (s *Shard) offer(w Worker, p storage.InboxEvent) {
	s.order.Lock()
	defer s.order.Unlock()
	if !s.take(p.Sequence, false) {
		return
	}
	env, err := open(p)
	if err != nil {
		// It stays pending, is told at every take-over, and hides no other.
		s.log.Error("pending event can't be read; run 'talaria store check'", "shard", s.N, "err", err)
		s.setAside(p.Sequence)
		return
	}
	w.Take(s, p.Sequence, env)
}

func (s *Shard) setAside(sequence uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken[sequence] = damaged
}

func (s *Shard) doneSoFar() []uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var old []uint64
	for n, p := range s.taken {
		if p == done {
			old = append(old, n)
		}
	}
	return old
}

func (s *Shard) forget(old []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range old {
		delete(s.taken, n)
	}
}
