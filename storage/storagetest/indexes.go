package storagetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"talaria/storage"
)

func indexes() group {
	return group{"text index", []testCase{
		{"an indexed document comes back with its counts", func(e *env) {
			counts := map[string]int{"one": 1, "many": 1 << 20, "日本": 2}
			e.apply(index("p", "d", counts))
			e.equal(e.indexed("p", "d"), map[string]map[string]int{"d": counts})
		}},
		{"every term is a term of its own", func(e *env) {
			counts := map[string]int{}
			for n, term := range awkward() {
				counts[term] = n + 1
				e.apply(index("p", fmt.Sprintf("%02d", n), map[string]int{term: 1}))
			}
			e.apply(index("p", "all", counts))
			e.equal(e.indexed("p", "all")["all"], counts)
			for n, term := range awkward() {
				e.equal(e.postings("p", 10, term), [][]string{{"all", fmt.Sprintf("%02d", n)}})
				e.equal(e.stats("p", term).Holding, []int{2})
			}
		}},
		{"terms are not folded", func(e *env) {
			e.apply(index("p", "1", map[string]int{"Word": 1}), index("p", "2", map[string]int{"word": 1}), index("p", "3", map[string]int{"wörd": 1}))
			e.equal(e.postings("p", 10, "Word", "word", "wörd"), [][]string{{"1"}, {"2"}, {"3"}})
		}},
		{"every document has an id of its own", func(e *env) {
			for _, doc := range awkward() {
				e.apply(index("p", doc, map[string]int{"t": 1}))
			}
			want := awkward()
			slices.Sort(want)
			slices.Reverse(want)
			e.equal(e.postings("p", 100, "t")[0], want)
			e.equal(len(e.indexed("p", want...)), len(want))
		}},
		{"every place is a place of its own", func(e *env) {
			for n, place := range awkward() {
				e.apply(index(place, fmt.Sprint(n), map[string]int{"t": 1}))
			}
			for n, place := range awkward() {
				e.equal(e.postings(place, 10, "t"), [][]string{{fmt.Sprint(n)}})
				e.equal(e.stats(place, "t"), storage.IndexStats{Documents: 1, Terms: 1, Holding: []int{1}})
			}
		}},
		{"a place of one name in another partition is apart", func(e *env) {
			e.apply(index("p", "1", map[string]int{"t": 1}))
			other := e.on(storage.Shard(8))
			other.apply(index("p", "2", map[string]int{"t": 1}))
			e.equal(e.postings("p", 10, "t"), [][]string{{"1"}})
			e.equal(other.postings("p", 10, "t"), [][]string{{"2"}})
			e.equal(other.stats("p", "t").Documents, 1)
			e.equal(other.indexed("p", "1", "2"), map[string]map[string]int{"2": {"t": 1}})
		}},
		{"an empty index counts nothing", func(e *env) {
			e.equal(e.stats("p", "a", "b"), storage.IndexStats{Holding: []int{0, 0}})
			e.equal(e.postings("p", 10, "a", "b"), [][]string{nil, nil})
			e.equal(len(e.indexed("p", "d")), 0)
		}},
		{"asking about nothing", func(e *env) {
			e.apply(index("p", "d", map[string]int{"t": 2}))
			e.equal(e.stats("p"), storage.IndexStats{Documents: 1, Terms: 2})
			e.equal(len(e.postings("p", 10)), 0)
			e.equal(len(e.indexed("p")), 0)
		}},
		{"stats count documents, length and holders of each term", func(e *env) {
			e.apply(index("p", "1", map[string]int{"a": 3, "b": 1}), index("p", "2", map[string]int{"a": 1}), index("p", "3", map[string]int{"c": 2}))
			e.equal(e.stats("p", "c", "a", "none", "b", "a"), storage.IndexStats{Documents: 3, Terms: 7, Holding: []int{1, 2, 0, 1, 2}})
		}},
		{"postings are the greatest documents first, at most the limit", func(e *env) {
			for _, doc := range []string{"05", "01", "09", "03", "07"} {
				e.apply(index("p", doc, map[string]int{"t": 1}))
			}
			e.equal(e.postings("p", 10, "t"), [][]string{{"09", "07", "05", "03", "01"}})
			e.equal(e.postings("p", 2, "t"), [][]string{{"09", "07"}})
			e.equal(e.postings("p", 0, "t"), [][]string{nil})
		}},
		{"postings are in the order of the ids' bytes", func(e *env) {
			for _, doc := range []string{"10", "9", "a", "B", "é", "日"} {
				e.apply(index("p", doc, map[string]int{"t": 1}))
			}
			e.equal(e.postings("p", 10, "t"), [][]string{{"日", "é", "a", "B", "9", "10"}})
		}},
		{"the limit holds for each term", func(e *env) {
			e.apply(index("p", "1", map[string]int{"a": 1, "b": 1}), index("p", "2", map[string]int{"a": 1, "b": 1}), index("p", "3", map[string]int{"b": 1}))
			e.equal(e.postings("p", 1, "b", "a", "none"), [][]string{{"3"}, {"2"}, nil})
		}},
		{"indexed returns those that exist, once", func(e *env) {
			e.apply(index("p", "1", map[string]int{"a": 1}), index("p", "2", map[string]int{"b": 2}))
			e.equal(e.indexed("p", "2", "none", "1"), map[string]map[string]int{"1": {"a": 1}, "2": {"b": 2}})
		}},
		{"a document without terms is counted", func(e *env) {
			e.apply(index("p", "d", nil))
			e.equal(e.stats("p", "t"), storage.IndexStats{Documents: 1, Holding: []int{0}})
			e.equal(e.indexed("p", "d"), map[string]map[string]int{"d": nil})
		}},
		{"indexing again replaces", func(e *env) {
			e.apply(index("p", "d", map[string]int{"old": 2, "both": 1}))
			e.apply(index("p", "d", map[string]int{"new": 3, "both": 1}))
			e.equal(e.stats("p", "old", "new", "both"), storage.IndexStats{Documents: 1, Terms: 4, Holding: []int{0, 1, 1}})
			e.equal(e.postings("p", 10, "old", "new", "both"), [][]string{nil, {"d"}, {"d"}})
			e.equal(e.indexed("p", "d"), map[string]map[string]int{"d": {"new": 3, "both": 1}})
		}},
		{"indexing again in one batch replaces", func(e *env) {
			e.apply(index("p", "d", map[string]int{"a": 1}), index("p", "d", map[string]int{"b": 1}))
			e.equal(e.stats("p", "a", "b"), storage.IndexStats{Documents: 1, Terms: 1, Holding: []int{0, 1}})
		}},
		{"a document indexed again keeps its place in the order", func(e *env) {
			e.apply(index("p", "1", map[string]int{"t": 1}), index("p", "2", map[string]int{"t": 1}), index("p", "3", map[string]int{"t": 1}))
			e.apply(index("p", "1", map[string]int{"t": 2}))
			e.equal(e.postings("p", 2, "t"), [][]string{{"3", "2"}})
		}},
		{"unindexing removes every trace", func(e *env) {
			e.apply(index("p", "1", map[string]int{"a": 1}), index("p", "2", map[string]int{"a": 2, "b": 1}))
			e.apply(unindex("p", "2"))
			e.equal(e.stats("p", "a", "b"), storage.IndexStats{Documents: 1, Terms: 1, Holding: []int{1, 0}})
			e.equal(e.postings("p", 10, "a", "b"), [][]string{{"1"}, nil})
			e.equal(len(e.indexed("p", "2")), 0)
		}},
		{"unindexing the last document empties the place", func(e *env) {
			e.apply(index("p", "1", map[string]int{"a": 1}))
			e.apply(unindex("p", "1"))
			e.equal(e.stats("p", "a"), storage.IndexStats{Holding: []int{0}})
			e.equal(e.dump(), []storage.Record(nil))
		}},
		{"unindexing what is not there is no error", func(e *env) {
			e.apply(unindex("p", "1"))
			e.apply(index("p", "1", map[string]int{"a": 1}), unindex("p", "2"), unindex("q", "1"))
			e.equal(e.stats("p", "a").Documents, 1)
		}},
		{"a document can come back", func(e *env) {
			e.apply(index("p", "1", map[string]int{"a": 1}), index("p", "2", map[string]int{"a": 1}))
			e.apply(unindex("p", "2"))
			e.apply(index("p", "2", map[string]int{"a": 1}))
			e.equal(e.postings("p", 10, "a"), [][]string{{"2", "1"}})
		}},
		{"indexers side by side lose nothing", func(e *env) {
			for _, err := range race(8, func(n int) error {
				for i := range 10 {
					if _, err := e.batch(index("p", fmt.Sprintf("%d-%d", n, i), map[string]int{"t": 1, fmt.Sprint(n): 1})); err != nil {
						return err
					}
				}
				return nil
			}) {
				e.check(err)
			}
			e.equal(e.stats("p", "t", "3"), storage.IndexStats{Documents: 80, Terms: 160, Holding: []int{80, 10}})
			e.equal(len(e.postings("p", 100, "t")[0]), 80)
		}},
		{"any history ends in what a plain map would hold", func(e *env) {
			e.indexHistory(rand.New(rand.NewPCG(1, 2)))
		}},
		{"the greatest five hundred of a thousand that came in any order", func(e *env) {
			docs := make([]string, 1000)
			for n := range docs {
				docs[n] = fmt.Sprintf("%04d", n)
			}
			var ops []storage.Op
			for _, n := range rand.New(rand.NewPCG(5, 6)).Perm(len(docs)) {
				ops = append(ops, index("p", docs[n], map[string]int{"t": 1}))
			}
			e.apply(ops...)
			slices.Reverse(docs)
			e.equal(e.postings("p", 500, "t")[0], docs[:500])
			e.equal(e.stats("p", "t"), storage.IndexStats{Documents: 1000, Terms: 1000, Holding: []int{1000}})
			e.equal(len(e.indexed("p", docs[:500]...)), 500)
		}},
		{"a long document", func(e *env) {
			counts := map[string]int{}
			for n := range 2000 {
				counts[fmt.Sprintf("term%d", n)] = n%5 + 1
			}
			e.apply(index("p", "d", counts))
			e.equal(e.indexed("p", "d")["d"], counts)
			e.equal(e.postings("p", 10, "term1999"), [][]string{{"d"}})
		}},
	}}
}

