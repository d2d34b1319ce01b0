package storagetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/storage"
)

func dumps() group {
	return group{"dump, load and erase", []testCase{
		{"an empty store has no partitions", func(e *env) {
			e.equal(e.partitions(), []string(nil))
			e.equal(e.dump(), []storage.Record(nil))
		}},
		{"every kind of content makes a partition", func(e *env) {
			var want []string
			for n, op := range e.oneOfEach() {
				p := storage.Shard(n)
				e.on(p).apply(op)
				want = append(want, p.String())
			}
			e.on(storage.System("blobs")).putBlob([]byte("x"))
			e.equal(e.partitions(), append(want, "x/blobs"))
		}},
		{"all kinds of partitions are listed, once", func(e *env) {
			want := []string{"p/person", "s/000", "s/255", "t/team:with/signs", "x/日本"}
			for _, name := range want {
				p := must(storage.ParsePartition(name))(e.t)
				e.on(p).apply(put("c", "k", "v", storage.Absent), appendTo("l", "v"))
			}
			e.equal(e.partitions(), want)
		}},
		{"a thousand partitions are listed", func(e *env) {
			var want []string
			for n := range 1000 {
				p := storage.Person(fmt.Sprintf("%04d", n))
				want = append(want, p.String())
				e.on(p).apply(put("c", "k", "v", storage.Absent))
			}
			e.equal(e.partitions(), want)
		}},
		{"listing ends with the caller's error", func(e *env) {
			e.apply(put("c", "k", "v", storage.Absent))
			enough := errors.New("enough")
			e.is(e.d.Partitions(e.ctx, func(storage.Partition) error { return enough }), enough)
		}},
		{"dumping ends with the caller's error", func(e *env) {
			e.apply(put("c", "k", "v", storage.Absent), put("c", "l", "v", storage.Absent))
			enough := errors.New("enough")
			calls := 0
			e.is(e.d.Dump(e.ctx, e.p, func(storage.Record) error { calls++; return enough }), enough)
			e.equal(calls, 1)
		}},
		{"a dump holds every kind of content", func(e *env) {
			e.fill()
			kinds := map[string]int{}
			for _, r := range e.dump() {
				kinds[r.Kind]++
			}
			e.equal(kinds, map[string]int{
				"document": 2, "log": 2, "entry": 2, "counter": 2, "event": 1, "seen": 3, "row": 2, "timer": 1, "indexed": 2, "blob": 1,
			})
		}},
		{"a dump is of one partition", func(e *env) {
			e.fill()
			e.equal(e.on(storage.Shard(8)).dump(), []storage.Record(nil))
		}},
		{"a dump is of one moment", func(e *env) {
			stop := make(chan struct{})
			for _, err := range race(2, func(n int) error {
				if n == 0 {
					defer close(stop)
					return e.watchDump(50)
				}
				return e.growUntil(stop)
			}) {
				e.check(err)
			}
		}},
		{"a dump leaves out what has expired", func(e *env) {
			op := move("k", storage.Sent, storage.Queued)
			op.Move.TTL = time.Minute
			e.apply(putFor("c", "k", "v", storage.Absent, time.Minute), queue("k", "v"), op)
			e.advance(2 * time.Minute)
			for _, r := range e.dump() {
				if r.Kind != "counter" {
					e.t.Fatalf("dumped %v", r)
				}
			}
		}},
		{"a load gives back what was dumped, in any order", func(e *env) {
			e.fill()
			records := e.dump()
			for name, order := range map[string]func([]storage.Record){
				"as it was": func([]storage.Record) {},
				"reversed":  slices.Reverse[[]storage.Record],
			} {
				other := e.on(storage.Team(name))
				loaded := slices.Clone(records)
				order(loaded)
				e.check(e.d.Load(e.ctx, other.p, loaded))
				e.equal(other.dump(), records)
			}
		}},
		{"a load in several calls", func(e *env) {
			e.fill()
			records := e.dump()
			other := e.on(storage.Team("other"))
			for _, r := range records {
				e.check(e.d.Load(e.ctx, other.p, []storage.Record{r}))
			}
			e.equal(other.dump(), records)
		}},
		{"a load of nothing", func(e *env) {
			e.check(e.d.Load(e.ctx, e.p, nil))
			e.equal(e.partitions(), []string(nil))
		}},
		{"a load with an unknown record applies nothing", func(e *env) {
			e.fill()
			other := e.on(storage.Team("other"))
			err := e.d.Load(e.ctx, other.p, append(e.dump(), storage.Record{Kind: "surprise"}))
			if err == nil {
				e.t.Fatal("loaded")
			}
			e.equal(other.dump(), []storage.Record(nil))
		}},
		{"loaded documents keep revision and expiry", func(e *env) {
			other := e.moved(putFor("c", "k", "1", storage.Any, time.Hour), putFor("c", "k", "2", storage.Any, time.Hour))
			e.equal(other.document("c", "k"), e.document("c", "k"))
			other.refused(storage.ErrConflict, put("c", "k", "3", 1))
			e.advance(2 * time.Hour)
			e.equal(other.get("c", "k"), []storage.Document(nil))
		}},
		{"a loaded log goes on counting", func(e *env) {
			other := e.moved(appendTo("l", "a", "b"), trim("l", 2), appendTo("m", "a", "b"), trim("m", 9))
			e.equal(other.read("l", 0, 10), []string{"2 b"})
			e.equal(other.apply(appendTo("l", "c"), appendTo("m", "c")), []storage.Result{{Offset: 3}, {Offset: 3}})
		}},
		{"a loaded inbox goes on counting and remembers", func(e *env) {
			other := e.moved(receive("a", time.Hour, "1"), receive("b", time.Hour, "2"), done(2))
			e.equal(must(other.d.Pending(e.ctx, other.p, 0, 10))(e.t), must(e.d.Pending(e.ctx, e.p, 0, 10))(e.t))
			e.equal(other.apply(receive("b", time.Hour, "2"), receive("c", time.Hour, "3")), []storage.Result{{Known: true}, {Offset: 3}})
			e.advance(2 * time.Hour)
			e.equal(other.apply(receive("a", time.Hour, "1")), []storage.Result{{Offset: 4}})
		}},
		{"a loaded outbox goes on counting and forgets in time", func(e *env) {
			op := move("b", storage.Sent, storage.Queued)
			op.Move.TTL = time.Hour
			other := e.moved(queue("a", "1"), queue("b", "2"), op)
			e.equal(other.row("a"), e.row("a"))
			e.equal(other.rows(0, 10, storage.Sent), []string{"2 b"})
			e.equal(other.apply(queue("a", "x"), queue("c", "3")), []storage.Result{{Known: true}, {Offset: 3}})
			e.advance(2 * time.Hour)
			e.equal(other.rows(0, 10, storage.Sent), []string(nil))
		}},
		{"a loaded timer can be claimed", func(e *env) {
			now := e.now()
			other := e.moved(setTimer("t", now, "v"), claim("t", now, time.Hour))
			e.equal(other.due(now, 10), []storage.Timer{{ID: "t", Due: now, Value: []byte("v")}})
			e.equal(other.claim("t", now), true)
		}},
		{"a loaded text index finds", func(e *env) {
			other := e.moved(index("p", "2", map[string]int{"a": 2}), index("p", "1", map[string]int{"a": 1, "b": 1}))
			e.equal(other.stats("p", "a", "b"), storage.IndexStats{Documents: 2, Terms: 4, Holding: []int{2, 1}})
			e.equal(other.postings("p", 1, "a"), [][]string{{"2"}})
			e.equal(other.indexed("p", "1"), map[string]map[string]int{"1": {"a": 1, "b": 1}})
		}},
		{"a lease is no content", func(e *env) {
			e.acquire("a", time.Hour)
			e.equal(e.dump(), []storage.Record(nil))
		}},
		{"erasing removes everything", func(e *env) {
			e.fill()
			e.acquire("a", time.Hour)
			e.check(e.d.Erase(e.ctx, e.p))
			e.equal(e.dump(), []storage.Record(nil))
			e.equal(e.partitions(), []string(nil))
			e.equal(e.stats("p", "a"), storage.IndexStats{Holding: []int{0}})
			e.equal(e.postings("p", 10, "a"), [][]string{nil})
			e.noLease()
		}},
		{"erasing leaves other partitions", func(e *env) {
			e.fill()
			other := e.on(storage.Person("p"))
			other.fill()
			before := other.dump()
			e.check(e.d.Erase(e.ctx, e.p))
			e.equal(other.dump(), before)
			e.equal(other.stats("p", "a").Holding, []int{2})
			e.equal(e.partitions(), []string{"p/p"})
		}},
		{"erasing nothing is no error", func(e *env) {
			e.check(e.d.Erase(e.ctx, e.p))
		}},
		{"an erased partition begins anew", func(e *env) {
			e.fill()
			e.check(e.d.Erase(e.ctx, e.p))
			e.fill()
			e.equal(len(e.dump()), 18)
			e.equal(e.read("l", 0, 10), []string{"1 a", "2 b"})
		}},
		{"a fence from before erasing is stale", func(e *env) {
			f := e.acquire("a", time.Hour)
			e.check(e.d.Erase(e.ctx, e.p))
			_, err := e.under(f, put("c", "k", "v", storage.Absent))
			e.is(err, storage.ErrFenced)
		}},
		{"a sound store has no findings", func(e *env) {
			e.fill()
			e.equal(must(e.d.Check(e.ctx))(e.t), []string(nil))
		}},
		{"a store tells its durability", func(e *env) {
			text, _, err := e.d.Durability(e.ctx)
			e.check(err)
			if text == "" {
				e.t.Fatal("no text")
			}
		}},
	}}
}

