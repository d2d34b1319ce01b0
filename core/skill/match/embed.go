package match

import (
	"context"
	"fmt"

	"talaria/core/vector"
)

// vectorWorth is how much perfect likeness counts against words: as much as
// meeting that share of the request.
const vectorWorth = 0.6

// MatchEmbedded is Match with the likeness of vectors beside words. All skills
// are compared with each request; up to some thousand nothing is quicker, if e
// keeps their vectors. Where it fails, the answer by words comes beside the
// error.
func (ix *Index) MatchEmbedded(ctx context.Context, e vector.Embedder, query string, limit int) (Result, error) {
	texts := make([]string, len(ix.skills))
	for i, s := range ix.skills {
		texts[i] = s.Name + ": " + s.Description
	}
	like, err := vector.Likeness(ctx, e, query, texts)
	if err != nil {
		return ix.Match(query, limit), fmt.Errorf("match by vectors: %w", err)
	}
	r := ix.read(query)
	return ix.result(r, ix.fuse(r, like), limit), nil
}

// fuse adds what the vectors say to what the words say.
func (ix *Index) fuse(r request, like []float64) []candidate {
	all := make([]candidate, len(ix.skills))
	for i := range all {
		all[i].skill = i
	}
	for _, c := range ix.score(r) {
		all[c.skill] = c
	}
	most := 0.0
	for _, w := range r.wanted {
		most += w.weight
	}
	for i := range all {
		gain := vectorWorth * most * like[i]
		all[i].sum += gain
		all[i].direct += gain
	}
	return all
}
