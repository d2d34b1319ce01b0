package storagetest

import (
	"fmt"
	"time"

	"talaria/storage"
)

func leases() group {
	return group{"leases", []testCase{
		{"a free lease is acquired", func(e *env) {
			before := e.now()
			f := e.acquire("a", time.Minute)
			e.equal(f.Partition, e.p)
			info := must(e.d.Lease(e.ctx, e.p))(e.t)
			e.equal([]any{info.Holder, info.Token}, []any{"a", f.Token})
			if info.Until.Before(before.Add(time.Minute)) || info.Until.After(e.now().Add(time.Minute)) {
				e.t.Fatalf("held until %v, acquired after %v for a minute", info.Until, before)
			}
			e.equal(info.Until, info.Until.UTC().Truncate(time.Millisecond))
		}},
		{"nobody has a lease that was never acquired", func(e *env) {
			e.noLease()
		}},
		{"another's lease is held", func(e *env) {
			e.acquire("a", time.Minute)
			_, err := e.d.Acquire(e.ctx, e.p, "b", time.Minute)
			e.is(err, storage.ErrHeld)
			e.equal(must(e.d.Lease(e.ctx, e.p))(e.t).Holder, "a")
		}},
		{"leases of two partitions are apart", func(e *env) {
			e.acquire("a", time.Minute)
			e.on(storage.Shard(8)).acquire("b", time.Minute)
			e.equal(must(e.d.Lease(e.ctx, e.p))(e.t).Holder, "a")
		}},
		{"every holder has a name of its own", func(e *env) {
			e.acquire("a:b {c}", time.Minute)
			_, err := e.d.Acquire(e.ctx, e.p, "a", time.Minute)
			e.is(err, storage.ErrHeld)
			e.equal(must(e.d.Lease(e.ctx, e.p))(e.t).Holder, "a:b {c}")
		}},
		{"the holder acquires again with a new token and time", func(e *env) {
			first := e.acquire("a", time.Minute)
			e.advance(50 * time.Second)
			second := e.acquire("a", time.Minute)
			e.grows(first, second)
			e.advance(50 * time.Second)
			e.equal(must(e.d.Lease(e.ctx, e.p))(e.t).Token, second.Token)
			e.is(e.d.Renew(e.ctx, first, time.Minute), storage.ErrFenced)
		}},
		{"a lease expires", func(e *env) {
			f := e.acquire("a", time.Minute)
			e.advance(59 * time.Second)
			e.equal(must(e.d.Lease(e.ctx, e.p))(e.t).Token, f.Token)
			e.advance(2 * time.Second)
			e.noLease()
		}},
		{"an expired lease goes to another with a greater token", func(e *env) {
			first := e.acquire("a", time.Minute)
			e.advance(2 * time.Minute)
			e.grows(first, e.acquire("b", time.Minute))
			e.is(e.d.Renew(e.ctx, first, time.Minute), storage.ErrFenced)
		}},
		{"renewing prolongs from now", func(e *env) {
			f := e.acquire("a", time.Minute)
			e.advance(50 * time.Second)
			e.check(e.d.Renew(e.ctx, f, time.Minute))
			e.advance(50 * time.Second)
			e.equal(must(e.d.Lease(e.ctx, e.p))(e.t).Token, f.Token)
			e.advance(11 * time.Second)
			e.noLease()
		}},
		{"an expired lease can't be renewed", func(e *env) {
			f := e.acquire("a", time.Minute)
			e.advance(2 * time.Minute)
			e.is(e.d.Renew(e.ctx, f, time.Minute), storage.ErrFenced)
			e.noLease()
		}},
		{"a lease for nobody or for no time is invalid", func(e *env) {
			for _, ttl := range []time.Duration{0, -time.Minute} {
				_, err := e.d.Acquire(e.ctx, e.p, "a", ttl)
				e.is(err, storage.ErrInvalid)
			}
			_, err := e.d.Acquire(e.ctx, e.p, "", time.Minute)
			e.is(err, storage.ErrInvalid)
			e.noLease()
			f := e.acquire("a", time.Minute)
			e.is(e.d.Renew(e.ctx, f, 0), storage.ErrInvalid)
			e.equal(must(e.d.Lease(e.ctx, e.p))(e.t).Token, f.Token)
		}},
		{"a lease that never was can't be renewed", func(e *env) {
			e.is(e.d.Renew(e.ctx, storage.Fence{Partition: e.p, Token: 1}, time.Minute), storage.ErrFenced)
		}},
		{"a released lease is free", func(e *env) {
			f := e.acquire("a", time.Minute)
			e.check(e.d.Release(e.ctx, f))
			e.noLease()
			e.is(e.d.Renew(e.ctx, f, time.Minute), storage.ErrFenced)
			e.grows(f, e.acquire("b", time.Minute))
		}},
		{"releasing twice is no error", func(e *env) {
			f := e.acquire("a", time.Minute)
			e.check(e.d.Release(e.ctx, f))
			e.check(e.d.Release(e.ctx, f))
		}},
		{"releasing leaves another's lease alone", func(e *env) {
			old := e.acquire("a", time.Minute)
			e.advance(2 * time.Minute)
			f := e.acquire("b", time.Minute)
			e.check(e.d.Release(e.ctx, old))
			e.equal(must(e.d.Lease(e.ctx, e.p))(e.t).Token, f.Token)
		}},
		{"releasing an older holding leaves the newer alone", func(e *env) {
			old := e.acquire("a", time.Minute)
			f := e.acquire("a", time.Minute)
			e.check(e.d.Release(e.ctx, old))
			e.equal(must(e.d.Lease(e.ctx, e.p))(e.t).Token, f.Token)
		}},
		{"tokens grow across release, expiry and another's holding", func(e *env) {
			var last storage.Fence
			for n := range 20 {
				f := e.acquire(fmt.Sprint(n%3), time.Minute)
				e.grows(last, f)
				last = f
				if n%2 == 0 {
					e.check(e.d.Release(e.ctx, f))
				} else {
					e.advance(2 * time.Minute)
				}
			}
		}},
		{"tokens grow across erasing", func(e *env) {
			first := e.acquire("a", time.Minute)
			e.check(e.d.Erase(e.ctx, e.p))
			e.noLease()
			second := e.acquire("b", time.Minute)
			e.grows(first, second)
			e.is(e.d.Renew(e.ctx, first, time.Minute), storage.ErrFenced)
		}},
		{"tokens grow across reopening", func(e *env) {
			first := e.acquire("a", time.Minute)
			e.check(e.d.Release(e.ctx, first))
			e.reopen()
			e.grows(first, e.acquire("b", time.Minute))
		}},
		{"a lease is kept across reopening", func(e *env) {
			f := e.acquire("a", time.Hour)
			e.reopen()
			e.equal(must(e.d.Lease(e.ctx, e.p))(e.t).Token, f.Token)
			e.check(e.d.Renew(e.ctx, f, time.Hour))
		}},
		{"two acquire one lease, one wins", func(e *env) {
			e.one(race(8, func(n int) error {
				_, err := e.d.Acquire(e.ctx, e.p, fmt.Sprint(n), time.Minute)
				return err
			}), storage.ErrHeld)
		}},
		{"two take over an expired lease, one wins", func(e *env) {
			e.acquire("old", time.Minute)
			e.advance(2 * time.Minute)
			e.one(race(8, func(n int) error {
				_, err := e.d.Acquire(e.ctx, e.p, fmt.Sprint(n), time.Minute)
				return err
			}), storage.ErrHeld)
		}},
	}}
}

func (e *env) acquire(holder string, ttl time.Duration) storage.Fence {
	e.t.Helper()
	return must(e.d.Acquire(e.ctx, e.p, holder, ttl))(e.t)
}

func (e *env) noLease() {
	e.t.Helper()
	_, err := e.d.Lease(e.ctx, e.p)
	e.is(err, storage.ErrNotFound)
}

func (e *env) grows(before, after storage.Fence) {
	e.t.Helper()
	if after.Token <= before.Token {
		e.t.Fatalf("token %d after %d", after.Token, before.Token)
	}
}
