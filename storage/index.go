package storage

import (
	"cmp"
	"context"
	"slices"
)

// The rule by which candidates are chosen, the same over both drivers.
const (
	// pruneFrom is the size from which a place's common terms are pruned.
	pruneFrom = 200
	// pruneShare: a term in more than 1/pruneShare of a place's documents
	// tells little and costs much.
	pruneShare = 10
	// maxCandidates bounds the documents that one search of a place scores.
	// They are most of what a search costs, and what is found among the first
	// ten of a search is hardly ever among the later ones.
	maxCandidates = 300
)

// Candidates are the documents of one place that a query may be about, with
// all that ranking needs.
type Candidates struct {
	Stats     IndexStats // Holding is parallel to Terms
	Terms     []string   // the query's distinct terms, in the order given
	Documents []IndexedDoc
}

// Candidates returns the documents of a place that hold a term of the query.
// Terms in more than a tenth of the place's documents are only counted, not
// looked up, unless there is no rarer one; at most 300 documents are taken,
// the rarest term first and within it the latest document first.
func (s *Store) Candidates(ctx context.Context, p Partition, place string, terms []string) (Candidates, error) {
	c := Candidates{Terms: distinct(terms)}
	if len(c.Terms) == 0 {
		return c, nil
	}
	var err error
	if c.Stats, err = s.d.IndexStats(ctx, p, place, c.Terms); err != nil {
		return c, err
	}
	lookup := chosen(c)
	if len(lookup) == 0 {
		return c, nil
	}
	postings, err := s.d.Postings(ctx, p, place, lookup, maxCandidates)
	if err != nil {
		return c, err
	}
	c.Documents, err = s.d.Indexed(ctx, p, place, take(postings, maxCandidates))
	slices.SortFunc(c.Documents, func(a, b IndexedDoc) int { return cmp.Compare(a.Doc, b.Doc) })
	return c, err
}

func distinct(terms []string) []string {
	var out []string
	for _, t := range terms {
		if checkName(t) == nil && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// chosen returns the terms worth looking up, the rarest first: none after one
// that fills the candidates by itself.
func chosen(c Candidates) []string {
	type held struct {
		term string
		docs int
	}
	var all []held
	for n, t := range c.Terms {
		if c.Stats.Holding[n] > 0 {
			all = append(all, held{t, c.Stats.Holding[n]})
		}
	}
	slices.SortFunc(all, func(a, b held) int {
		return cmp.Or(cmp.Compare(a.docs, b.docs), cmp.Compare(a.term, b.term))
	})
	var out []string
	for _, h := range all {
		common := c.Stats.Documents >= pruneFrom && h.docs > c.Stats.Documents/pruneShare
		if common && len(out) > 0 {
			break
		}
		out = append(out, h.term)
		if h.docs >= maxCandidates {
			break // it alone has as many as are taken
		}
	}
	return out
}

// take merges postings until limit distinct documents are found.
func take(postings [][]string, limit int) []string {
	seen := make(map[string]bool, limit)
	out := make([]string, 0, limit)
	for _, docs := range postings {
		for _, d := range docs {
			if len(out) == limit {
				return out
			}
			if !seen[d] {
				seen[d] = true
				out = append(out, d)
			}
		}
	}
	return out
}
