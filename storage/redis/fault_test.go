package redis_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
)

// writer appends one value after the other and keeps what became of each.
type writer struct {
	id                    int
	acknowledged, refused []string
}

// run writes until ctx ends, and tells whoever is listening of each success.
func (w *writer) run(ctx context.Context, d *redis.Driver, written chan<- int) {
	for n := 0; ctx.Err() == nil; n++ {
		value := fmt.Sprintf("%d-%d", w.id, n)
		_, err := d.Apply(ctx, batch(appendOp(value), putOp(value)))
		switch {
		case err == nil:
			w.acknowledged = append(w.acknowledged, value)
			select {
			case written <- w.id:
			default:
			}
			continue
		case errors.Is(err, storage.ErrUnavailable):
			w.refused = append(w.refused, value)
		}
		// Otherwise it may be there or not. Either way a writer takes a breath.
		time.Sleep(time.Millisecond)
	}
}

func TestCrashLosesNothingAcknowledged(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, redistest.Options{})
	d := open(t, s.URL(), redis.Options{})
	writers := make([]writer, 8)
	written := make(chan int)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	for n := range writers {
		writers[n].id = n
		wg.Go(func() { writers[n].run(ctx, d, written) })
	}
	for range 3 {
		waitForEntries(t, d, 200) // so that the crash comes in the midst of writes
		s.Kill()
		if err := s.Restart(); err != nil {
			t.Fatal(err)
		}
		waitForAll(t, written, len(writers))
	}
	waitForEntries(t, d, 200)
	cancel()
	wg.Wait()

	stored := entries(t, d)
	slices.Sort(stored)
	acknowledged := 0
	for _, w := range writers {
		acknowledged += len(w.acknowledged)
		for _, v := range w.acknowledged {
			if _, ok := slices.BinarySearch(stored, v); !ok {
				t.Fatalf("%s was acknowledged and is lost", v)
			}
		}
		for _, v := range w.refused {
			if _, ok := slices.BinarySearch(stored, v); ok {
				t.Fatalf("%s was refused and is there", v)
			}
		}
	}
	if compact := slices.Compact(slices.Clone(stored)); len(compact) != len(stored) {
		t.Fatalf("%d entries are there twice", len(stored)-len(compact))
	}
	t.Logf("%d acknowledged, %d stored, 3 crashes", acknowledged, len(stored))
}

// waitForAll returns once each of n writers has written again.
func waitForAll(t *testing.T, written <-chan int, n int) {
	t.Helper()
	deadline := time.After(time.Minute)
	for writing := map[int]bool{}; len(writing) < n; {
		select {
		case id := <-written:
			writing[id] = true
		case <-deadline:
			t.Fatalf("only %d of %d writers came back after the server", len(writing), n)
		}
	}
}

// waitForEntries returns once n more entries are in the log than now.
func waitForEntries(t *testing.T, d *redis.Driver, n uint64) {
	t.Helper()
	last := func() uint64 {
		tail, err := d.TailLog(t.Context(), storage.Shard(1), "l", 1)
		if err != nil || len(tail) == 0 {
			return 0
		}
		return tail[0].Offset
	}
	deadline := time.Now().Add(time.Minute)
	var begin uint64
	for begin == 0 || last() < begin+n {
		if begin == 0 {
			begin = last()
		}
		if time.Now().After(deadline) {
			t.Fatal("the writers do not get on")
		}
		time.Sleep(time.Millisecond)
	}
}

func TestLostAnswerIsUnknownAndNotRepeated(t *testing.T) {
	proxy, shared := redistest.StartProxy(t, single), prefix()
	d := open(t, proxy.URL(), redis.Options{Prefix: shared})
	direct := open(t, single.URL(), redis.Options{Prefix: shared})
	if _, err := d.Apply(t.Context(), batch(appendOp("first"))); err != nil {
		t.Fatal(err)
	}
	proxy.Set(redistest.LoseReplies)
	_, err := d.Apply(t.Context(), batch(appendOp("second")))
	for _, known := range []error{
		nil, storage.ErrUnavailable, storage.ErrConflict, storage.ErrFenced, storage.ErrInvalid, storage.ErrCorrupt,
	} {
		if errors.Is(err, known) {
			t.Errorf("error is %v, want one outside the contract", err)
		}
	}
	if got := entries(t, direct); !slices.Equal(got, []string{"first", "second"}) {
		t.Errorf("the log holds %v", got)
	}
	proxy.Set(redistest.Pass)
	if got := entries(t, d); len(got) != 2 {
		t.Errorf("afterwards the log holds %v", got)
	}
}

