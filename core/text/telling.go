package text

import (
	"math"
	"strings"
	"unicode/utf8"
)

// The numbers of Telling.
const (
	askingTells  = 0.8 // a question tells less than what answers it
	lengthTells  = 0.2 // how much it adds to be twice (and more) as long as usual
	usualLength  = 100 // characters of an ordinary chat message
	fewTells     = 0.6
	muchTells    = 1.4
	longestTells = 1000 // characters beyond which length tells nothing
)

// Telling is a factor around 1 for how much a passage is likely to tell, by
// its form alone: a question and a bare acknowledgement tell less than a
// statement. It is for putting passages of a conversation in order.
func Telling(s string) float64 {
	s = strings.TrimSpace(s)
	n := min(utf8.RuneCountInString(s), longestTells)
	f := 1 + lengthTells*math.Log(float64(n+1)/usualLength)
	f = min(max(f, fewTells), muchTells)
	if Asks(s) {
		f *= askingTells
	}
	return f
}

// Asks reports whether a passage ends in a question.
func Asks(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？")
}
