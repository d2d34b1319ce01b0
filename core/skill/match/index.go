package match

import (
	"cmp"
	"slices"
	"strings"

	"talaria/core/text"
)

// Index finds skills by what is asked for. It never changes and may be used
// from several goroutines; a new one is built when the library changes.
type Index struct {
	skills []Skill
	terms  []map[string]int
}

// New builds an index over the skills, which must not be changed afterwards.
func New(skills []Skill) *Index {
	ix := &Index{skills: skills}
	for _, s := range skills {
		ix.terms = append(ix.terms, text.Counts(s.Name+"\n"+s.Description+"\n"+strings.Join(s.Triggers, "\n")))
	}
	return ix
}

// Match returns up to limit skills for a request.
func (ix *Index) Match(query string, limit int) Result {
	asked := text.Terms(query)
	var r Result
	for i, s := range ix.skills {
		held := 0
		for _, t := range asked {
			held += min(ix.terms[i][t], 1)
		}
		if held > 0 {
			r.Ranked = append(r.Ranked, Scored{s.Name, float64(held) / float64(len(asked))})
		}
	}
	slices.SortStableFunc(r.Ranked, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name))
	})
	r.Ranked = r.Ranked[:max(min(limit, len(r.Ranked)), 0)]
	r.None = len(r.Ranked) == 0 || r.Ranked[0].Score < Floor
	return r
}
