package storagetest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"talaria/storage"
)

func documents() group {
	return group{"documents", []testCase{
		{"every value comes back exactly", func(e *env) {
			for n, v := range values() {
				e.apply(put("c", fmt.Sprint(n), string(v), storage.Absent))
			}
			for n, v := range values() {
				e.equal(e.value("c", fmt.Sprint(n)), string(v))
			}
		}},
		{"the largest value comes back exactly", func(e *env) {
			large := strings.Repeat("0123456789abcdef", storage.MaxValue/16)
			e.apply(put("c", "k", large, storage.Absent))
			if e.value("c", "k") != large {
				e.t.Fatal("another value comes back")
			}
		}},
		{"every name is a name of its own", func(e *env) {
			for _, c := range awkward() {
				e.apply(put(c, "key", "collection "+c, storage.Absent), put("collection", c, "key "+c, storage.Absent))
			}
			for _, c := range awkward() {
				e.equal(e.value(c, "key"), "collection "+c)
				e.equal(e.value("collection", c), "key "+c)
			}
		}},
		{"collection and key do not run into each other", func(e *env) {
			e.apply(put("a:b", "c", "1", storage.Absent), put("a", "b:c", "2", storage.Absent),
				put("a/b", "c", "3", storage.Absent), put("a", "b/c", "4", storage.Absent))
			e.equal(e.value("a:b", "c"), "1")
			e.equal(e.value("a", "b:c"), "2")
			e.equal(e.value("a/b", "c"), "3")
			e.equal(e.value("a", "b/c"), "4")
		}},
		{"a missing document is not got", func(e *env) {
			e.equal(e.get("c", "nothing"), []storage.Document(nil))
		}},
		{"get without refs gets nothing", func(e *env) {
			e.equal(must(e.d.Get(e.ctx, e.p))(e.t), []storage.Document(nil))
		}},
		{"get of several returns those that exist", func(e *env) {
			e.apply(put("c", "a", "1", storage.Absent), put("d", "b", "2", storage.Absent))
			docs := must(e.d.Get(e.ctx, e.p, storage.Ref{Collection: "c", Key: "a"},
				storage.Ref{Collection: "c", Key: "none"}, storage.Ref{Collection: "d", Key: "b"}))(e.t)
			got := map[string]string{}
			for _, d := range docs {
				got[d.Collection+"/"+d.Key] = string(d.Value)
			}
			e.equal(got, map[string]string{"c/a": "1", "d/b": "2"})
		}},
		{"a document of another partition is not got", func(e *env) {
			e.apply(put("c", "k", "1", storage.Absent))
			for _, p := range []storage.Partition{storage.Shard(8), storage.Person("7"), storage.Team("7"), storage.System("7")} {
				e.equal(e.on(p).get("c", "k"), []storage.Document(nil))
			}
		}},
		{"revisions count the writes from one", func(e *env) {
			for want := storage.Revision(1); want <= 3; want++ {
				e.equal(e.apply(put("c", "k", "v", storage.Any))[0].Revision, want)
				e.equal(e.get("c", "k")[0].Revision, want)
			}
		}},
		{"put with the right revision", func(e *env) {
			e.apply(put("c", "k", "1", storage.Absent))
			e.equal(e.apply(put("c", "k", "2", 1))[0].Revision, storage.Revision(2))
			e.equal(e.value("c", "k"), "2")
		}},
		{"put with an old revision conflicts and changes nothing", func(e *env) {
			e.apply(put("c", "k", "1", storage.Absent), put("c", "k", "2", storage.Any))
			e.refused(storage.ErrConflict, put("c", "k", "3", 1))
			e.equal(e.document("c", "k"), storage.Document{Ref: ref("c", "k"), Value: []byte("2"), Revision: 2})
		}},
		{"put with a future revision conflicts", func(e *env) {
			e.apply(put("c", "k", "1", storage.Absent))
			e.refused(storage.ErrConflict, put("c", "k", "3", 2))
		}},
		{"put of what must not exist conflicts if it does", func(e *env) {
			e.apply(put("c", "k", "1", storage.Absent))
			e.refused(storage.ErrConflict, put("c", "k", "2", storage.Absent))
			e.equal(e.value("c", "k"), "1")
		}},
		{"put with a revision of what is missing conflicts", func(e *env) {
			e.refused(storage.ErrConflict, put("c", "k", "1", 1))
			e.equal(e.get("c", "k"), []storage.Document(nil))
		}},
		{"put twice in a batch counts twice", func(e *env) {
			results := e.apply(put("c", "k", "1", storage.Absent), put("c", "k", "2", 1))
			e.equal(results[1].Revision, storage.Revision(2))
			e.equal(e.value("c", "k"), "2")
		}},
		{"delete with the right revision", func(e *env) {
			e.apply(put("c", "k", "1", storage.Absent))
			e.apply(remove("c", "k", 1))
			e.equal(e.get("c", "k"), []storage.Document(nil))
		}},
		{"delete with another revision conflicts and keeps it", func(e *env) {
			e.apply(put("c", "k", "1", storage.Absent))
			e.refused(storage.ErrConflict, remove("c", "k", 2))
			e.equal(e.value("c", "k"), "1")
		}},
		{"delete of any revision", func(e *env) {
			e.apply(put("c", "k", "1", storage.Absent))
			e.apply(remove("c", "k", storage.Any))
			e.equal(e.get("c", "k"), []storage.Document(nil))
		}},
		{"delete of any revision of what is missing is no error", func(e *env) {
			e.apply(remove("c", "k", storage.Any))
		}},
		{"delete with a revision of what is missing conflicts", func(e *env) {
			e.refused(storage.ErrConflict, remove("c", "k", 1))
		}},
		{"revisions begin again after a delete", func(e *env) {
			e.apply(put("c", "k", "1", storage.Absent), put("c", "k", "2", storage.Any), remove("c", "k", storage.Any))
			e.equal(e.apply(put("c", "k", "3", storage.Absent))[0].Revision, storage.Revision(1))
		}},
		{"list is in the order of the keys' bytes", func(e *env) {
			keys := []string{"b", "a", "B", "日本", "é", "a0", "a-", "10", "9", "👋", "ab"}
			for _, k := range keys {
				e.apply(put("c", k, k, storage.Absent))
			}
			e.equal(e.keys("c", "", 100), []string{"10", "9", "B", "a", "a-", "a0", "ab", "b", "é", "日本", "👋"})
		}},
		{"list gives documents whole", func(e *env) {
			e.apply(put("c", "k", "1", storage.Absent), put("c", "k", "2", storage.Any))
			docs := must(e.d.List(e.ctx, e.p, "c", "", 10))(e.t)
			e.equal(docs, []storage.Document{{Ref: ref("c", "k"), Value: []byte("2"), Revision: 2}})
		}},
		{"list begins after a key, whether or not it is there", func(e *env) {
			e.apply(put("c", "a", "", storage.Any), put("c", "b", "", storage.Any), put("c", "d", "", storage.Any))
			e.equal(e.keys("c", "a", 10), []string{"b", "d"})
			e.equal(e.keys("c", "c", 10), []string{"d"})
			e.equal(e.keys("c", "d", 10), []string(nil))
		}},
		{"list keeps to its limit", func(e *env) {
			e.apply(put("c", "a", "", storage.Any), put("c", "b", "", storage.Any), put("c", "d", "", storage.Any))
			e.equal(e.keys("c", "", 2), []string{"a", "b"})
			e.equal(e.keys("c", "", 0), []string(nil))
		}},
		{"list of a missing collection is empty", func(e *env) {
			e.apply(put("c", "a", "", storage.Any))
			e.equal(e.keys("other", "", 10), []string(nil))
		}},
		{"list sees neither other collections nor partitions", func(e *env) {
			e.apply(put("c", "a", "", storage.Any), put("cc", "b", "", storage.Any))
			e.on(storage.Person("x")).apply(put("c", "z", "", storage.Any))
			e.equal(e.keys("c", "", 10), []string{"a"})
		}},
		{"list leaves out what was deleted", func(e *env) {
			e.apply(put("c", "a", "", storage.Any), put("c", "b", "", storage.Any))
			e.apply(remove("c", "a", storage.Any))
			e.equal(e.keys("c", "", 10), []string{"b"})
		}},
		{"list pages through a thousand", func(e *env) {
			var ops []storage.Op
			var want []string
			for n := range 1000 {
				key := fmt.Sprintf("%04d", n)
				want = append(want, key)
				ops = append(ops, put("c", key, key, storage.Absent))
			}
			e.apply(ops...)
			var got []string
			for after := ""; ; after = got[len(got)-1] {
				page := e.keys("c", after, 64)
				if len(page) == 0 {
					break
				}
				got = append(got, page...)
			}
			e.equal(got, want)
		}},
		{"a document expires after its time to live", func(e *env) {
			e.apply(putFor("c", "k", "1", storage.Absent, time.Minute))
			e.advance(59 * time.Second)
			e.equal(e.value("c", "k"), "1")
			e.advance(2 * time.Second)
			e.equal(e.get("c", "k"), []storage.Document(nil))
			e.equal(e.keys("c", "", 10), []string(nil))
		}},
		{"a document tells when it expires", func(e *env) {
			before := e.now()
			e.apply(putFor("c", "k", "1", storage.Absent, time.Minute))
			after := e.now()
			got := e.document("c", "k").Expires
			if got.Before(before.Add(time.Minute)) || got.After(after.Add(time.Minute)) {
				e.t.Fatalf("expires %v, put between %v and %v", got, before, after)
			}
			e.equal(got, got.UTC().Truncate(time.Millisecond))
			e.equal(must(e.d.List(e.ctx, e.p, "c", "", 1))(e.t)[0].Expires, got)
		}},
		{"a document without time to live never expires", func(e *env) {
			e.apply(put("c", "k", "1", storage.Absent))
			e.equal(e.document("c", "k").Expires.IsZero(), true)
			e.advance(20 * 365 * 24 * time.Hour)
			e.equal(e.value("c", "k"), "1")
		}},
		{"put without time to live keeps for ever", func(e *env) {
			e.apply(putFor("c", "k", "1", storage.Absent, time.Minute))
			e.apply(put("c", "k", "2", storage.Any))
			e.advance(time.Hour)
			e.equal(e.value("c", "k"), "2")
		}},
		{"put with time to live begins it anew", func(e *env) {
			e.apply(putFor("c", "k", "1", storage.Absent, time.Minute))
			e.advance(50 * time.Second)
			e.apply(putFor("c", "k", "2", 1, time.Minute))
			e.advance(50 * time.Second)
			e.equal(e.value("c", "k"), "2")
		}},
		{"an expired document is absent for a put", func(e *env) {
			e.apply(putFor("c", "k", "1", storage.Absent, time.Minute), putFor("c", "k", "2", storage.Any, time.Minute))
			e.advance(2 * time.Minute)
			e.refused(storage.ErrConflict, put("c", "k", "3", 2))
			e.equal(e.apply(put("c", "k", "4", storage.Absent))[0].Revision, storage.Revision(1))
			e.equal(e.value("c", "k"), "4")
		}},
		{"an expired document is absent for a delete", func(e *env) {
			e.apply(putFor("c", "k", "1", storage.Absent, time.Minute))
			e.advance(2 * time.Minute)
			e.refused(storage.ErrConflict, remove("c", "k", 1))
			e.apply(remove("c", "k", storage.Any))
		}},
		{"two create one document, one wins", func(e *env) {
			e.one(race(8, func(n int) error {
				_, err := e.batch(put("c", "k", fmt.Sprint(n), storage.Absent))
				return err
			}), storage.ErrConflict)
		}},
		{"two replace one revision, one wins", func(e *env) {
			e.apply(put("c", "k", "", storage.Absent))
			e.one(race(8, func(n int) error {
				_, err := e.batch(put("c", "k", fmt.Sprint(n), 1))
				return err
			}), storage.ErrConflict)
			e.equal(e.document("c", "k").Revision, storage.Revision(2))
		}},
		{"no update is lost under compare and swap", func(e *env) {
			e.apply(put("c", "k", "0", storage.Absent))
			for _, err := range race(8, func(int) error { return e.countUp(10) }) {
				e.check(err)
			}
			e.equal(e.value("c", "k"), "80")
		}},
		{"the caller's bytes are not kept", func(e *env) {
			op := put("c", "k", "before", storage.Absent)
			e.apply(op)
			copy(op.Put.Value, "CHANGE")
			e.equal(e.value("c", "k"), "before")
			copy(e.document("c", "k").Value, "CHANGE")
			e.equal(e.value("c", "k"), "before")
		}},
	}}
}

