package storagetest

import (
	"fmt"
	"time"

	"talaria/storage"
)

func fences() group {
	cases := []testCase{
		{"a batch under the current lease applies", func(e *env) {
			_, err := e.under(e.acquire("a", time.Minute), put("c", "k", "v", storage.Absent))
			e.check(err)
			e.equal(e.value("c", "k"), "v")
		}},
		{"a batch without a fence applies whoever has the lease", func(e *env) {
			e.acquire("a", time.Minute)
			e.apply(put("c", "k", "v", storage.Absent))
		}},
		{"a batch under a renewed lease applies", func(e *env) {
			f := e.acquire("a", time.Minute)
			e.advance(50 * time.Second)
			e.check(e.d.Renew(e.ctx, f, time.Minute))
			e.advance(50 * time.Second)
			_, err := e.under(f, put("c", "k", "v", storage.Absent))
			e.check(err)
		}},
		{"a token of another partition is no fence", func(e *env) {
			mine := e.acquire("a", time.Minute)
			other := e.on(storage.Shard(8)).acquire("a", time.Minute)
			for _, token := range []uint64{mine.Token, other.Token} {
				f := storage.Fence{Partition: storage.Shard(8), Token: token}
				_, err := e.under(f, put("c", "k", "v", storage.Absent))
				e.is(err, storage.ErrFenced)
			}
			e.equal(e.get("c", "k"), []storage.Document(nil))
		}},
		{"a token that was never given is no fence", func(e *env) {
			f := e.acquire("a", time.Minute)
			for _, token := range []uint64{0, f.Token + 1, 1 << 63} {
				_, err := e.under(storage.Fence{Partition: e.p, Token: token}, put("c", "k", "v", storage.Absent))
				e.is(err, storage.ErrFenced)
			}
		}},
		{"a fence comes before a conflict", func(e *env) {
			f := e.acquire("a", time.Minute)
			e.check(e.d.Release(e.ctx, f))
			_, err := e.under(f, put("c", "k", "v", 5))
			e.is(err, storage.ErrFenced)
		}},
		{"a conflict under the current lease keeps the lease", func(e *env) {
			f := e.acquire("a", time.Minute)
			_, err := e.under(f, put("c", "k", "v", 5))
			e.is(err, storage.ErrConflict)
			_, err = e.under(f, put("c", "k", "v", storage.Absent))
			e.check(err)
		}},
		{"no write of an old holder lands among those of the new", func(e *env) {
			old := e.acquire("a", time.Minute)
			e.advance(2 * time.Minute)
			f := e.acquire("b", time.Hour)
			race(8, func(n int) error {
				fence := f
				if n%2 == 0 {
					fence = old
				}
				_, err := e.under(fence, appendTo("l", fmt.Sprint(n)))
				return err
			})
			e.equal(len(e.read("l", 0, 10)), 4)
		}},
	}
	fixed := len(cases)
	for stale, lose := range losses() {
		for kind, op := range fencedOps() {
			cases = append(cases, testCase{fmt.Sprintf("%s under %s applies nothing", kind, stale), func(e *env) {
				e.nothingUnder(lose, op)
			}})
		}
	}
	sortCases(cases[fixed:])
	return group{"fences", cases}
}

// losses are the ways in which a fence becomes stale.
func losses() map[string]func(*env, storage.Fence) {
	return map[string]func(*env, storage.Fence){
		"an expired lease":        func(e *env, _ storage.Fence) { e.advance(2 * time.Minute) },
		"a released lease":        func(e *env, f storage.Fence) { e.check(e.d.Release(e.ctx, f)) },
		"a lease acquired anew":   func(e *env, _ storage.Fence) { e.acquire("a", time.Hour) },
		"a lease lost to another": func(e *env, _ storage.Fence) { e.advance(2 * time.Minute); e.acquire("b", time.Hour) },
	}
}

// fencedOps are one of each kind of operation, on what prepare makes.
func fencedOps() map[string]func(due time.Time) storage.Op {
	always := func(op storage.Op) func(time.Time) storage.Op { return func(time.Time) storage.Op { return op } }
	return map[string]func(time.Time) storage.Op{
		"put":          always(put("c", "k", "changed", storage.Any)),
		"delete":       always(remove("c", "k", storage.Any)),
		"append":       always(appendTo("l", "changed")),
		"trim":         always(trim("l", 0)),
		"receive":      always(receive("changed", time.Hour, "new")),
		"done":         always(done(1)),
		"queue":        always(queue("new", "changed")),
		"move":         always(move("k", storage.Sent, storage.Queued)),
		"set timer":    always(setTimer("new", time.UnixMilli(1), "")),
		"claim timer":  func(due time.Time) storage.Op { return claim("t", due, time.Hour) },
		"settle timer": func(due time.Time) storage.Op { return settle("t", due, time.Time{}) },
		"index":        always(index("place", "new", map[string]int{"term": 1})),
		"unindex":      always(unindex("place", "doc")),
	}
}

// nothingUnder checks that an operation leaves no trace under a fence that
// was lost.
func (e *env) nothingUnder(lose func(*env, storage.Fence), op func(time.Time) storage.Op) {
	e.t.Helper()
	due := e.now()
	e.apply(put("c", "k", "v", storage.Absent), appendTo("l", "v"), receive("v", 24*time.Hour, "key"), queue("k", "v"),
		setTimer("t", due, "v"), index("place", "doc", map[string]int{"term": 1}))
	f := e.acquire("a", time.Minute)
	lose(e, f)
	before := e.dump()
	_, err := e.under(f, op(due))
	e.is(err, storage.ErrFenced)
	e.equal(e.dump(), before)
	e.equal(len(e.due(due, 10)), 1) // a claim is no part of a dump
}

func (e *env) under(f storage.Fence, ops ...storage.Op) ([]storage.Result, error) {
	return e.d.Apply(e.ctx, storage.Ops{Partition: e.p, Fence: &f, Ops: ops})
}
