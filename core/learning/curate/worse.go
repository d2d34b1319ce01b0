package curate

import (
	"math"

	"talaria/core/skill"
)

// The probability above which a revision is held to be worse than the one
// before it: on its first uses, and later on. Each night is one more chance for
// an accident; with one measure for ever, in time every revision would meet its
// own.
const (
	onTrial = 0.995
	trial   = 40 // uses
	settled = 0.999
)

func certain(uses int) float64 {
	if uses <= trial {
		return onTrial
	}
	return settled
}

// Worse is the probability that the chance of success behind now lies below
// the one behind before, knowing nothing but the outcomes: both are beta
// distributed, from uniform priors.
//
// P(A < B) = sum over i < b1 of B(a1+i, a2+b2) / ((b2+i) B(1+i, b2) B(a1, a2)),
// exact for whole parameters (E. Miller, Formulas for Bayesian A/B Testing). The
// shorter of that sum and of the one for P(B < A) is taken.
func Worse(now, before skill.Counts) float64 {
	if now.Successes < before.Successes {
		return 1 - Worse(before, now)
	}
	a1, a2 := float64(now.Successes)+1, float64(now.Failures)+1
	b1, b2 := float64(before.Successes)+1, float64(before.Failures)+1
	sum := 0.0
	for i := 0.0; i < b1; i++ {
		sum += math.Exp(logBeta(a1+i, a2+b2) - math.Log(b2+i) - logBeta(1+i, b2) - logBeta(a1, a2))
	}
	return min(sum, 1)
}

func logBeta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}