// countUp adds one to the number in a document, times over, by compare and swap.
func (e *env) countUp(times int) error {
	for times > 0 {
		docs, err := e.d.Get(e.ctx, e.p, ref("c", "k"))
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(string(docs[0].Value))
		if err != nil {
			return err
		}
		switch _, err = e.batch(put("c", "k", fmt.Sprint(n+1), docs[0].Revision)); {
		case err == nil:
			times--
		case !errors.Is(err, storage.ErrConflict):
			return err
		}
	}
	return nil
}

func ref(collection, key string) storage.Ref {
	return storage.Ref{Collection: collection, Key: key}
}

func (e *env) get(collection, key string) []storage.Document {
	e.t.Helper()
	return must(e.d.Get(e.ctx, e.p, ref(collection, key)))(e.t)
}

// document is one that must exist.
func (e *env) document(collection, key string) storage.Document {
	e.t.Helper()
	docs := e.get(collection, key)
	if len(docs) != 1 {
		e.t.Fatalf("%d documents %s %q, want 1", len(docs), collection, key)
	}
	return docs[0]
}

func (e *env) value(collection, key string) string {
	e.t.Helper()
	return string(e.document(collection, key).Value)
}

func (e *env) keys(collection, after string, limit int) []string {
	e.t.Helper()
	var keys []string
	for _, d := range must(e.d.List(e.ctx, e.p, collection, after, limit))(e.t) {
		keys = append(keys, d.Key)
	}
	return keys
}
