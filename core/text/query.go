package text

import "slices"

// Query is what somebody looks for, in terms.
type Query struct {
	terms []asked
	// words are the terms of each short run, if the query is made of nothing
	// else: characters that only stand together are the word.
	words [][]int
}

// asked is a term with how much it counts.
type asked struct {
	term   string
	weight float64
}

const (
	// writtenWeight is what it adds that a document has the very spelling
	// that was asked for, where spellings are folded into one.
	writtenWeight = 0.5
	// wordRun is the longest run, in characters, that is taken for one word.
	wordRun = 4
	// maxAsked bounds the terms of a query; what is longer is no question.
	maxAsked = 64
)

// NewQuery analyses what somebody typed.
func NewQuery(s string) Query {
	var q Query
	wordsAlone := true
	each(s, func(t *token) {
		if t.class == word {
			wordsAlone = false
			if w := wordTerm(t.word); w != "" {
				q.add(w, 1)
			}
			return
		}
		r := folded(t.chars)
		var parts []int
		if len(t.chars) == 1 {
			parts = append(parts, q.add(r.char(0), 1))
		}
		for i := 1; i < len(t.chars); i++ {
			parts = append(parts, q.add(r.pair(i), 1))
		}
		wordsAlone = wordsAlone && len(t.chars) <= wordRun
		q.words = append(q.words, parts)
		for _, w := range asWritten(t.chars) {
			if len([]rune(w)) == min(len(t.chars), 2) {
				q.add(w, writtenWeight)
			}
		}
	})
	if !wordsAlone {
		q.words = nil
	}
	return q
}

// add returns the place of a term, which it adds if it is new.
func (q *Query) add(term string, weight float64) int {
	i := slices.IndexFunc(q.terms, func(a asked) bool { return a.term == term })
	if i >= 0 || len(q.terms) == maxAsked {
		return max(i, 0)
	}
	q.terms = append(q.terms, asked{term, weight})
	return len(q.terms) - 1
}

// Terms are the terms to look documents up by, each once.
func (q Query) Terms() []string {
	out := make([]string, len(q.terms))
	for i, a := range q.terms {
		out[i] = a.term
	}
	return out
}

// In reports whether a text holds a term of the query.
func (q Query) In(s string) bool { return len(q.find(s)) > 0 }

// AllIn reports whether a text holds each term of the query, of which there is
// one at least.
func (q Query) AllIn(s string) bool {
	found := map[int]bool{}
	for _, m := range q.find(s) {
		found[m.term] = true
	}
	return len(found) > 0 && len(found) == len(q.terms)
}
