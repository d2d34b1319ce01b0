package storagetest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"talaria/storage"
)

// env is what a case works with: an empty store and a partition in it.
type env struct {
	t   *testing.T
	h   Harness
	d   storage.Driver
	p   storage.Partition
	ctx context.Context
}

func newEnv(t *testing.T, h Harness) *env {
	return &env{t: t, h: h, d: h.Open(t), p: storage.Shard(7), ctx: t.Context()}
}

// on returns the same store with another partition in view.
func (e *env) on(p storage.Partition) *env {
	other := *e
	other.p = p
	return &other
}

func (e *env) advance(by time.Duration) {
	e.t.Helper()
	e.h.Advance(e.t, e.d, by)
}

func (e *env) reopen() {
	e.t.Helper()
	e.d = e.h.Reopen(e.t, e.d)
}

func (e *env) now() time.Time {
	e.t.Helper()
	return must(e.d.Now(e.ctx))(e.t)
}

// batch applies operations without a fence.
func (e *env) batch(ops ...storage.Op) ([]storage.Result, error) {
	return e.d.Apply(e.ctx, storage.Ops{Partition: e.p, Ops: ops})
}

// apply is a batch that must succeed.
func (e *env) apply(ops ...storage.Op) []storage.Result {
	e.t.Helper()
	results, err := e.batch(ops...)
	e.check(err)
	if len(results) != len(ops) {
		e.t.Fatalf("%d results for %d operations", len(results), len(ops))
	}
	return results
}

// refused is a batch that must fail with want.
func (e *env) refused(want error, ops ...storage.Op) {
	e.t.Helper()
	_, err := e.batch(ops...)
	e.is(err, want)
}

func (e *env) check(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

func (e *env) is(err, want error) {
	e.t.Helper()
	if !errors.Is(err, want) {
		e.t.Fatalf("error is %v, want %v", err, want)
	}
}

// equal compares; an empty slice and none are the same.
func (e *env) equal(got, want any) {
	e.t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateComparable(storage.Partition{})); diff != "" {
		e.t.Fatalf("-want +got:\n%s", diff)
	}
}

// must unpacks a result that can't be an error.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// race runs f in n goroutines that begin together and returns their errors.
func race(n int, f func(n int) error) []error {
	errs := make([]error, n)
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-begin
			errs[i] = f(i)
		})
	}
	close(begin)
	wg.Wait()
	return errs
}

// one checks that exactly one of the errors is nil and the others are want.
func (e *env) one(errs []error, want error) {
	e.t.Helper()
	winners := 0
	for _, err := range errs {
		if err == nil {
			winners++
			continue
		}
		e.is(err, want)
	}
	if winners != 1 {
		e.t.Fatalf("%d winners, want 1", winners)
	}
}

// awkward are names that a driver may be tempted to take apart.
func awkward() []string {
	long := make([]byte, 512)
	for i := range long {
		long[i] = 'a' + byte(i%26)
	}
	return []string{
		"plain", "with space", "a:b", "a/b", "a|b", "{tag}", "}{", "*", "%", "_", "?", "'", `"`, `\`, "\n", "\r\n", "\t", "\x01",
		"-1", "0", "NULL", "ünïcødé", "日本語", "👩‍👩‍👧‍👦", "\u202eright to left", "é", "e\u0301", "Z", "z", string(long),
	}
}

// values are contents that must come back byte for byte.
func values() [][]byte {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	large := make([]byte, 1<<20)
	for i := range large {
		large[i] = byte(i * 7)
	}
	return [][]byte{
		{}, []byte(`{"a":1}`), []byte("null"), []byte("日本語 👋"), {0}, all, large, []byte("\xff\xfe not UTF-8"),
	}
}
