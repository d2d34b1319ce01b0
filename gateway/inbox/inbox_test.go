package inbox_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/gateway/inbox"
	"talaria/storage"
	"talaria/storage/teststore"
)

// open lets everything in.
type open struct{}

func (open) Admit(context.Context, chat.Event) (inbox.Verdict, error) {
	return inbox.Verdict{Take: true}, nil
}

// desk is a worker that notes what it is given, and works on it as told.
type desk struct {
	name  string
	truth *truth
	work  func(s *inbox.Shard, seq uint64, env inbox.Envelope)
}

// truth is what all replicas together were given.
type truth struct {
	mu     sync.Mutex
	taken  []string
	holder map[int][]string // who opened a shard, in order
}

func (d *desk) Open(s *inbox.Shard) {
	d.truth.mu.Lock()
	defer d.truth.mu.Unlock()
	d.truth.holder[s.N] = append(d.truth.holder[s.N], d.name)
}

func (d *desk) Close(*inbox.Shard) {}

func (d *desk) Take(s *inbox.Shard, seq uint64, env inbox.Envelope) {
	d.truth.mu.Lock()
	d.truth.taken = append(d.truth.taken, env.Event.Key())
	d.truth.mu.Unlock()
	d.work(s, seq, env)
}

func (tr *truth) all() []string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return slices.Clone(tr.taken)
}

// finish takes an event out of the inbox at once.
func finish(s *inbox.Shard, seq uint64, _ inbox.Envelope) {
	if _, err := s.Commit(s.Context(), s.Batch().Done(seq)); err == nil {
		s.Done(seq)
	}
}

func ignore(*inbox.Shard, uint64, inbox.Envelope) {}

type replica struct {
	*inbox.Inbox
	shards *inbox.Shards
	stop   func()
	over   chan struct{}
}

func run(t *testing.T, store *storage.Store, name string, w inbox.Worker) *replica {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	r := &replica{shards: inbox.NewShards(store, name, log), over: make(chan struct{})}
	r.Inbox = inbox.New(store, open{}, r.shards, log)
	ctx, cancel := context.WithCancel(t.Context())
	r.stop = func() { cancel(); <-r.over }
	go func() {
		defer close(r.over)
		_ = r.shards.Run(ctx, w, time.Second)
	}()
	synctest.Wait()
	return r
}

func event(place string, n int) chat.Event {
	key := fmt.Sprintf("%s:%d", place, n)
	return chat.Event{Kind: chat.Message, Keys: []string{key, "alias:" + key}, Address: chat.Address{Platform: "test", Chat: place}}
}

func keep(t *testing.T, r *replica, place string, from, to int) (keys []string) {
	t.Helper()
	for n := from; n <= to; n++ {
		if err := r.Handle(t.Context(), event(place, n)); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, fmt.Sprintf("%s:%d", place, n))
	}
	return keys
}

func TestEventsOfOnePlaceComeInOrderAndOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := &truth{holder: map[int][]string{}}
		r := run(t, teststore.Memory(t), "a", &desk{"a", tr, finish})
		want := keep(t, r, "c1", 1, 50)
		keep(t, r, "c1", 1, 50) // redelivered
		synctest.Wait()
		if diff := cmp.Diff(want, tr.all()); diff != "" {
			t.Errorf("handed over (-want +got):\n%s", diff)
		}
		time.Sleep(time.Minute) // sweeps find nothing more, and the lease goes back
		if diff := cmp.Diff(want, tr.all()); diff != "" {
			t.Errorf("after sweeps (-want +got):\n%s", diff)
		}
		if held := r.shards.Held(); len(held) > 0 {
			t.Errorf("shards %v are held although all is quiet", held)
		}
		r.stop()
	})
}

// TestNothingIsIdleUntilWhatWasKeptIsDone has an event come behind one that
// another replica kept: the store has to be asked for both.
func TestNothingIsIdleUntilWhatWasKeptIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := &truth{holder: map[int][]string{}}
		store := teststore.Memory(t)
		r := run(t, store, "a", &desk{"a", tr, finish})
		keep(t, r, "c1", 1, 1)
		synctest.Wait()
		other := inbox.New(store, open{}, inbox.NewShards(store, "b", slog.New(slog.DiscardHandler)), slog.New(slog.DiscardHandler))
		for n := 2; n < 12; n += 2 {
			if err := other.Handle(t.Context(), event("c1", n)); err != nil {
				t.Fatal(err)
			}
			keep(t, r, "c1", n+1, n+1)
			for idle := r.shards.Idle(); !slices.Contains(tr.all(), fmt.Sprintf("c1:%d", n+1)); idle = r.shards.Idle() {
				if idle {
					t.Fatal("idle before what was kept is handed over")
				}
			}
		}
		r.stop()
	})
}

func TestWhatIsNotDoneIsHandedOverAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, tr := teststore.Memory(t), &truth{holder: map[int][]string{}}
		r := run(t, store, "a", &desk{"a", tr, ignore})
		want := keep(t, r, "c1", 1, 5)
		synctest.Wait()
		r.stop()

		again := &truth{holder: map[int][]string{}}
		r = run(t, store, "a", &desk{"a", again, finish})
		synctest.Wait()
		if diff := cmp.Diff(want, again.all()); diff != "" {
			t.Errorf("handed over again (-want +got):\n%s", diff)
		}
		r.stop()
	})
}

func TestAnotherReplicaTakesOverWithinFifteenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, tr := teststore.Memory(t), &truth{holder: map[int][]string{}}
		a := run(t, store, "a", &desk{"a", tr, ignore})
		for n := range 40 {
			keep(t, a, fmt.Sprint("place", n), 1, 1)
		}
		synctest.Wait()
		abandon(t, store, "b") // a replica that died without a word: its leases and heartbeat run out

		again := &truth{holder: map[int][]string{}}
		began := time.Now()
		c := run(t, store, "c", &desk{"c", again, finish})
		a.stop()
		for len(again.all()) < 40 && time.Since(began) < time.Minute {
			time.Sleep(100 * time.Millisecond)
		}
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("takeover took %s; %d of 40 handed over", took, len(again.all()))
		}
		c.stop()
	})
}

// abandon leaves the heartbeat and the leases of a replica that is gone.
func abandon(t *testing.T, store *storage.Store, name string) {
	t.Helper()
	b := storage.On(storage.System("replicas")).PutFor("alive", name, struct{}{}, storage.Any, 9*time.Second)
	if _, err := store.Commit(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	for n := range 40 {
		p := storage.Shard(storage.ShardOf("test", "", fmt.Sprint("place", n)))
		_, _ = store.Acquire(t.Context(), p, name, 9*time.Second)
	}
}

func TestTwoReplicasShareTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, tr := teststore.Memory(t), &truth{holder: map[int][]string{}}
		a := run(t, store, "a", &desk{"a", tr, finish})
		b := run(t, store, "b", &desk{"b", tr, finish})
		time.Sleep(5 * time.Second) // both have seen each other
		for n := range 60 {
			keep(t, a, fmt.Sprint("place", n), 1, 3)
		}
		time.Sleep(10 * time.Second)
		if got := len(tr.all()); got != 180 {
			t.Errorf("%d of 180 events handed over", got)
		}
		by := map[string]int{}
		for _, names := range tr.holder {
			for _, name := range names {
				by[name]++
			}
		}
		if by["a"] == 0 || by["b"] == 0 {
			t.Errorf("shards opened: %v; both should have some", by)
		}
		a.stop()
		b.stop()
	})
}
