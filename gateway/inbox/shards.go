package inbox

import (
	"context"
	"errors"
	"hash/fnv"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"talaria/storage"
)

// The pace of ownership. A replica that dies is noticed when its heartbeat
// and its leases run out, both within leaseTTL of the last renewal; with one
// look a second that makes a takeover within about 11 seconds.
const (
	leaseTTL  = 9 * time.Second
	renewal   = 3 * time.Second
	look      = time.Second
	quiet     = 30 * time.Second // an idle shard's lease is given back after this
	sweepEach = 5 * time.Second  // for wakes that got lost
	scanStep  = 16               // shards looked at for work in every look
)

const wakeTopic = "inbox.wake"

var replicas = storage.System("replicas")

// Shards holds the leases of the shards that are this replica's to work on.
type Shards struct {
	store   *storage.Store
	replica string
	log     *slog.Logger

	mu     sync.Mutex
	worker Worker
	mine   [storage.Shards]bool
	held   map[int]*holding
	root   context.Context // ends when Run is to stop; nil before Run
	wg     sync.WaitGroup

	assigned chan struct{} // closed once it is known which shards are this replica's
}

// NewShards returns the shards as seen by one replica. The name must be
// unique among live replicas; one that comes back under the name it had takes
// its leases over at once.
func NewShards(store *storage.Store, replica string, log *slog.Logger) *Shards {
	return &Shards{store: store, replica: replica, log: log, held: map[int]*holding{}, assigned: make(chan struct{})}
}

// Run works until ctx ends, then closes every shard and gives its lease back.
// drain bounds how long running work may take after that; where ctx was ended
// because the store is damaged, nothing can finish and nothing is waited for.
func (s *Shards) Run(ctx context.Context, w Worker, drain time.Duration) error {
	root, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	s.mu.Lock()
	s.worker, s.root = w, root
	s.mu.Unlock()

	wakes, err := s.store.Subscribe(ctx, wakeTopic)
	if err != nil {
		s.log.Warn("no wake-ups from other replicas; sweeping instead", "err", err)
	}
	s.beat(ctx)
	gained := s.assign(ctx)
	close(s.assigned)
	s.begin(ctx, gained)
	s.loop(ctx, wakes)
	if errors.Is(context.Cause(ctx), storage.ErrCorrupt) {
		drain = 0
	}
	return s.shutdown(stop, drain)
}

func (s *Shards) loop(ctx context.Context, wakes <-chan storage.Message) {
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	beaten, next := time.Now(), 0
	for {
		select {
		case <-ctx.Done():
			return
		case m, open := <-wakes:
			if !open {
				wakes = nil
			} else if n, err := strconv.Atoi(string(m.Payload)); err == nil && n >= 0 && n < storage.Shards {
				s.Wake(n)
			}
		case now := <-ticker.C:
			if now.Sub(beaten) >= renewal {
				s.beat(ctx)
				beaten = now
			}
			s.look(ctx, next, scanStep)
			next = (next + scanStep) % storage.Shards
		}
	}
}

// shutdown closes all shards and waits; after drain their contexts end, and
// what is left is for the next owner.
func (s *Shards) shutdown(stop context.CancelFunc, drain time.Duration) error {
	s.mu.Lock()
	s.mine = [storage.Shards]bool{}
	for _, h := range s.held {
		h.signal()
	}
	s.mu.Unlock()
	timer := time.AfterFunc(drain, stop)
	defer timer.Stop()
	s.wg.Wait()

	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := s.store.Commit(ctx, storage.On(replicas).Delete("alive", s.replica, storage.Any))
	return err
}

// beat says that this replica is alive.
func (s *Shards) beat(ctx context.Context) {
	b := storage.On(replicas).PutFor("alive", s.replica, struct{}{}, storage.Any, leaseTTL)
	if _, err := s.store.Commit(ctx, b); err != nil && ctx.Err() == nil {
		s.log.Warn("heartbeat not stored", "err", err)
	}
}

