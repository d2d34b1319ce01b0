package storagetest

import (
	"fmt"
	"time"

	"talaria/storage"
)

func inbox() group {
	return group{"inbox", []testCase{
		{"every value comes back exactly", func(e *env) {
			for n, v := range values() {
				e.apply(receive(string(v), time.Hour, fmt.Sprint(n)))
			}
			for n, event := range must(e.d.Pending(e.ctx, e.p, 0, 100))(e.t) {
				e.equal(string(event.Value), string(values()[n]))
			}
		}},
		{"an empty inbox has nothing pending", func(e *env) {
			e.equal(e.pending(0, 10), []string(nil))
		}},
		{"events are pending in the order of receiving", func(e *env) {
			e.equal(e.apply(receive("a", time.Hour, "1"))[0], storage.Result{Offset: 1})
			e.equal(e.apply(receive("b", time.Hour, "2"))[0], storage.Result{Offset: 2})
			e.equal(e.pending(0, 10), []string{"1 a", "2 b"})
		}},
		{"several events in one batch", func(e *env) {
			results := e.apply(receive("a", time.Hour, "1"), receive("b", time.Hour, "2"), receive("again", time.Hour, "1"))
			e.equal(results, []storage.Result{{Offset: 1}, {Offset: 2}, {Known: true}})
			e.equal(e.pending(0, 10), []string{"1 a", "2 b"})
		}},
		{"pending begins after a sequence and keeps to its limit", func(e *env) {
			e.apply(receive("a", time.Hour, "1"), receive("b", time.Hour, "2"), receive("c", time.Hour, "3"))
			e.equal(e.pending(1, 10), []string{"2 b", "3 c"})
			e.equal(e.pending(0, 2), []string{"1 a", "2 b"})
			e.equal(e.pending(3, 10), []string(nil))
			e.equal(e.pending(1<<63, 10), []string(nil))
			e.equal(e.pending(0, 0), []string(nil))
		}},
		{"an event tells when it was received", func(e *env) {
			before := e.now()
			e.apply(receive("a", time.Hour, "1"))
			got := must(e.d.Pending(e.ctx, e.p, 0, 1))(e.t)[0].At
			if got.Before(before) || got.After(e.now()) {
				e.t.Fatalf("received at %v, not between %v and now", got, before)
			}
			e.equal(got, got.UTC().Truncate(time.Millisecond))
		}},
		{"a known key is refused quietly", func(e *env) {
			e.apply(receive("a", time.Hour, "1"))
			e.equal(e.apply(receive("b", time.Hour, "1"))[0], storage.Result{Known: true})
			e.equal(e.pending(0, 10), []string{"1 a"})
		}},
		{"one known alias of several is enough", func(e *env) {
			e.apply(receive("a", time.Hour, "1", "2", "3"))
			for _, keys := range [][]string{{"3"}, {"x", "2"}, {"1", "y"}} {
				e.equal(e.apply(receive("b", time.Hour, keys...))[0], storage.Result{Known: true})
			}
			e.equal(e.pending(0, 10), []string{"1 a"})
		}},
		{"the other aliases of a known event are remembered too", func(e *env) {
			e.apply(receive("a", time.Hour, "1"))
			e.apply(receive("a", time.Hour, "1", "2"))
			e.equal(e.apply(receive("a", time.Hour, "2"))[0].Known, true)
			e.equal(e.pending(0, 10), []string{"1 a"})
		}},
		{"an alias twice in one event", func(e *env) {
			e.equal(e.apply(receive("a", time.Hour, "1", "1"))[0], storage.Result{Offset: 1})
		}},
		{"every key is a key of its own", func(e *env) {
			for n, k := range awkward() {
				e.equal(e.apply(receive(k, time.Hour, k))[0], storage.Result{Offset: uint64(n + 1)})
			}
			for _, k := range awkward() {
				e.equal(e.apply(receive(k, time.Hour, k))[0].Known, true)
			}
		}},
		{"keys of another partition are unknown", func(e *env) {
			e.apply(receive("a", time.Hour, "1"))
			e.equal(e.on(storage.Shard(8)).apply(receive("a", time.Hour, "1"))[0], storage.Result{Offset: 1})
		}},
		{"a key is forgotten after its time", func(e *env) {
			e.apply(receive("a", time.Hour, "1"))
			e.advance(59 * time.Minute)
			e.equal(e.apply(receive("b", time.Minute/2, "1"))[0].Known, true)
			e.advance(2 * time.Minute)
			e.equal(e.apply(receive("c", time.Hour, "1"))[0], storage.Result{Offset: 2})
			e.equal(e.pending(0, 10), []string{"1 a", "2 c"})
		}},
		{"a key that comes again is remembered longer", func(e *env) {
			e.apply(receive("a", time.Hour, "1"))
			e.advance(50 * time.Minute)
			e.apply(receive("a", time.Hour, "1"))
			e.advance(50 * time.Minute)
			e.equal(e.apply(receive("a", time.Hour, "1"))[0].Known, true)
		}},
		{"done removes exactly that event", func(e *env) {
			e.apply(receive("a", time.Hour, "1"), receive("b", time.Hour, "2"), receive("c", time.Hour, "3"))
			e.apply(done(2))
			e.equal(e.pending(0, 10), []string{"1 a", "3 c"})
			e.apply(done(3))
			e.equal(e.pending(0, 10), []string{"1 a"})
			e.apply(done(1))
			e.equal(e.pending(0, 10), []string(nil))
		}},
		{"the keys of a finished event stay known", func(e *env) {
			e.apply(receive("a", time.Hour, "1", "2"))
			e.apply(done(1))
			e.equal(e.apply(receive("a", time.Hour, "2"))[0].Known, true)
			e.equal(e.pending(0, 10), []string(nil))
		}},
		{"done of what is not there is no error", func(e *env) {
			e.apply(done(1), done(1<<40))
			e.apply(receive("a", time.Hour, "1"))
			e.apply(done(1))
			e.apply(done(1))
		}},
		{"sequences are never used again", func(e *env) {
			e.apply(receive("a", time.Hour, "1"), receive("b", time.Hour, "2"))
			e.apply(done(2), done(1))
			e.equal(e.apply(receive("c", time.Hour, "3"))[0], storage.Result{Offset: 3})
		}},
		{"received and done in one batch", func(e *env) {
			e.apply(receive("a", time.Hour, "1"), done(1))
			e.equal(e.pending(0, 10), []string(nil))
			e.equal(e.apply(receive("a", time.Hour, "1"))[0].Known, true)
		}},
		{"two receive one event, one keeps it", func(e *env) {
			known := make([]bool, 8)
			for _, err := range race(8, func(n int) error {
				results, err := e.batch(receive(fmt.Sprint(n), time.Hour, "same", fmt.Sprint(n)))
				known[n] = err == nil && results[0].Known
				return err
			}) {
				e.check(err)
			}
			kept := 0
			for _, k := range known {
				if !k {
					kept++
				}
			}
			e.equal(kept, 1)
			e.equal(len(e.pending(0, 10)), 1)
		}},
		{"a thousand events can be paged and finished in any order", func(e *env) {
			var ops []storage.Op
			for n := range 1000 {
				ops = append(ops, receive(fmt.Sprint(n+1), time.Hour, fmt.Sprint(n)))
			}
			e.apply(ops...)
			ops = nil
			for n := uint64(1); n <= 1000; n++ {
				if n%3 != 0 {
					ops = append(ops, done(1001-n))
				}
			}
			e.apply(ops...)
			seen, last := 0, uint64(0)
			for {
				events := must(e.d.Pending(e.ctx, e.p, last, 50))(e.t)
				if len(events) == 0 {
					break
				}
				for _, event := range events {
					if event.Sequence <= last || (1001-event.Sequence)%3 != 0 || string(event.Value) != fmt.Sprint(event.Sequence) {
						e.t.Fatalf("event %d %q after %d", event.Sequence, event.Value, last)
					}
					last = event.Sequence
					seen++
				}
			}
			e.equal(seen, 333)
		}},
	}}
}

func (e *env) pending(after uint64, limit int) []string {
	e.t.Helper()
	var out []string
	for _, event := range must(e.d.Pending(e.ctx, e.p, after, limit))(e.t) {
		out = append(out, fmt.Sprintf("%d %s", event.Sequence, event.Value))
	}
	return out
}
