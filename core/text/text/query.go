package text

import "slices"

// Query is what somebody looks for, in terms.
type Query struct {
	terms []asked
	words [][]int // the terms of each short run: they count as one word
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
	each(s, func(t *token) {
		if t.class == word {
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
		if len(t.chars) <= wordRun {
			q.words = append(q.words, parts)
		}
		for _, w := range asWritten(t.chars) {
			if len([]rune(w)) == min(len(t.chars), 2) {
				q.add(w, writtenWeight)
			}
		}
	})
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
