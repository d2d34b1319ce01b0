package match

import (
	"cmp"
	"math"
	"slices"
)

// behind is the score of the skill at place i, which meets that share of what
// the first one meets. With the first above the floor are those that meet at
// least enoughShare of it; only equals share its confidence.
func behind(first float64, i int, share float64) float64 {
	switch {
	case i == 0:
		return first
	case first < Floor:
		return first * share
	case share < enoughShare:
		return Floor * share
	case share < 1 && first > Confident:
		first = Confident
	}
	return Floor + (first-Floor)*share*share
}

// enoughShare was chosen so that hardly any right skill among the first five is
// left out.
const enoughShare = 0.35

// likelihood is how likely the first candidate is the right one, by logistic
// regression over requests with known answers, stretched so that the cut-offs
// lie where they are declared to.
func (ix *Index) likelihood(r request, found []candidate) float64 {
	if len(found) == 0 {
		return 0
	}
	ix.equals(found)
	best, lead := found[0], 1.0
	for _, c := range found[1:] {
		if c.sum < best.sum {
			lead = 1 - c.sum/best.sum
			break
		}
	}
	x := 1.5*math.Log(6.4*best.direct+0.3) - 1.3*r.strange + 1.19*best.about +
		0.25*lead + 0.43*math.Log(float64(len(r.wanted))) - 3.63
	return 1 / (1 + math.Exp(-x))
}

// nearly is the share of the best sum from which on a skill may be an equal.
const nearly = 0.8

// equals looks for skills that are the same as the first one, such as one of
// the team's beside a person's own, gives them its sum, and puts the narrower
// scope first, then the higher proven success.
func (ix *Index) equals(found []candidate) {
	n := 1
	for n < min(len(found), BlockSkills) && found[n].sum >= nearly*found[0].sum &&
		Similarity(ix.skills[found[0].skill], ix.skills[found[n].skill]) >= Same {
		found[n].sum = found[0].sum
		n++
	}
	slices.SortStableFunc(found[:n], func(a, b candidate) int {
		x, y := ix.skills[a.skill], ix.skills[b.skill]
		return cmp.Or(cmp.Compare(x.Scope, y.Scope), cmp.Compare(y.Success, x.Success))
	})
}
