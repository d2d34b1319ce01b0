package scheduler_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/scheduler"
	"talaria/scheduler/when"
	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
)

// TestJobsOfOneMinuteFireOnceEach has two replicas on one Redis, each
// of which is ended at random and begun again under another name.
func TestJobsOfOneMinuteFireOnceEach(t *testing.T) {
	t.Parallel() // it waits for the claims of the dead
	many := 100
	if long() {
		many = 1000
	}
	server := redistest.Start(t, redistest.Options{})
	connect := func() *storage.Store {
		d, err := redis.Open(t.Context(), server.URL(), redis.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return storage.New(d)
	}
	w := newWorld(t, nil)
	w.store = connect()
	keep := &keeper{store: w.store}
	maker := w.replica("maker")
	begin := time.Now()
	for n := range many {
		at := when.Schedule{Kind: when.Once, Zone: "UTC", At: begin.Add(8*time.Second + time.Duration(n)*time.Millisecond)}
		w.add(maker, somebody(fmt.Sprint(n)), scheduler.Order{Key: fmt.Sprint(n), Schedule: at})
	}
	var wg sync.WaitGroup
	var deaths atomic.Int64
	for r := range 2 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(9, uint64(r)))
			for life := 0; keep.fired.Load() < int64(many) && time.Since(begin) < 5*time.Minute; life++ {
				store := connect()
				ctx, kill := context.WithCancel(t.Context())
				// Each may live a little longer, so that a slow machine gets on too.
				time.AfterFunc(time.Duration(300+random.IntN(1500)+50*life)*time.Millisecond, kill)
				(&replica{store, w, keep}).scheduler(fmt.Sprint(r, "-", life)).Run(ctx)
				kill()
				deaths.Add(1)
				_ = store.Close()
			}
		})
	}
	wg.Wait()
	took := time.Since(begin) - 8*time.Second
	fired := keep.fired.Load()
	t.Logf("jobs=%d fired=%d handed over=%d deaths=%d, the last %s after the first was due", many, fired, keep.calls.Load(), deaths.Load(), took.Round(time.Millisecond))
	if fired != int64(many) {
		t.Errorf("%d of %d jobs fired", fired, many)
	}
	all, err := maker.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if over := slices.IndexFunc(all, func(j scheduler.Job) bool { return j.Runs > 1 }); over >= 0 {
		t.Errorf("job %+v ran more than once", all[over])
	}
}

// keeper is an inbox: it keeps events under their keys, each once.
type keeper struct {
	store        *storage.Store
	fired, calls atomic.Int64
}

func (k *keeper) hand(ctx context.Context, e chat.Event, _ person.Principal) error {
	k.calls.Add(1)
	a := e.Address
	shard := person.ShardOf(a)
	// As by the inbox, but that it outlives the caller: what was kept counts.
	res, err := k.store.Commit(context.WithoutCancel(ctx), storage.On(shard).Durable().Receive(e.Keys, e, time.Hour))
	if err != nil {
		return err
	}
	if !res[0].Known {
		k.fired.Add(1)
	}
	return ctx.Err() // one that was ended meanwhile learns nothing
}

// replica is a process of its own: with a connection and an end.
type replica struct {
	store *storage.Store
	w     *world
	keep  *keeper
}

func (r *replica) scheduler(name string) *scheduler.Scheduler {
	c := r.w.config(name)
	c.Store, c.Hand = r.store, r.keep.hand
	return scheduler.New(c)
}
