package storagetest

import (
	"context"
	"errors"
	"time"

	"talaria/storage"
)

func cancellation() group {
	return group{"cancellation", []testCase{
		{"a call under a context that has ended fails and changes nothing", func(e *env) {
			e.fill()
			calls := e.calls()
			before, lease := e.dump(), must(e.d.Lease(e.ctx, e.p))(e.t)
			ended := *e
			var cancel context.CancelFunc
			ended.ctx, cancel = context.WithCancel(e.ctx)
			cancel()
			for name, call := range calls {
				if err := call(&ended); !errors.Is(err, context.Canceled) {
					e.t.Errorf("%s: error is %v, want %v", name, err, context.Canceled)
				}
			}
			e.equal(e.dump(), before)
			e.equal(must(e.d.Lease(e.ctx, e.p))(e.t), lease)
		}},
		{"a call past its deadline fails", func(e *env) {
			ctx, cancel := context.WithDeadline(e.ctx, time.Unix(0, 0))
			defer cancel()
			_, err := e.d.Get(ctx, e.p, ref("c", "k"))
			e.is(err, context.DeadlineExceeded)
			_, err = e.d.Apply(ctx, storage.Ops{Partition: e.p, Ops: []storage.Op{put("c", "k", "v", storage.Absent)}})
			e.is(err, context.DeadlineExceeded)
			e.equal(e.get("c", "k"), []storage.Document(nil))
		}},
		{"writers given up at any moment leave whole batches", func(e *env) {
			for range 20 {
				ctx, cancel := context.WithCancel(e.ctx)
				race(5, func(n int) error {
					if n == 0 {
						cancel()
						return nil
					}
					_, err := e.d.Apply(ctx, storage.Ops{Partition: e.p, Ops: []storage.Op{appendTo("l", "v"), appendTo("m", "v")}})
					return err
				})
				cancel()
			}
			// A write that is still under way comes before this one.
			e.apply(appendTo("l", "end"), appendTo("m", "end"))
			e.equal(e.read("l", 0, 1000), e.read("m", 0, 1000))
		}},
		{"the driver works on after a call was given up", func(e *env) {
			ctx, cancel := context.WithCancel(e.ctx)
			cancel()
			_, err := e.d.List(ctx, e.p, "c", "", 10)
			e.is(err, context.Canceled)
			e.apply(put("c", "k", "v", storage.Absent))
			e.equal(e.keys("c", "", 10), []string{"k"})
		}},
	}}
}