// indexHistory indexes, replaces and removes at random and compares with a
// model at every tenth step.
func (e *env) indexHistory(r *rand.Rand) {
	e.t.Helper()
	model := map[string]map[string]int{}
	terms := strings.Split("abcdefgh", "")
	for step := range 200 {
		doc := fmt.Sprintf("%03d", r.IntN(60))
		if r.IntN(4) == 0 {
			e.apply(unindex("p", doc))
			delete(model, doc)
		} else {
			counts := map[string]int{}
			for range r.IntN(4) + 1 {
				counts[terms[r.IntN(len(terms))]] = r.IntN(3) + 1
			}
			e.apply(index("p", doc, counts))
			model[doc] = counts
		}
		if step%10 == 9 {
			e.sameIndex(model, terms)
		}
	}
}

func (e *env) sameIndex(model map[string]map[string]int, terms []string) {
	e.t.Helper()
	want := storage.IndexStats{Documents: len(model), Holding: make([]int, len(terms))}
	postings := make([][]string, len(terms))
	var docs []string
	for doc, counts := range model {
		docs = append(docs, doc)
		want.Terms += storage.IndexedDoc{Counts: counts}.Length()
		for n, term := range terms {
			if counts[term] > 0 {
				want.Holding[n]++
				postings[n] = append(postings[n], doc)
			}
		}
	}
	for n := range postings {
		slices.Sort(postings[n])
		slices.Reverse(postings[n])
		postings[n] = postings[n][:min(len(postings[n]), 5)]
	}
	e.equal(e.stats("p", terms...), want)
	e.equal(e.postings("p", 5, terms...), postings)
	e.equal(e.indexed("p", docs...), model)
}

func (e *env) stats(place string, terms ...string) storage.IndexStats {
	e.t.Helper()
	return must(e.d.IndexStats(e.ctx, e.p, place, terms))(e.t)
}

func (e *env) postings(place string, limit int, terms ...string) [][]string {
	e.t.Helper()
	return must(e.d.Postings(e.ctx, e.p, place, terms, limit))(e.t)
}

// indexed returns counts by document and checks that none comes twice.
func (e *env) indexed(place string, docs ...string) map[string]map[string]int {
	e.t.Helper()
	found := map[string]map[string]int{}
	for _, d := range must(e.d.Indexed(e.ctx, e.p, place, docs))(e.t) {
		if _, twice := found[d.Doc]; twice {
			e.t.Fatalf("document %q comes twice", d.Doc)
		}
		found[d.Doc] = d.Counts
	}
	return found
}
