package text

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Document is what ranking sees of a document: its terms, and its place in a
// conversation if it has one.
type Document struct {
	ID     string // greater ids are later
	Thread string // documents of one thread with near numbers lend each other meaning; empty: none does
	Number int
	Counts map[string]int
}

// Stats are the counts over all documents, those without any term of the query
// included.
type Stats struct {
	Documents int
	Length    int            // terms of all documents
	Holding   map[string]int // for each term of the query, how many documents hold it
}

// Add counts a document in, for collections that are small enough to be counted
// while they are asked.
func (s *Stats) Add(q Query, counts map[string]int) {
	s.Documents++
	for _, c := range counts {
		s.Length += c
	}
	for _, a := range q.terms {
		if counts[a.term] > 0 {
			s.Holding[a.term]++
		}
	}
}

// Scored is a document with its score, or a neighbour of one that has none of
// the query's terms itself; the neighbour's ID is empty, and whether there is
// one with that number the caller must see.
type Scored struct {
	ID     string
	Thread string
	Number int
	Score  float64
}

// The numbers of the ranking. The first two are BM25's.
const (
	saturation = 0.9 // how soon further occurrences of a term add nothing
	lengthNorm = 0.5 // how much long documents are held back
	reach      = 3   // how far a turn lends meaning to its neighbours
	lendAfter  = 0.8 // to the turn that follows: an answer seldom repeats the question
	lendBefore = 0.5 // to the turn before
	fade       = 0.65
	coverage   = 1 // what it is worth to hold all of the question
)

// shares are what a turn lends to those from reach before it to reach after it.
var shares = [2*reach + 1]float64{
	lendBefore * fade * fade, lendBefore * fade, lendBefore, 1, lendAfter, lendAfter * fade, lendAfter * fade * fade,
}

// Rank scores documents, which come in any order, for a query and returns at
// most limit, best first; of equals the later one, then by thread. It is BM25
// with two additions. A turn of a conversation is read with what surrounds it:
// for each term it has the best of its own score and what its neighbours lend
// it. And documents that hold more of the question are better than those that
// hold one part of it often.
func (q Query) Rank(stats Stats, docs []Document, limit int) []Scored {
	if len(q.terms) == 0 || stats.Documents == 0 || limit < 1 {
		return nil
	}
	r := ranking{query: q, idf: q.idf(stats), mean: max(float64(stats.Length)/float64(stats.Documents), 1)}
	docs = slices.Clone(q.whole(docs))
	slices.SortFunc(docs, compareSpot)
	r.slots = make([]slot, 0, len(docs)*(2*reach+1))
	for _, d := range docs {
		r.addDocument(d)
	}
	return r.best(limit)
}

// best scores the slots and returns the first limit of them in order. It cuts
// down what it has whenever that is twice as much as needed: thousands of
// neighbours are scored and few are wanted.
func (r *ranking) best(limit int) []Scored {
	var out []Scored
	floor := 0.0
	cut := func() {
		slices.SortFunc(out, compareScored)
		out = out[:min(len(out), limit)]
	}
	for _, s := range r.slots {
		s.Score = r.score(s.own)
		if s.Score <= 0 || s.Score < floor {
			continue
		}
		out = append(out, s.Scored)
		if len(out) >= 2*limit {
			cut()
			floor = out[limit-1].Score
		}
	}
	cut()
	return out
}

// whole narrows docs down where the query is made of short runs, which are
// words: to those that hold all words whole, or else to those that hold one,
// if there are such. Of conversations their neighbours are ranked all the same.
func (q Query) whole(docs []Document) []Document {
	var all, some []Document
	for _, d := range docs {
		holds := 0
		for _, word := range q.words {
			if !slices.ContainsFunc(word, func(i int) bool { return d.Counts[q.terms[i].term] == 0 }) {
				holds++
			}
		}
		if holds > 0 {
			some = append(some, d)
		}
		if holds > 0 && holds == len(q.words) {
			all = append(all, d)
		}
	}
	switch {
	case len(all) > 0:
		return all
	case len(some) > 0:
		return some
	}
	return docs
}

// compareSpot orders documents by their place in a conversation.
func compareSpot(a, b Document) int {
	if c := strings.Compare(a.Thread, b.Thread); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Number, b.Number), strings.Compare(a.ID, b.ID))
}

func compareScored(a, b Scored) int {
	if a.Score != b.Score {
		return cmp.Compare(b.Score, a.Score)
	}
	return cmp.Or(strings.Compare(b.ID, a.ID), strings.Compare(a.Thread, b.Thread), cmp.Compare(b.Number, a.Number))
}

// idf is what each term of the query is worth: much if it is rare.
func (q Query) idf(stats Stats) []float64 {
	out := make([]float64, len(q.terms))
	for i, a := range q.terms {
		n, h := float64(stats.Documents), float64(stats.Holding[a.term])
		out[i] = a.weight * math.Log(1+(max(n-h, 0)+0.5)/(h+0.5))
	}
	return out
}

// ranking collects, for each document and neighbour, the best that it has or
// is lent of each term. Documents come in the order of their places, so that
// what is around one is always at the end of the slots.
type ranking struct {
	query Query
	idf   []float64
	mean  float64
	slots []slot
	slab  []float64 // what the slots' own is cut from
}

type slot struct {
	Scored
	own []float64 // by term, 0 to about 2
}

func (r *ranking) addDocument(d Document) {
	own := r.weigh(d.Counts)
	if d.Thread == "" {
		r.slots = append(r.slots, slot{Scored{ID: d.ID, Number: d.Number}, own})
		return
	}
	around := r.around(d)
	for i := range around {
		s := &around[i]
		lend(s.own, own, shares[reach+s.Number-d.Number])
		if s.Number == d.Number {
			s.ID = d.ID
		}
	}
}

// around returns the slots of a document and of its neighbours, of which it
// adds those that are missing.
func (r *ranking) around(d Document) []slot {
	first := max(d.Number-reach, min(d.Number, 1))
	next := first
	if n := len(r.slots); n > 0 && r.slots[n-1].Thread == d.Thread {
		next = max(first, r.slots[n-1].Number+1)
	}
	for ; next <= d.Number+reach; next++ {
		r.slots = append(r.slots, slot{Scored{Thread: d.Thread, Number: next}, r.cut()})
	}
	return r.slots[len(r.slots)-(d.Number+reach-first+1):]
}

// cut returns room for one slot's terms. A search fills thousands of slots.
func (r *ranking) cut() []float64 {
	n := len(r.query.terms)
	if len(r.slab) < n {
		r.slab = make([]float64, 256*n)
	}
	own := r.slab[:n:n]
	r.slab = r.slab[n:]
	return own
}

func lend(to, from []float64, share float64) {
	for i, v := range from {
		to[i] = max(to[i], v*share)
	}
}

// weigh is BM25's part for each term, without its rarity.
func (r *ranking) weigh(counts map[string]int) []float64 {
	length := 0
	for _, c := range counts {
		length += c
	}
	norm := saturation * (1 - lengthNorm + lengthNorm*float64(length)/r.mean)
	out := r.cut()
	for i, a := range r.query.terms {
		if c := float64(counts[a.term]); c > 0 {
			out[i] = c * (saturation + 1) / (c + norm)
		}
	}
	return out
}

func (r *ranking) score(own []float64) float64 {
	var sum, have, all float64
	for i, v := range own {
		sum += r.idf[i] * v
		have += r.idf[i] * min(v, 1)
		all += r.idf[i]
	}
	if all == 0 {
		return 0
	}
	return sum * (1 + coverage*have/all)
}