// Assigned is closed once it is known which shards are this replica's. What is
// kept before that waits for a sweep.
func (s *Shards) Assigned() <-chan struct{} { return s.assigned }

// look computes which shards are this replica's, and begins with those that
// were gained, and with those among count from first, if they have work.
func (s *Shards) look(ctx context.Context, first, count int) {
	gained := s.assign(ctx)
	for n := first; n < first+count; n++ {
		gained = append(gained, n%storage.Shards)
	}
	s.begin(ctx, gained)
}

// assign computes which shards are this replica's and returns those that were
// gained since the last time.
func (s *Shards) assign(ctx context.Context) (gained []int) {
	alive, err := storage.List[struct{}](ctx, s.store, replicas, "alive", "", 1000)
	if err != nil {
		if ctx.Err() == nil {
			s.log.Warn("replicas can't be listed", "err", err)
		}
		return nil
	}
	names := []string{s.replica}
	for _, d := range alive {
		if d.Key != s.replica {
			names = append(names, d.Key)
		}
	}
	for n := range storage.Shards {
		if s.setMine(n, owner(n, names) == s.replica) {
			gained = append(gained, n)
		}
	}
	return gained
}

// begin holds those of the shards that are this replica's and have work.
func (s *Shards) begin(ctx context.Context, shards []int) {
	for _, n := range shards {
		if s.idle(n) && s.hasWork(ctx, n) {
			s.Wake(n)
		}
	}
}

// setMine notes whose shard n is and reports whether it was just gained.
func (s *Shards) setMine(n int, mine bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.mine[n]
	s.mine[n] = mine
	if h := s.held[n]; was && !mine && h != nil {
		h.signal()
	}
	return mine && !was
}

func (s *Shards) idle(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mine[n] && s.held[n] == nil
}

func (s *Shards) hasWork(ctx context.Context, n int) bool {
	p := storage.Shard(n)
	pending, err := s.store.Pending(ctx, p, 0, 1)
	if err != nil || len(pending) > 0 {
		return err == nil
	}
	rows, err := s.store.Rows(ctx, p, 0, 1, storage.Queued, storage.Sending)
	return err == nil && len(rows) > 0
}

// owner is the replica with the highest hash for a shard.
func owner(n int, replicas []string) string {
	best, top := "", uint64(0)
	for _, r := range replicas {
		h := fnv.New64a()
		h.Write([]byte(r))
		h.Write([]byte{0, byte(n)})
		v := h.Sum64()
		v = (v ^ v>>33) * 0xff51afd7ed558ccd // spread the low bits of near names
		v ^= v >> 33
		if best == "" || v > top || v == top && r < best {
			best, top = r, v
		}
	}
	return best
}

// Wake has shard n looked at, if it is this replica's.
func (s *Shards) Wake(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.root == nil || !s.mine[n] {
		return
	}
	if h := s.held[n]; h != nil {
		h.signal()
		return
	}
	h := &holding{wake: make(chan struct{}, 1)}
	s.held[n] = h
	s.wg.Go(func() { s.hold(n, h) })
}

// offer hands a just kept event over without a look at the store where it
// can, and has its shard swept otherwise. It reports whether this replica
// takes care of the shard.
func (s *Shards) offer(n int, sequence uint64, env Envelope) bool {
	s.mu.Lock()
	h, mine, w := s.held[n], s.mine[n], s.worker
	var shard *Shard
	if h != nil {
		shard = h.shard
	}
	s.mu.Unlock()
	if shard != nil && shard.ctx.Err() == nil && shard.deliver(w, sequence, env) {
		return true
	}
	s.Wake(n)
	return mine
}

// Mine reports whether shard n is this replica's to look after.
func (s *Shards) Mine(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mine[n]
}

// Held lists the shards that this replica holds, for status and tests.
func (s *Shards) Held() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []int
	for n, h := range s.held {
		if h.shard != nil {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// Idle reports whether nothing that was kept here is under way or about to be.
func (s *Shards) Idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.held {
		if h.shard == nil || h.swept < h.asked || h.shard.Working() > 0 {
			return false
		}
	}
	return true
}