// oneOfEach are operations that each leave one kind of content.
func (e *env) oneOfEach() []storage.Op {
	return []storage.Op{
		put("c", "k", "v", storage.Absent), appendTo("l", "v"), receive("v", time.Hour, "k"), queue("k", "v"),
		setTimer("t", e.now(), "v"), index("p", "d", map[string]int{"a": 1}),
	}
}

// fill writes some of each kind of content.
func (e *env) fill() {
	e.t.Helper()
	op := move("b", storage.Sent, storage.Queued)
	op.Move.TTL = 24 * time.Hour
	e.apply(put("c", "k", "v", storage.Absent), putFor("c", "日本", "", storage.Absent, 24*time.Hour),
		appendTo("l", "a", "b"), appendTo("gone", "a"), trim("gone", 9),
		receive("a", 24*time.Hour, "1", "2"), receive("b", 24*time.Hour, "3"), done(2),
		queue("a", "v"), queue("b", "v"), op,
		setTimer("t", e.now().Add(time.Hour), "v"),
		index("p", "1", map[string]int{"a": 1, "b": 2}), index("p", "2", map[string]int{"a": 3}))
	e.putBlob([]byte("blob"))
}

// moved applies operations, dumps the partition and loads it into another.
func (e *env) moved(ops ...storage.Op) *env {
	e.t.Helper()
	e.apply(ops...)
	other := e.on(storage.Team("moved"))
	e.check(e.d.Load(e.ctx, other.p, e.dump()))
	return other
}

