package storagetest

import (
	"fmt"

	"talaria/storage"
)

func logs() group {
	return group{"logs", []testCase{
		{"every value comes back exactly", func(e *env) {
			for _, v := range values() {
				e.apply(appendTo("l", string(v)))
			}
			for n, entry := range must(e.d.ReadLog(e.ctx, e.p, "l", 1, 100))(e.t) {
				e.equal(string(entry.Value), string(values()[n]))
			}
		}},
		{"every name is a log of its own", func(e *env) {
			for _, name := range awkward() {
				e.apply(appendTo(name, name))
			}
			for _, name := range awkward() {
				e.equal(e.read(name, 0, 10), []string{"1 " + name})
			}
		}},
		{"offsets count from one", func(e *env) {
			e.equal(e.apply(appendTo("l", "a"))[0].Offset, uint64(1))
			e.equal(e.apply(appendTo("l", "b"))[0].Offset, uint64(2))
			e.equal(e.read("l", 0, 10), []string{"1 a", "2 b"})
		}},
		{"append of several tells the first offset", func(e *env) {
			e.apply(appendTo("l", "a"))
			e.equal(e.apply(appendTo("l", "b", "c", "d"))[0].Offset, uint64(2))
			e.equal(e.read("l", 0, 10), []string{"1 a", "2 b", "3 c", "4 d"})
		}},
		{"two appends in a batch follow each other", func(e *env) {
			results := e.apply(appendTo("l", "a", "b"), appendTo("m", "x"), appendTo("l", "c"))
			e.equal([]uint64{results[0].Offset, results[1].Offset, results[2].Offset}, []uint64{1, 1, 3})
			e.equal(e.read("l", 0, 10), []string{"1 a", "2 b", "3 c"})
		}},
		{"logs of one name in two partitions are apart", func(e *env) {
			e.apply(appendTo("l", "a"))
			e.on(storage.Team("t")).apply(appendTo("l", "b"))
			e.equal(e.read("l", 0, 10), []string{"1 a"})
			e.equal(e.on(storage.Team("t")).read("l", 0, 10), []string{"1 b"})
		}},
		{"a missing log reads as empty", func(e *env) {
			e.equal(e.read("l", 0, 10), []string(nil))
			e.equal(e.tail("l", 10), []string(nil))
		}},
		{"read begins at an offset", func(e *env) {
			e.apply(appendTo("l", "a", "b", "c"))
			e.equal(e.read("l", 2, 10), []string{"2 b", "3 c"})
			e.equal(e.read("l", 4, 10), []string(nil))
			e.equal(e.read("l", 1<<63, 10), []string(nil))
		}},
		{"read keeps to its limit", func(e *env) {
			e.apply(appendTo("l", "a", "b", "c"))
			e.equal(e.read("l", 1, 2), []string{"1 a", "2 b"})
			e.equal(e.read("l", 1, 0), []string(nil))
		}},
		{"tail is the last entries in order", func(e *env) {
			e.apply(appendTo("l", "a", "b", "c"))
			e.equal(e.tail("l", 2), []string{"2 b", "3 c"})
			e.equal(e.tail("l", 10), []string{"1 a", "2 b", "3 c"})
			e.equal(e.tail("l", 0), []string(nil))
		}},
		{"a thousand entries stay in order and can be paged", func(e *env) {
			var want []string
			for n := range 100 {
				values := make([]string, 10)
				for i := range values {
					values[i] = fmt.Sprint(n*10 + i)
					want = append(want, fmt.Sprintf("%d %s", n*10+i+1, values[i]))
				}
				e.apply(appendTo("l", values...))
			}
			var got []string
			for from := uint64(1); from <= 1000; from += 64 {
				got = append(got, e.read("l", from, 64)...)
			}
			e.equal(got, want)
			e.equal(e.tail("l", 10), want[990:])
		}},
		{"trim removes what is before an offset", func(e *env) {
			e.apply(appendTo("l", "a", "b", "c"))
			e.apply(trim("l", 3))
			e.equal(e.read("l", 0, 10), []string{"3 c"})
			e.equal(e.tail("l", 10), []string{"3 c"})
			e.equal(e.apply(appendTo("l", "d"))[0].Offset, uint64(4))
		}},
		{"trim before the first offset removes nothing", func(e *env) {
			e.apply(appendTo("l", "a"), trim("l", 1))
			e.equal(e.read("l", 0, 10), []string{"1 a"})
		}},
		{"offsets go on after all is trimmed", func(e *env) {
			e.apply(appendTo("l", "a", "b"))
			e.apply(trim("l", 100))
			e.equal(e.read("l", 0, 10), []string(nil))
			e.equal(e.apply(appendTo("l", "c"))[0].Offset, uint64(3))
			e.apply(trim("l", 4))
			e.equal(e.apply(appendTo("l", "d"))[0].Offset, uint64(4))
			e.equal(e.read("l", 0, 10), []string{"4 d"})
		}},
		{"trim to zero removes the log with its count", func(e *env) {
			e.apply(appendTo("l", "a", "b"))
			e.apply(trim("l", 2))
			e.apply(trim("l", 0))
			e.equal(e.read("l", 0, 10), []string(nil))
			e.equal(e.apply(appendTo("l", "c"))[0].Offset, uint64(1))
		}},
		{"trim of a missing log is no error", func(e *env) {
			e.apply(trim("l", 5), trim("l", 0))
			e.equal(e.apply(appendTo("l", "a"))[0].Offset, uint64(1))
		}},
		{"trim leaves other logs alone", func(e *env) {
			e.apply(appendTo("l", "a"), appendTo("ll", "b"), trim("l", 0))
			e.equal(e.read("ll", 0, 10), []string{"1 b"})
		}},
		{"trim and append in one batch", func(e *env) {
			e.apply(appendTo("l", "a", "b"))
			e.equal(e.apply(trim("l", 3), appendTo("l", "c"))[1].Offset, uint64(3))
			e.equal(e.read("l", 0, 10), []string{"3 c"})
		}},
		{"appenders side by side lose nothing", func(e *env) {
			for _, err := range race(8, func(n int) error {
				for range 10 {
					if _, err := e.batch(appendTo("l", fmt.Sprint(n))); err != nil {
						return err
					}
				}
				return nil
			}) {
				e.check(err)
			}
			entries := must(e.d.ReadLog(e.ctx, e.p, "l", 0, 100))(e.t)
			e.equal(len(entries), 80)
			for n, entry := range entries {
				e.equal(entry.Offset, uint64(n+1))
			}
		}},
	}}
}

func (e *env) read(log string, from uint64, limit int) []string {
	e.t.Helper()
	return described(must(e.d.ReadLog(e.ctx, e.p, log, from, limit))(e.t))
}

func (e *env) tail(log string, limit int) []string {
	e.t.Helper()
	return described(must(e.d.TailLog(e.ctx, e.p, log, limit))(e.t))
}

func described(entries []storage.Entry) []string {
	var out []string
	for _, entry := range entries {
		out = append(out, fmt.Sprintf("%d %s", entry.Offset, entry.Value))
	}
	return out
}
