package memory

import (
	"cmp"
	"context"
	"slices"

	"talaria/core/vector"
)

const (
	// alike is the likeness from which a card is about a message that it shares
	// no word with.
	alike = 0.3
	// meaningWorth is what perfect likeness counts, against the best that was
	// found by words.
	meaningWorth = 1.0
	// reordered is how many turns that words found are compared by meaning.
	reordered = 60
)

// ByMeaning returns h with an embedder to recall by. While it fails, and where
// it is nil, cards are recalled by words alone.
func (h *Handle) ByMeaning(e vector.Embedder) *Handle {
	other := *h
	other.embedder = e
	return &other
}

// ByMeaning returns s with an embedder that has a say in the order of what words
// have found. While it fails, and where it is nil, words alone do.
func (s *Searcher) ByMeaning(e vector.Embedder) *Searcher {
	other := *s
	other.embedder = e
	return &other
}

// about returns the cards that a message is about, by words and by meaning, best
// first.
func (h *Handle) about(ctx context.Context, cards []Card, message string) []Card {
	if h.embedder == nil || len(cards) == 0 {
		return rankCards(cards, message)
	}
	texts := make([]string, len(cards))
	for i, c := range cards {
		texts[i] = c.Text
	}
	like, err := vector.Likeness(ctx, h.embedder, message, texts)
	if err != nil {
		return rankCards(cards, message) // the embedder tells that it fails
	}
	worth := map[string]float64{} // by id
	byWords := scoreCards(cards, message)
	for _, s := range byWords {
		worth[s.ID] = s.Score / byWords[0].Score
	}
	var out []Card
	for i, c := range cards {
		if worth[c.ID] > 0 || like[i] >= alike {
			worth[c.ID] += meaningWorth * like[i]
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Card) int {
		return cmp.Or(cmp.Compare(worth[b.ID], worth[a.ID]), cmp.Compare(b.ID, a.ID))
	})
	return out
}

// reorder brings the first of the turns that words have found, best first, into
// the order by words and meaning.
func (s *Searcher) reorder(ctx context.Context, query string, best []found) {
	best = best[:min(len(best), reordered)]
	if s.embedder == nil || len(best) == 0 {
		return
	}
	texts := make([]string, len(best))
	for i, f := range best {
		texts[i] = f.said.Text
	}
	like, err := vector.Likeness(ctx, s.embedder, query, texts)
	if err != nil {
		return // the embedder tells that it fails
	}
	full := meaningWorth * best[0].Score
	for i := range best {
		best[i].Score += full * like[i]
	}
	slices.SortStableFunc(best, better)
}

// better orders found turns.
func better(a, b found) int { return cmp.Compare(b.Score, a.Score) }
