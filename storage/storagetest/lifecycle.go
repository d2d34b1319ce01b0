package storagetest

import (
	"errors"
	"fmt"
	"time"

	"talaria/storage"
)

func lifecycle() group {
	return group{"life cycle", []testCase{
		{"everything is there after reopening", func(e *env) {
			e.fill()
			before := e.dump()
			e.reopen()
			e.equal(e.dump(), before)
			e.equal(e.stats("p", "a"), storage.IndexStats{Documents: 2, Terms: 6, Holding: []int{2}})
		}},
		{"counts go on after reopening", func(e *env) {
			e.apply(appendTo("l", "a"), receive("a", time.Hour, "1"), done(1), queue("a", ""))
			e.reopen()
			e.equal(e.apply(appendTo("l", "b"), receive("b", time.Hour, "2"), queue("b", ""), receive("a", time.Hour, "1")),
				[]storage.Result{{Offset: 2}, {Offset: 2}, {Offset: 2}, {Known: true}})
		}},
		{"a claim is kept across reopening", func(e *env) {
			now := e.now()
			e.apply(setTimer("t", now, ""), claim("t", now, time.Hour))
			e.reopen()
			e.equal(e.dueIDs(now, 10), []string(nil))
		}},
		{"a fence is current after reopening", func(e *env) {
			f := e.acquire("a", time.Hour)
			e.reopen()
			_, err := e.under(f, put("c", "k", "v", storage.Absent))
			e.check(err)
		}},
		{"reopening many times", func(e *env) {
			for n := range 5 {
				e.apply(put("c", "k", fmt.Sprint(n), storage.Revision(n)))
				e.reopen()
			}
			e.equal(e.document("c", "k").Revision, storage.Revision(5))
		}},
		{"the clock is in UTC and moves on", func(e *env) {
			before := e.now()
			e.equal(before, before.UTC())
			e.advance(time.Hour)
			if moved := e.now().Sub(before); moved < time.Hour || moved > 2*time.Hour {
				e.t.Fatalf("the clock moved by %v, not an hour", moved)
			}
		}},
		{"every call on a closed driver finds it unavailable", func(e *env) {
			calls := e.calls()
			e.check(e.d.Close())
			for name, call := range calls {
				if err := call(e); !errors.Is(err, storage.ErrUnavailable) {
					e.t.Errorf("%s: error is %v, want %v", name, err, storage.ErrUnavailable)
				}
			}
		}},
		{"closing twice is no harm", func(e *env) {
			e.check(e.d.Close())
			e.check(e.d.Close())
		}},
		{"calls under way when the driver closes finish or find it unavailable", func(e *env) {
			closing := make(chan error, 1)
			errs := race(9, func(n int) error {
				if n == 0 {
					closing <- e.d.Close()
					return nil
				}
				for {
					if _, err := e.batch(appendTo("l", fmt.Sprint(n))); err != nil {
						return err
					}
				}
			})
			e.check(<-closing)
			for _, err := range errs[1:] {
				e.is(err, storage.ErrUnavailable)
			}
		}},
	}}
}

// calls are all calls of a driver that ask or change something.
func (e *env) calls() map[string]func(e *env) error {
	ctxless := func(_ any, err error) error { return err }
	f := e.acquire("a", time.Hour)
	hash := hashOf([]byte("x"))
	return map[string]func(*env) error{
		"Apply":      func(e *env) error { return ctxless(e.batch(put("c", "k", "v", storage.Any))) },
		"Get":        func(e *env) error { return ctxless(e.d.Get(e.ctx, e.p, ref("c", "k"))) },
		"List":       func(e *env) error { return ctxless(e.d.List(e.ctx, e.p, "c", "", 1)) },
		"ReadLog":    func(e *env) error { return ctxless(e.d.ReadLog(e.ctx, e.p, "l", 0, 1)) },
		"TailLog":    func(e *env) error { return ctxless(e.d.TailLog(e.ctx, e.p, "l", 1)) },
		"Pending":    func(e *env) error { return ctxless(e.d.Pending(e.ctx, e.p, 0, 1)) },
		"Rows":       func(e *env) error { return ctxless(e.d.Rows(e.ctx, e.p, 0, 1, storage.Queued)) },
		"Row":        func(e *env) error { return ctxless(e.d.Row(e.ctx, e.p, "k")) },
		"Due":        func(e *env) error { return ctxless(e.d.Due(e.ctx, e.p, time.UnixMilli(0), 1)) },
		"NextDue":    func(e *env) error { return ctxless(e.d.NextDue(e.ctx, e.p)) },
		"IndexStats": func(e *env) error { return ctxless(e.d.IndexStats(e.ctx, e.p, "p", []string{"t"})) },
		"Postings":   func(e *env) error { return ctxless(e.d.Postings(e.ctx, e.p, "p", []string{"t"}, 1)) },
		"Indexed":    func(e *env) error { return ctxless(e.d.Indexed(e.ctx, e.p, "p", []string{"d"})) },
		"Acquire":    func(e *env) error { return ctxless(e.d.Acquire(e.ctx, e.p, "b", time.Hour)) },
		"Renew":      func(e *env) error { return e.d.Renew(e.ctx, f, time.Hour) },
		"Release":    func(e *env) error { return e.d.Release(e.ctx, f) },
		"Lease":      func(e *env) error { return ctxless(e.d.Lease(e.ctx, e.p)) },
		"PutBlob":    func(e *env) error { return e.d.PutBlob(e.ctx, e.p, hash, []byte("x")) },
		"GetBlob":    func(e *env) error { return ctxless(e.d.GetBlob(e.ctx, e.p, hash)) },
		"DeleteBlob": func(e *env) error { return e.d.DeleteBlob(e.ctx, e.p, hash) },
		"Publish":    func(e *env) error { return e.d.Publish(e.ctx, "t", nil) },
		"Subscribe":  func(e *env) error { return ctxless(e.d.Subscribe(e.ctx, "t")) },
		"Partitions": func(e *env) error { return e.d.Partitions(e.ctx, func(storage.Partition) error { return nil }) },
		"Dump":       func(e *env) error { return e.d.Dump(e.ctx, e.p, func(storage.Record) error { return nil }) },
		"Load":       func(e *env) error { return e.d.Load(e.ctx, e.p, []storage.Record{record()}) },
		"Erase":      func(e *env) error { return e.d.Erase(e.ctx, e.p) },
		"Check":      func(e *env) error { return ctxless(e.d.Check(e.ctx)) },
	}
}

// record is one that can be loaded.
func record() storage.Record {
	return storage.Stored{Document: &storage.Document{Ref: ref("loaded", "k"), Value: []byte("v"), Revision: 1}}.Record()
}
