package storagetest

import (
	"fmt"
	"time"

	"talaria/storage"
)

func timers() group {
	return group{"timers", []testCase{
		{"a timer is due from its time on", func(e *env) {
			due := e.now().Add(time.Minute)
			e.apply(setTimer("a", due, "v"))
			e.equal(e.due(due.Add(-time.Millisecond), 10), []storage.Timer(nil))
			want := []storage.Timer{{ID: "a", Due: due, Value: []byte("v")}}
			e.equal(e.due(due, 10), want)
			e.equal(e.due(due.Add(time.Hour), 10), want)
		}},
		{"times are in UTC, to the millisecond", func(e *env) {
			due := time.Date(2031, 3, 4, 5, 6, 7, 89_000_000, time.UTC)
			e.apply(setTimer("a", due.In(time.FixedZone("", 3*3600)), ""))
			e.equal(e.due(due, 10)[0].Due, due)
			e.equal(must(e.d.NextDue(e.ctx, e.p))(e.t), due)
		}},
		{"times far away keep their order", func(e *env) {
			past, future := time.UnixMilli(0).UTC(), time.Date(9999, 12, 31, 23, 59, 59, 999_000_000, time.UTC)
			e.apply(setTimer("future", future, ""), setTimer("before it", future.Add(-time.Millisecond), ""), setTimer("past", past, ""))
			e.equal(e.dueIDs(future, 10), []string{"past", "before it", "future"})
			e.equal(e.dueIDs(future.Add(-time.Millisecond), 10), []string{"past", "before it"})
			e.equal(must(e.d.NextDue(e.ctx, e.p))(e.t), past)
		}},
		{"every value comes back exactly", func(e *env) {
			now := e.now()
			for n, v := range values() {
				e.apply(setTimer(fmt.Sprintf("%02d", n), now, string(v)))
			}
			for n, timer := range e.due(now, 100) {
				e.equal(string(timer.Value), string(values()[n]))
			}
		}},
		{"every id is a timer of its own", func(e *env) {
			now := e.now()
			for _, id := range awkward() {
				e.apply(setTimer(id, now, id))
			}
			e.equal(len(e.due(now, 100)), len(awkward()))
			for _, id := range awkward() {
				e.equal(e.claim(id, now), true)
			}
		}},
		{"due timers come by time, then id", func(e *env) {
			now := e.now()
			e.apply(setTimer("b", now, ""), setTimer("c", now.Add(-time.Second), ""), setTimer("a", now, ""),
				setTimer("é", now, ""), setTimer("Z", now, ""), setTimer("later", now.Add(time.Second), ""))
			e.equal(e.dueIDs(now, 10), []string{"c", "Z", "a", "b", "é"})
			e.equal(e.dueIDs(now, 2), []string{"c", "Z"})
			e.equal(e.dueIDs(now, 0), []string(nil))
		}},
		{"timers of another partition are apart", func(e *env) {
			e.apply(setTimer("a", e.now(), ""))
			other := e.on(storage.System("timers/3"))
			e.equal(other.dueIDs(e.now(), 10), []string(nil))
			_, err := other.d.NextDue(e.ctx, other.p)
			e.is(err, storage.ErrNotFound)
		}},
		{"the next due time is the earliest", func(e *env) {
			_, err := e.d.NextDue(e.ctx, e.p)
			e.is(err, storage.ErrNotFound)
			now := e.now()
			e.apply(setTimer("a", now.Add(time.Hour), ""), setTimer("b", now.Add(time.Minute), ""))
			e.equal(must(e.d.NextDue(e.ctx, e.p))(e.t), now.Add(time.Minute))
		}},
		{"the next due time counts claimed timers", func(e *env) {
			now := e.now()
			e.apply(setTimer("a", now, ""), setTimer("b", now.Add(time.Hour), ""))
			e.equal(e.claim("a", now), true)
			e.equal(must(e.d.NextDue(e.ctx, e.p))(e.t), now)
		}},
		{"setting again replaces time and value", func(e *env) {
			now := e.now()
			e.apply(setTimer("a", now, "old"))
			e.apply(setTimer("a", now.Add(time.Minute), "new"))
			e.equal(e.due(now, 10), []storage.Timer(nil))
			e.equal(e.due(now.Add(time.Minute), 10), []storage.Timer{{ID: "a", Due: now.Add(time.Minute), Value: []byte("new")}})
		}},
		{"a claim is granted once", func(e *env) {
			now := e.now()
			e.apply(setTimer("a", now, ""))
			e.equal(e.claim("a", now), true)
			e.equal(e.claim("a", now), false)
		}},
		{"a claimed timer is not due", func(e *env) {
			now := e.now()
			e.apply(setTimer("a", now, ""), setTimer("b", now, ""))
			e.claim("a", now)
			e.equal(e.dueIDs(now, 10), []string{"b"})
		}},
		{"a claim ends with its lease", func(e *env) {
			now := e.now()
			e.apply(setTimer("a", now, ""))
			e.claim("a", now) // for a minute
			e.advance(59 * time.Second)
			e.equal(e.claim("a", now), false)
			e.equal(e.dueIDs(e.now(), 10), []string(nil))
			e.advance(2 * time.Second)
			e.equal(e.dueIDs(e.now(), 10), []string{"a"})
			e.equal(e.claim("a", now), true)
		}},
		{"a claim runs by the store's clock, not by the time asked about", func(e *env) {
			now := e.now()
			e.apply(setTimer("a", now, ""))
			e.claim("a", now)
			e.equal(e.dueIDs(now.Add(24*time.Hour), 10), []string(nil))
		}},
		{"a claim of another time or of nothing is not granted", func(e *env) {
			now := e.now()
			e.apply(setTimer("a", now, ""))
			e.equal(e.claim("a", now.Add(time.Millisecond)), false)
			e.equal(e.claim("a", now.Add(-time.Millisecond)), false)
			e.equal(e.claim("nothing", now), false)
			e.equal(e.claim("a", now), true)
		}},
		{"a claim before the time is granted", func(e *env) {
			due := e.now().Add(time.Hour)
			e.apply(setTimer("a", due, ""))
			e.equal(e.claim("a", due), true)
		}},
		{"setting again ends a claim", func(e *env) {
			now := e.now()
			e.apply(setTimer("a", now, ""))
			e.claim("a", now)
			e.apply(setTimer("a", now, ""))
			e.equal(e.dueIDs(now, 10), []string{"a"})
			e.equal(e.claim("a", now), true)
		}},
		{"settling removes the timer", func(e *env) {
			now := e.now()
			e.apply(setTimer("a", now, ""))
			e.claim("a", now)
			e.apply(settle("a", now, time.Time{}))
			e.advance(time.Hour)
			e.equal(e.dueIDs(e.now(), 10), []string(nil))
			_, err := e.d.NextDue(e.ctx, e.p)
			e.is(err, storage.ErrNotFound)
		}},
		{"settling with a next time keeps id and value and ends the claim", func(e *env) {
			now := e.now()
			next := now.Add(10 * time.Second)
			e.apply(setTimer("a", now, "v"))
			e.claim("a", now)
			e.apply(settle("a", now, next))
			e.equal(e.dueIDs(now, 10), []string(nil))
			e.equal(e.due(next, 10), []storage.Timer{{ID: "a", Due: next, Value: []byte("v")}})
			e.equal(e.claim("a", next), true)
		}},
		{"settling leaves a timer with another time alone", func(e *env) {
			now := e.now()
			e.apply(setTimer("a", now, "v"))
			e.apply(settle("a", now.Add(-time.Second), time.Time{}))
			e.apply(settle("a", now.Add(-time.Second), now.Add(time.Hour)))
			e.equal(e.due(now, 10), []storage.Timer{{ID: "a", Due: now, Value: []byte("v")}})
		}},
		{"settling what is gone is no error and brings nothing back", func(e *env) {
			now := e.now()
			e.apply(settle("a", now, now))
			e.equal(e.dueIDs(now, 10), []string(nil))
		}},
		{"a timer replaced under a claim survives its settling", func(e *env) {
			now := e.now()
			e.apply(setTimer("a", now, "old"))
			e.claim("a", now)
			e.apply(setTimer("a", now.Add(time.Hour), "new"))
			e.apply(settle("a", now, time.Time{}))
			e.equal(e.dueIDs(now.Add(time.Hour), 10), []string{"a"})
		}},
		{"two claim one timer, one wins", func(e *env) {
			now := e.now()
			e.apply(setTimer("a", now, ""))
			won := make([]bool, 8)
			for _, err := range race(8, func(n int) error {
				results, err := e.batch(claim("a", now, time.Minute))
				won[n] = err == nil && !results[0].Known
				return err
			}) {
				e.check(err)
			}
			winners := 0
			for _, w := range won {
				if w {
					winners++
				}
			}
			e.equal(winners, 1)
		}},
		{"set, claimed and settled in one batch", func(e *env) {
			now := e.now()
			results := e.apply(setTimer("a", now, ""), claim("a", now, time.Minute), settle("a", now, time.Time{}), claim("a", now, time.Minute))
			e.equal([]bool{results[1].Known, results[3].Known}, []bool{false, true})
			e.equal(e.dueIDs(now, 10), []string(nil))
		}},
		{"a thousand timers come in order", func(e *env) {
			now := e.now()
			var ops []storage.Op
			for n := range 1000 {
				ops = append(ops, setTimer(fmt.Sprintf("%03d", n), now.Add(time.Duration(n%10)*time.Second), ""))
			}
			e.apply(ops...)
			var got, want []string
			for s := range 10 {
				for n := s; n < 1000; n += 10 {
					want = append(want, fmt.Sprintf("%03d", n))
				}
			}
			for range 20 {
				ids := e.dueIDs(now.Add(time.Hour), 50)
				got = append(got, ids...)
				var claims []storage.Op
				for _, t := range e.due(now.Add(time.Hour), 50) {
					claims = append(claims, claim(t.ID, t.Due, time.Minute))
				}
				e.apply(claims...)
			}
			e.equal(got, want)
		}},
	}}
}

func (e *env) due(now time.Time, limit int) []storage.Timer {
	e.t.Helper()
	return must(e.d.Due(e.ctx, e.p, now, limit))(e.t)
}

func (e *env) dueIDs(now time.Time, limit int) []string {
	e.t.Helper()
	var ids []string
	for _, t := range e.due(now, limit) {
		ids = append(ids, t.ID)
	}
	return ids
}

// claim claims a timer for a minute and reports whether that was granted.
func (e *env) claim(id string, due time.Time) bool {
	e.t.Helper()
	return !e.apply(claim(id, due, time.Minute))[0].Known
}