// dump is the partition's records in an order of their own.
func (e *env) dump() []storage.Record {
	e.t.Helper()
	var records []storage.Record
	e.check(e.d.Dump(e.ctx, e.p, func(r storage.Record) error {
		records = append(records, r)
		return nil
	}))
	slices.SortFunc(records, func(a, b storage.Record) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key), cmp.Compare(fmt.Sprint(a.Data), fmt.Sprint(b.Data)))
	})
	return records
}

// growUntil applies batches that add an entry and a row each and count them in
// a document.
func (e *env) growUntil(stop <-chan struct{}) error {
	for n := 1; ; n++ {
		select {
		case <-stop:
			return nil
		default:
		}
		count := fmt.Sprint(n)
		if _, err := e.batch(appendTo("l", count), queue(count, ""), put("c", "k", count, storage.Any)); err != nil {
			return err
		}
	}
}

// watchDump dumps what growUntil writes and checks that the counts agree.
func (e *env) watchDump(times int) error {
	for range times {
		kinds := map[string]int{}
		count := "0"
		err := e.d.Dump(e.ctx, e.p, func(r storage.Record) error {
			kinds[r.Kind]++
			if r.Kind == "document" {
				count = string(r.Blob)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if fmt.Sprint(kinds["entry"]) != count || fmt.Sprint(kinds["row"]) != count {
			return fmt.Errorf("dumped %v, counted %s", kinds, count)
		}
	}
	return nil
}

// partitions are the names of all partitions, sorted; none may come twice.
func (e *env) partitions() []string {
	e.t.Helper()
	var names []string
	e.check(e.d.Partitions(e.ctx, func(p storage.Partition) error {
		names = append(names, p.String())
		return nil
	}))
	slices.Sort(names)
	return names
}
