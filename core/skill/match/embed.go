package match

import (
	"context"
	"fmt"
	"math"
)

// Embedder turns texts into vectors, one each, all of the same length.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// vectorWorth is how much a perfect vector counts against words: as much as
// meeting that share of the request.
const vectorWorth = 0.6

// NewEmbedded builds an index that also compares by vectors. All vectors are
// compared with each request; up to some thousand skills nothing is quicker.
func NewEmbedded(ctx context.Context, skills []Skill, e Embedder) (*Index, error) {
	ix := New(skills)
	texts := make([]string, len(skills))
	for i, s := range skills {
		texts[i] = s.Name + ": " + s.Description
	}
	vectors, err := e.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embed %d skills: %w", len(skills), err)
	}
	if len(vectors) != len(skills) {
		return nil, fmt.Errorf("embed %d skills: got %d vectors", len(skills), len(vectors))
	}
	ix.vectors, ix.embedder = vectors, e
	return ix, nil
}

// Embedded reports whether the index has vectors.
func (ix *Index) Embedded() bool { return ix.embedder != nil }

// MatchEmbedded is Match with the request's vector beside its words. On an
// index without an embedder it is Match. Where the embedder fails, the answer
// by words comes beside the error.
func (ix *Index) MatchEmbedded(ctx context.Context, query string, limit int) (Result, error) {
	if ix.embedder == nil {
		return ix.Match(query, limit), nil
	}
	vectors, err := ix.embedder.Embed(ctx, []string{query})
	if err != nil || len(vectors) != 1 {
		return ix.Match(query, limit), fmt.Errorf("embed request: got %d vectors: %w", len(vectors), err)
	}
	r := ix.read(query)
	return ix.result(r, ix.fuse(r, vectors[0]), limit), nil
}

// fuse adds what the vectors say to what the words say.
func (ix *Index) fuse(r request, vector []float32) []candidate {
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
		gain := vectorWorth * most * max(cosine(vector, ix.vectors[i]), 0)
		all[i].sum += gain
		all[i].direct += gain
	}
	return all
}

// cosine is 0 where the vectors can't be compared.
func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, x, y float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	if x == 0 || y == 0 {
		return 0
	}
	return dot / math.Sqrt(x*y)
}