func TestReadIsRepeatedOverABrokenConnection(t *testing.T) {
	proxy := redistest.StartProxy(t, single)
	d := open(t, proxy.URL(), redis.Options{})
	write(t, d, "v")
	for range 20 {
		proxy.Cut()
		docs, err := d.Get(t.Context(), storage.Shard(1), ref)
		if err != nil || len(docs) != 1 {
			t.Fatalf("got %v, %v", docs, err)
		}
	}
	proxy.Set(redistest.LoseReplies)
	if _, err := d.Get(t.Context(), storage.Shard(1), ref); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("error is %v, want %v", err, storage.ErrUnavailable)
	}
}

func TestRefusedConnectionIsUnavailable(t *testing.T) {
	proxy := redistest.StartProxy(t, single)
	d := open(t, proxy.URL(), redis.Options{})
	proxy.Set(redistest.Refuse)
	proxy.Cut()
	// The first calls may still find a connection that breaks under them.
	for range 30 {
		if _, err := d.Apply(t.Context(), batch(putOp("v"))); err == nil {
			t.Fatal("a write without a server succeeded")
		}
	}
	if _, err := d.Apply(t.Context(), batch(putOp("v"))); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("error is %v, want %v", err, storage.ErrUnavailable)
	}
}

func TestSilentServerIsGivenUp(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, redistest.Options{})
	d := open(t, s.URL(), redis.Options{})
	write(t, d, "v")
	if err := s.Freeze(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Apply(t.Context(), batch(putOp("v"))); err == nil || errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("a write that a server says nothing to: %v, want an error that leaves open whether it was done", err)
	}
	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := d.Apply(soon, batch(putOp("v"))); err == nil {
		t.Error("a write that a server says nothing to succeeded")
	}
	if took := time.Since(start); took >= 3*time.Second { // the driver's own patience
		t.Errorf("with a deadline of 100 ms it gave up after %v", took)
	}
	if err := s.Thaw(); err != nil {
		t.Fatal(err)
	}
	write(t, d, "v")
}

func TestFullServerRefusesWholeBatches(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	d := open(t, s.URL(), redis.Options{})
	if _, err := d.Apply(t.Context(), batch(appendOp("a"), appendOp("b"), putOp("v"))); err != nil {
		t.Fatal(err)
	}
	if err := admin(t, s).ConfigSet(t.Context(), "maxmemory", "1mb").Err(); err != nil {
		t.Fatal(err)
	}
	trim := storage.Op{Trim: &storage.TrimOp{Log: "l", Before: 2}}
	for _, ops := range [][]storage.Op{{appendOp("c")}, {trim, appendOp("c")}, {trim, putOp("w")}} {
		_, err := d.Apply(t.Context(), batch(ops...))
		if !errors.Is(err, storage.ErrUnavailable) || !strings.Contains(err.Error(), "maxmemory") {
			t.Errorf("error is %v, want %v", err, storage.ErrUnavailable)
		}
	}
	if got := entries(t, d); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the log holds %v", got)
	}
	if _, err := d.Apply(t.Context(), batch(trim)); err != nil {
		t.Errorf("a batch that only removes: %v", err)
	}
	open(t, s.URL(), redis.Options{})
}

func TestServerThatForgotItsScripts(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	d := open(t, s.URL(), redis.Options{})
	for range 3 {
		if err := admin(t, s).ScriptFlush(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Apply(t.Context(), batch(appendOp("a"))); err != nil {
			t.Fatal(err)
		}
	}
	if got := entries(t, d); len(got) != 3 {
		t.Errorf("the log holds %v", got)
	}
}

func TestSubscriptionOutlivesTheServer(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, redistest.Options{})
	d := open(t, s.URL(), redis.Options{})
	messages, err := d.Subscribe(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	s.Kill()
	if err := s.Restart(); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(time.Minute)
	for {
		select {
		case m := <-messages:
			if string(m.Payload) != "v" {
				t.Errorf("received %q", m.Payload)
			}
			return
		case <-timeout:
			t.Fatal("no message")
		case <-tick.C:
			_ = d.Publish(t.Context(), "t", []byte("v")) // until the subscription is back
		}
	}
}
