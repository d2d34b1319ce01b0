package curve_test

import (
	"math"
	"testing"

	"talaria/core/learning/curve"
	"talaria/core/learning/observe"
)

func kind(successes ...bool) observe.Kind {
	k := observe.Kind{ID: "k", Label: "brew tea"}
	for n, s := range successes {
		p := observe.Point{Success: s}
		if n%2 == 1 {
			p.Skills = 1
		}
		k.Points = append(k.Points, p)
	}
	return k
}

func TestCurveOfWorkThatIsLearned(t *testing.T) {
	c := curve.Of([]observe.Kind{kind(false, false, false, true, true, true, true, true, true, true)}, curve.Goal)[0]
	if c.Success != 0.7 || c.Reuse != 0.5 || c.Fit == nil {
		t.Fatalf("%+v", c)
	}
	if c.Fit.S0 > 0.1 || c.Fit.A < 0.95 || c.ToGoal < 4 || c.ToGoal > 8 {
		t.Errorf("fit %+v reaches 80 %% at task %d; want a rise from 0 to 1 that gets there about the 6th", *c.Fit, c.ToGoal)
	}
}

func TestFitsAtTheirEnds(t *testing.T) {
	tests := []struct {
		name string
		k    observe.Kind
		from int
	}{
		{"always right", kind(true, true, true, true, true), 1},
		{"never right", kind(false, false, false, false, false), -1},
	}
	for _, tt := range tests {
		c := curve.Of([]observe.Kind{tt.k}, curve.Goal)[0]
		if c.ToGoal != tt.from || math.IsNaN(c.Fit.At(3)) {
			t.Errorf("%s: fit %+v, 80 %% at %d, want %d", tt.name, *c.Fit, c.ToGoal, tt.from)
		}
	}
	if c := curve.Of([]observe.Kind{kind(true, false, true)}, curve.Goal)[0]; c.Fit != nil {
		t.Errorf("three tasks make a fit: %+v", *c.Fit)
	}
}

func TestReachesInvertsTheFit(t *testing.T) {
	f := curve.Fit{A: 0.95, S0: 0.2, R: 0.3}
	for _, goal := range []float64{0.5, 0.8, 0.9} {
		n := f.Reaches(goal)
		if f.At(float64(n-1)) < goal || f.At(float64(n-2)) >= goal {
			t.Errorf("%.1f at task %d, which has %.3f, the one before %.3f", goal, n, f.At(float64(n-1)), f.At(float64(n-2)))
		}
	}
}
