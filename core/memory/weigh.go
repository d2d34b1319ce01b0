package memory

import (
	"math"
	"strings"

	"talaria/core/text"
)

// What it is worth beyond the words of a turn.
const (
	speakerNamed = 1.3  // the query names who said it
	repliesTo    = 1.2  // it comes after a question that was found as well
	together     = 0.15 // the power of all that was found in its stretch of conversation
)

// weigh turns the scores of the turns that were found by their words into the
// final ones, now that their texts are known.
func weigh(best []found, q text.Question, when times) {
	asking := map[spot]bool{}
	stretch := map[string]float64{}
	for i := range best {
		f := &best[i]
		speaker, words := speakerOf(f.said)
		f.Score *= text.Telling(f.said.Text) * q.Answered(words) * when.worth(f.said.At)
		if q.Names(speaker) {
			f.Score *= speakerNamed
		}
		stretch[f.Thread] += f.Score
		asking[spot{f.Thread, f.Number}] = text.Asks(f.said.Text)
	}
	for i := range best {
		f := &best[i]
		f.Score *= math.Pow(stretch[f.Thread], together)
		if asking[spot{f.Thread, f.Number - 1}] {
			f.Score *= repliesTo
		}
	}
}

// spot is the place of a turn in its stretch of conversation.
type spot struct {
	thread string
	number int
}

// longestName is the longest name that a line begins with, in bytes.
const longestName = 40

// speakerOf tells who said something, and what. A line of a transcript, "Ana:
// I'm late", is what it says it is.
func speakerOf(v said) (name, words string) {
	name, words, ok := strings.Cut(v.Text, ": ")
	if ok && name != "" && len(name) <= longestName && !strings.ContainsAny(name, ".!?\n") {
		return name, words
	}
	return v.Name, v.Text
}
