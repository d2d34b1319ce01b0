package memory

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"talaria/core/text"
)

// clean brings a statement to one line without characters that can't be seen.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text.Visible(strings.ToValidUTF8(s, "")))
	return strings.Join(strings.Fields(s), " ")
}

// The shares of terms and of neighbouring terms from which two statements are
// the same.
const (
	sameTerms = 0.85
	samePairs = 0.6
)

// sameStatement reports whether two cards say the same in nearly the same
// words. Other numbers, or a negation more or less, are another statement.
func sameStatement(a, b string) bool {
	if text.Same(a, b) {
		return true
	}
	ta, tb := text.Terms(a), text.Terms(b)
	if !slices.Equal(marked(ta), marked(tb)) {
		return false
	}
	return dice(ta, tb) >= sameTerms && dice(neighbours(ta), neighbours(tb)) >= samePairs
}

var negations = map[string]bool{
	"no": true, "not": true, "never": true, "without": true, "cannot": true, "none": true, "nobody": true, "nothing": true,
}

// marked are the terms that make another statement of the same words: numbers,
// and one "not" for each negation.
func marked(terms []string) []string {
	var out []string
	for _, t := range terms {
		switch {
		case negations[t], strings.HasSuffix(t, "n't"), strings.ContainsAny(t, "不没未无別别勿非"):
			out = append(out, "not")
		case strings.ContainsFunc(t, unicode.IsDigit):
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return out
}

func neighbours(terms []string) []string {
	var out []string
	for i := 1; i < len(terms); i++ {
		out = append(out, terms[i-1]+" "+terms[i])
	}
	return out
}

// dice is how much of two lists is in both, 0 to 1; 1 for two empty ones.
func dice(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	left := map[string]int{}
	for _, t := range a {
		left[t]++
	}
	both := 0
	for _, t := range b {
		if left[t] > 0 {
			left[t]--
			both++
		}
	}
	return 2 * float64(both) / float64(len(a)+len(b))
}

// supportedFrom is the share of a statement's terms that a person must have
// said for it to be theirs.
const supportedFrom = 0.7

// exact are the parts of a statement that a person must have said letter for
// letter: addresses, hosts, paths, names with digits. Hostile text differs in
// just these.
var exact = regexp.MustCompile(`[^\s,;!?"'()]*[\d@/\\:][^\s,;!?"'()]*|[^\s,;!?"'()]+\.[a-z]{2,}`)

// supported reports whether a person's own words, one sentence or all of them
// together, say a statement.
func supported(statement, spoken string) bool {
	return slices.ContainsFunc(sentences.Split(spoken, -1), func(s string) bool { return says(s, statement) }) ||
		says(spoken, statement)
}

var sentences = regexp.MustCompile(`[.!?;]\s+|[。！？；\n]`)

// says reports whether a passage holds nearly all words of a statement, all
// its exact parts, and a negation just if the statement has one.
func says(passage, statement string) bool {
	said, terms := text.Terms(passage), text.Terms(statement)
	have := 0
	for _, t := range terms {
		if slices.Contains(said, t) {
			have++
		}
	}
	if len(terms) == 0 || float64(have) < supportedFrom*float64(len(terms)) {
		return false
	}
	if slices.Contains(marked(terms), "not") != slices.Contains(marked(said), "not") {
		return false
	}
	words := text.Fold(passage)
	for _, e := range exact.FindAllString(text.Fold(statement), -1) {
		if !strings.Contains(words, strings.Trim(e, ".:")) {
			return false
		}
	}
	return true
}
