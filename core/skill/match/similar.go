package match

import "math"

// How much of a slot another text says with it.
const (
	sameWord    = 1.0
	sameMeaning = 0.9
	nearMeaning = 0.5 // one is a kind of the other, or both of the same
	sameTopic   = 0.15
)

// Similarity is the likelihood that two skills are the same ability, by name
// and description. Opposites, other directions and other objects (Slack for
// Discord) never reach Alike.
func Similarity(a, b Skill) float64 {
	x, y := a.Name+"\n"+a.Description, b.Name+"\n"+b.Description
	return calibrated(x, y, skillsAlike, true)
}

// RequestSimilarity is the likelihood that two requests ask for the same kind
// of task.
func RequestSimilarity(a, b string) float64 { return calibrated(a, b, requestsAlike, false) }

// CardSimilarity is the likelihood that two remembered statements say the same.
func CardSimilarity(a, b string) float64 { return calibrated(a, b, cardsAlike, true) }

// calibration turns overlap into a likelihood: the overlap at which it is even,
// and how steep it rises.
type calibration struct{ even, steep float64 }

var (
	skillsAlike   = calibration{0.45, 20}
	requestsAlike = calibration{0.5, 10}
	cardsAlike    = calibration{0.5, 10}
)

// opposed is the most that things on different sides of a contrast can be.
const opposed = 0.45

// otherAction is what it costs that all actions of two texts are different ones.
const otherAction = 0.13

func calibrated(a, b string, c calibration, times bool) float64 {
	v, ex := words(), excluding()
	x, y := v.slots(a), v.slots(b)
	o := overlap(v, x, y)
	if v.actApart(x, y) {
		o -= otherAction
	}
	p := 1 / (1 + math.Exp(-c.steep*(o-c.even)))
	if ex.conflict(ex.stance(a), ex.stance(b), times) {
		p = min(p, opposed)
	}
	return p
}

// actApart reports whether both texts name actions and none of them is akin.
func (v *vocabulary) actApart(a, b []slot) bool {
	both := false
	for _, s := range a {
		for _, t := range b {
			if !s.action || !t.action {
				continue
			}
			if v.alike(s, t) >= nearMeaning {
				return false
			}
			both = true
		}
	}
	return both
}

// overlap is how much of two texts is the same, 0..1: the shares of each that
// the other says too.
func overlap(v *vocabulary, a, b []slot) float64 {
	x, y := covered(v, a, b), covered(v, b, a)
	return 0.5*min(x, y) + 0.5*max(x, y)
}

// covered is the share of a's weight that b says too.
func covered(v *vocabulary, a, b []slot) float64 {
	met, total := 0.0, 0.0
	seen := map[string]bool{}
	for _, s := range a {
		if s.filler || seen[s.word] {
			continue
		}
		seen[s.word] = true
		best := 0.0
		for _, t := range b {
			best = max(best, v.alike(s, t))
		}
		met += s.weight * best
		total += s.weight
	}
	if total == 0 {
		return 0
	}
	return met / total
}

// alike is how much two slots say the same.
func (v *vocabulary) alike(s, t slot) float64 {
	switch {
	case s.word == t.word:
		return sameWord
	case shares(s.means, t.means):
		return sameMeaning
	case shares(s.means, t.kinds), shares(s.kinds, t.means), shares(s.kinds, t.kinds):
		return nearMeaning
	case sharesWords(v.fields(s), v.fields(t)):
		return sameTopic
	}
	return 0
}

func shares(a, b []int) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

func sharesWords(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}
