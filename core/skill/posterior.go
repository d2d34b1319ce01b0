package skill

import "math"

// Posterior is what is known of a chance after some outcomes, from knowing
// nothing: a beta distribution.
type Posterior struct{ a, b float64 }

// Posterior is what the counts tell of the chance of success.
func (c Counts) Posterior() Posterior {
	return Posterior{float64(max(c.Successes, 0)) + 1, float64(max(c.Failures, 0)) + 1}
}

// lowerTail is the probability that the true chance lies below Proven.
const lowerTail = 0.05

// Proven is the lower bound of the chance of success: it is above it with 95 %.
// Without any use it is 0.05, and it comes near the average with many.
func (c Counts) Proven() float64 { return c.Posterior().Quantile(lowerTail) }

// Quantile is the chance that the true one lies below with probability q.
func (p Posterior) Quantile(q float64) float64 {
	low, high := 0.0, 1.0
	for range 60 { // halves the interval to less than a float's precision
		middle := (low + high) / 2
		if p.below(middle) < q {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// below is the probability that the true chance lies below x: the regularized
// incomplete beta function.
func (p Posterior) below(x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (p.a+1)/(p.a+p.b+2): // where the fraction converges slowly
		return 1 - Posterior{p.b, p.a}.below(1-x)
	}
	return math.Exp(p.a*math.Log(x)+p.b*math.Log1p(-x)-p.logBeta()) * p.fraction(x) / p.a
}

func (p Posterior) logBeta() float64 {
	a, _ := math.Lgamma(p.a)
	b, _ := math.Lgamma(p.b)
	both, _ := math.Lgamma(p.a + p.b)
	return a + b - both
}

// fraction is the continued fraction of the incomplete beta function, by
// Lentz's method (Press et al., Numerical Recipes, 6.4).
func (p Posterior) fraction(x float64) float64 {
	const tiny, precision, most = 1e-300, 1e-14, 1000
	away := func(v float64) float64 { // from zero
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/away(1-(p.a+p.b)*x/(p.a+1))
	f := d
	for m := 1.0; m <= most; m++ {
		even := m * (p.b - m) * x / ((p.a + 2*m - 1) * (p.a + 2*m))
		d, c = 1/away(1+even*d), away(1+even/c)
		f *= d * c
		odd := -(p.a + m) * (p.a + p.b + m) * x / ((p.a + 2*m) * (p.a + 2*m + 1))
		d, c = 1/away(1+odd*d), away(1+odd/c)
		f *= d * c
		if math.Abs(d*c-1) < precision {
			break
		}
	}
	return f
}
