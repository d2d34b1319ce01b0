package storagetest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"talaria/storage"
)

// sortCases gives cases that come from maps a fixed order.
func sortCases(cases []testCase) {
	slices.SortFunc(cases, func(a, b testCase) int { return cmp.Compare(a.name, b.name) })
}

func batches() group {
	cases := []testCase{
		{"results stand at the index of their operation", func(e *env) {
			now := e.now()
			results := e.apply(put("c", "k", "v", storage.Any), remove("c", "x", storage.Any), appendTo("l", "a", "b"),
				appendTo("l", "c"), receive("v", time.Hour, "key"), receive("v", time.Hour, "key"), queue("k", "v"), queue("k", "v"),
				claim("none", now, time.Minute))
			e.equal(results, []storage.Result{
				{Revision: 1}, {}, {Offset: 1}, {Offset: 3}, {Offset: 1}, {Known: true}, {Offset: 1}, {Known: true}, {Known: true},
			})
		}},
		{"operations apply in order", func(e *env) {
			e.apply(put("c", "k", "1", storage.Absent), remove("c", "k", 1), put("c", "k", "2", storage.Absent),
				appendTo("l", "a"), trim("l", 0), appendTo("l", "b"))
			e.equal(e.value("c", "k"), "2")
			e.equal(e.read("l", 0, 10), []string{"1 b"})
		}},
		{"a batch without a partition is invalid", func(e *env) {
			e.on(storage.Partition{}).refused(storage.ErrInvalid, put("c", "k", "v", storage.Absent))
		}},
		{"a durable batch applies like another", func(e *env) {
			results, err := e.d.Apply(e.ctx, storage.Ops{Partition: e.p, Durable: true, Ops: []storage.Op{appendTo("l", "a")}})
			e.check(err)
			e.equal(results, []storage.Result{{Offset: 1}})
			e.equal(e.read("l", 0, 10), []string{"1 a"})
		}},
		{"batches on other partitions go their own way", func(e *env) {
			for _, err := range race(8, func(n int) error {
				other := e.on(storage.Shard(n))
				for i := range 10 {
					if _, err := other.batch(put("c", "k", fmt.Sprint(i), storage.Revision(i))); err != nil {
						return err
					}
				}
				return nil
			}) {
				e.check(err)
			}
			for n := range 8 {
				e.equal(e.on(storage.Shard(n)).document("c", "k").Revision, storage.Revision(10))
			}
		}},
		{"a refused batch does not spoil those beside it", func(e *env) {
			e.apply(put("c", "k", "", storage.Absent))
			errs := race(16, func(n int) error {
				key := fmt.Sprint(n)
				expect := storage.Any
				if n%4 == 0 {
					expect = 99 // more than all the others together can reach
				}
				_, err := e.batch(appendTo("l", key), put("d", key, "v", storage.Absent), put("c", "k", key, expect))
				return err
			})
			for n, err := range errs {
				if n%4 == 0 {
					e.is(err, storage.ErrConflict)
					e.equal(e.get("d", fmt.Sprint(n)), []storage.Document(nil))
					continue
				}
				e.check(err)
				e.value("d", fmt.Sprint(n))
			}
			e.equal(len(e.read("l", 0, 100)), 12)
		}},
		{"a reader sees all of a batch or nothing", func(e *env) {
			stop := make(chan struct{})
			errs := race(2, func(n int) error {
				if n == 0 {
					defer close(stop)
					for i := range 100 {
						if _, err := e.batch(put("c", "a", fmt.Sprint(i), storage.Any), put("c", "b", fmt.Sprint(i), storage.Any)); err != nil {
							return err
						}
					}
					return nil
				}
				return e.watchPair(stop)
			})
			for _, err := range errs {
				e.check(err)
			}
		}},
		{"a thousand operations in one batch", func(e *env) {
			var ops []storage.Op
			for n := range 1000 {
				ops = append(ops, put("c", "k", fmt.Sprint(n), storage.Revision(n)))
			}
			results := e.apply(ops...)
			e.equal(results[999].Revision, storage.Revision(1000))
		}},
	}
	fixed := len(cases)
	for name, op := range invalidOps() {
		cases = append(cases, testCase{name + " is invalid and applies nothing", func(e *env) {
			e.refused(storage.ErrInvalid, put("c", "k", "v", storage.Absent), op)
			e.equal(e.dump(), []storage.Record(nil))
		}})
	}
	for name, last := range map[string]storage.Op{
		"put":    put("c", "k", "v", 9),
		"delete": remove("c", "k", 9),
		"move":   move("none", storage.Sent, storage.Queued),
	} {
		for kind, op := range fencedOps() {
			cases = append(cases, testCase{fmt.Sprintf("a conflicting %s at the end undoes %s", name, kind), func(e *env) {
				due := e.now()
				e.apply(put("c", "k", "v", storage.Absent), appendTo("l", "v"), receive("v", time.Hour, "key"), queue("k", "v"),
					setTimer("t", due, "v"), index("place", "doc", map[string]int{"term": 1}))
				before := e.dump()
				e.refused(storage.ErrConflict, op(due), last)
				e.equal(e.dump(), before)
				e.equal(len(e.due(due, 10)), 1)
			}})
		}
	}
	sortCases(cases[fixed:])
	return group{"batches", cases}
}

// invalidOps break a rule of the contract that a driver keeps even if the
// Store has let them pass.
func invalidOps() map[string]storage.Op {
	two := put("c", "k", "v", storage.Absent)
	two.Done = &storage.DoneOp{Sequence: 1}
	forgotten := move("k", storage.Sent, storage.Queued)
	forgotten.Move.TTL = -1
	return map[string]storage.Op{
		"an operation without a field": {},
		"an operation with two fields": two,
		"a put with a negative time":   putFor("c", "l", "v", storage.Absent, -time.Second),
		"an append of nothing":         appendTo("l"),
		"an event without a key":       receive("v", time.Hour),
		"a move with a negative time":  forgotten,
	}
}

// watchPair reads two documents that are written together until stop closes.
func (e *env) watchPair(stop <-chan struct{}) error {
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		docs, err := e.d.List(e.ctx, e.p, "c", "", 2)
		if err != nil {
			return err
		}
		if len(docs) == 1 || len(docs) == 2 && string(docs[0].Value) != string(docs[1].Value) {
			return fmt.Errorf("half a batch: %v", docs)
		}
	}
}
