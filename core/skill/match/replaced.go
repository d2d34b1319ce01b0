package match

import "slices"

// replaced reports whether two statements are the same, word by word, but for
// words in the place of others: "prefers tea", "prefers coffee". In such a pair
// the words that differ are all that either has to say, however akin they are:
// who says the same again in other words seldom keeps the sentence. Whether one
// of them is negated is no difference here.
func replaced(a, b string) bool { return swapped(a, b, commonWeight) }

// swapped is replaced, counting words that weigh more than the least.
func swapped(a, b string, least float64) bool {
	x, y := stated(a), stated(b)
	if len(x) != len(y) {
		return false
	}
	kept, other := 0, 0
	for i, s := range x {
		switch t := y[i]; {
		case s.word == t.word:
			kept++
		case says(y, s), says(x, t):
			return false // in another order
		case s.weight > least && t.weight > least:
			other++
		}
	}
	return kept > 0 && other > 0
}

// stated is what a statement says, whether of something or against it.
func stated(s string) []slot {
	return slices.DeleteFunc(content(words(), beginning(s, similarLimit)), func(s slot) bool { return negations[s.raw] })
}

func says(all []slot, s slot) bool {
	return slices.ContainsFunc(all, func(t slot) bool { return t.word == s.word })
}
