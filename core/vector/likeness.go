package vector

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Embedder turns texts into vectors, one each, all of the same length. It may
// answer with an empty vector for a text that says nothing.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// strangers are statements that have nothing to do with each other, nor with
// what anybody is likely to ask.
var strangers = []string{
	"The ferry to the island leaves at noon.",
	"He tuned the old piano twice.",
	"Copper turns green in the rain.",
	"渡船中午开往小岛。",
	"他给旧钢琴调了两次音。",
	"铜在雨里会变绿。",
}

// Likeness is how near each of the others is to a text, from 0, as near as what
// has nothing to do with it, to 1. All are turned into vectors in one call.
func Likeness(ctx context.Context, e Embedder, text string, others []string) ([]float64, error) {
	all := slices.Concat(strangers, []string{text}, others)
	vectors, err := e.Embed(ctx, all)
	if err != nil {
		return nil, fmt.Errorf("compare %d texts: %w", len(others), err)
	}
	if len(vectors) != len(all) {
		return nil, fmt.Errorf("compare %d texts: got %d vectors for %d", len(others), len(vectors), len(all))
	}
	n := len(strangers)
	strange := unrelated(vectors[n], vectors[:n])
	out := make([]float64, len(others))
	for i, v := range vectors[n+1:] {
		if c := cosine(vectors[n], v); c > strange {
			out[i] = (c - strange) / (1 - strange)
		}
	}
	return out, nil
}

// unrelated is the cosine that a vector has with what has nothing to do with
// it: the second highest, since one of the strangers may be near by chance, and
// those of another language are further away than need be.
func unrelated(v []float32, strangers [][]float32) float64 {
	all := make([]float64, len(strangers))
	for i, s := range strangers {
		all[i] = cosine(v, s)
	}
	slices.Sort(all)
	return max(all[len(all)-2], 0)
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
	return min(dot/math.Sqrt(x*y), 1)
}
