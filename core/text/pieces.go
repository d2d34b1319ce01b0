package text

import "iter"

// Pieces yields the words of s and its runs of characters in scripts without
// spaces, in folded form and in order, with whether the piece is such a run.
// Nothing is left out and nothing is stemmed: it is for those who look words
// and phrases up in a list of their own.
func Pieces(s string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		sc := scanner{text: s}
		for {
			t, ok := sc.next()
			if !ok {
				return
			}
			piece := string(t.word)
			if t.class == run {
				piece = folded(t.chars).text
			}
			if !yield(piece, t.class == run) {
				return
			}
		}
	}
}
