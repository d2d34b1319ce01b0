package match

import (
	"math"
	"slices"
)

// Similarity is the likelihood that two skills are the same ability, by name
// and description. Opposites, other directions and other objects (Slack for
// Discord) never reach Another.
func Similarity(a, b Skill) float64 {
	x, y := a.Name+"\n"+a.Description, b.Name+"\n"+b.Description
	p := skillsAlike.likelihood(x, y)
	if p > opposed && minimalPair(words(), beginning(a.Description, similarLimit), beginning(b.Description, similarLimit)) {
		return opposed
	}
	return p
}

// RequestSimilarity is the likelihood that two requests ask for the same kind
// of task; when and how many is no difference.
func RequestSimilarity(a, b string) float64 { return requestsAlike.likelihood(a, b) }

// CardSimilarity is the likelihood that two remembered statements say the same.
// Those that contradict each other, by a negation or a number, and those that
// differ by a word put in the place of another, stay below Alike.
func CardSimilarity(a, b string) float64 {
	p := cardsAlike.likelihood(a, b)
	if p > contradicting && (contrary(a, b) || replaced(a, b)) {
		return contradicting
	}
	return p
}

// The most that texts on different sides of a contrast, and statements that
// contradict each other, can be.
const (
	opposed       = 0.45
	contradicting = 0.7
)

// otherAction is what it takes from the overlap that all actions of two texts
// are different ones.
const otherAction = 0.17

// calibration turns overlap into a likelihood: the overlap at which it is even,
// and how steep it rises.
type calibration struct {
	even, steep float64
	times       bool // other times are another thing
}

// Fitted to pairs with known answers, for each kind of text by itself:
// statements share more words by chance than requests do.
var (
	skillsAlike   = calibration{even: 0.42, steep: 22, times: true}
	requestsAlike = calibration{even: 0.46, steep: 15}
	cardsAlike    = calibration{even: 0.66, steep: 20, times: true}
)

func (c calibration) likelihood(a, b string) float64 {
	v, ex := words(), excluding()
	a, b = beginning(a, similarLimit), beginning(b, similarLimit)
	x, y := content(v, a), content(v, b)
	o := (covered(x, y) + covered(y, x)) / 2
	if actApart(x, y) {
		o -= otherAction
	}
	p := 1 / (1 + math.Exp(-c.steep*(o-c.even)))
	if p > opposed && ex.conflict(ex.stance(a), ex.stance(b), c.times) {
		return opposed
	}
	return p
}

// What is compared of a text, in bytes and in slots.
const (
	similarLimit = 4000
	similarSlots = 150
)

// content is what a text says, each thing once.
func content(v *vocabulary, s string) []slot {
	seen := map[string]bool{}
	said := slices.DeleteFunc(v.slots(s), func(s slot) bool {
		again := s.filler || seen[s.word]
		seen[s.word] = true
		return again
	})
	return said[:min(len(said), similarSlots)]
}

// covered is the share of a's weight that b says too. Texts that say nothing
// share nothing.
func covered(a, b []slot) float64 {
	met, total := 0.0, 0.0
	for _, s := range a {
		best := 0.0
		for _, t := range b {
			best = max(best, alike(s, t))
		}
		met += s.weight * best
		total += s.weight
	}
	if total == 0 {
		return 0
	}
	return met / total
}

// How much of a slot another one says.
const (
	sameWord    = 1.0
	sameMeaning = 0.9
	nearMeaning = 0.5 // one is of the other's kind, or both are of one
	sameField   = 0.15
)

// alike is how much two slots say the same.
func alike(s, t slot) float64 {
	switch {
	case s.word == t.word:
		return sameWord
	case meet(s.means, t.means):
		return sameMeaning
	case meet(s.means, t.kinds), meet(s.kinds, t.means), meet(s.kinds, t.kinds):
		return nearMeaning
	case meet(s.fields, t.fields):
		return sameField
	}
	return 0
}

// actApart reports whether both texts name actions and none of them is akin.
func actApart(a, b []slot) bool {
	both := false
	for _, s := range a {
		for _, t := range b {
			if !s.action || !t.action {
				continue
			}
			if alike(s, t) >= nearMeaning {
				return false
			}
			both = true
		}
	}
	return both
}

func meet[T comparable](a, b []T) bool {
	return slices.ContainsFunc(a, func(x T) bool { return slices.Contains(b, x) })
}
