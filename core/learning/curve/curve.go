package curve

import (
	"cmp"
	"math"
	"slices"
	"time"

	"talaria/core/learning/observe"
)

// Fit is s(n) = a - (a - s0) e^(-rn) over the n-th task, from 0: success starts
// at s0 and nears a, the faster the greater r.
type Fit struct {
	A  float64 `json:"a"`
	S0 float64 `json:"s0"`
	R  float64 `json:"r"`
}

// At is the fitted success of the n-th task, from 0.
func (f Fit) At(n float64) float64 { return f.A - (f.A-f.S0)*math.Exp(-f.R*n) }

// Goal is the success that a kind is to reach, unless the operator says otherwise.
const Goal = 0.8

// Reaches is how many tasks it takes until the fit reaches a goal, -1 where it
// never does.
func (f Fit) Reaches(goal float64) int {
	switch {
	case f.S0 >= goal:
		return 1
	case f.A <= goal || f.R <= 0:
		return -1
	}
	n := math.Log((f.A-f.S0)/(f.A-goal)) / f.R
	return int(math.Ceil(n-1e-9)) + 1
}

// Point is one task of a kind.
type Point struct {
	N          int           `json:"n"` // from 1
	At         time.Time     `json:"at"`
	Success    bool          `json:"success"`
	Steps      int           `json:"steps"`
	Tokens     int           `json:"tokens"`
	Duration   time.Duration `json:"duration"`
	Recoveries int           `json:"recoveries"`
	Skills     int           `json:"skills"` // how many were used
}

// Curve is one kind of task.
type Curve struct {
	ID      string  `json:"id"`
	Label   string  `json:"label"`
	Points  []Point `json:"points"`
	Fit     *Fit    `json:"fit,omitempty"`    // with fewTasks or more
	Goal    float64 `json:"goal"`             // share of success that is to be reached
	ToGoal  int     `json:"toGoal,omitempty"` // the task from which on the fit does, -1: never
	Success float64 `json:"success"`          // share
	Reuse   float64 `json:"reuse"`            // share of the tasks that used a skill
}

// fewTasks is the least number of tasks that a fit is made of.
const fewTasks = 4

// Of makes the curves of kinds of task, those with the most tasks first.
func Of(kinds []observe.Kind, goal float64) []Curve {
	out := []Curve{}
	for _, k := range kinds {
		c := Curve{ID: k.ID, Label: k.Label, Goal: goal, Points: []Point{}}
		good, reused := 0, 0
		for n, p := range k.Points {
			c.Points = append(c.Points, Point{n + 1, p.At, p.Success, p.Steps, p.Tokens, p.Duration, p.Recoveries, p.Skills})
			if p.Success {
				good++
			}
			if p.Skills > 0 {
				reused++
			}
		}
		if n := float64(len(c.Points)); n > 0 {
			c.Success, c.Reuse = float64(good)/n, float64(reused)/n
		}
		if len(c.Points) >= fewTasks {
			f := fit(c.Points)
			c.Fit, c.ToGoal = &f, f.Reaches(goal)
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Curve) int {
		return cmp.Or(cmp.Compare(len(b.Points), len(a.Points)), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// fit is the fit of least squares, found over a grid of r: for each, a and s0
// follow by linear regression on e^(-rn).
func fit(points []Point) Fit {
	best, least := Fit{}, math.Inf(1)
	const steps = 200
	for i := range steps {
		r := 0.01 * math.Pow(1.04, float64(i)) // 0.01 to about 25
		f := regress(points, r)
		sum := 0.0
		for n, p := range points {
			d := value(p) - f.At(float64(n))
			sum += d * d
		}
		if sum < least-1e-12 {
			best, least = f, sum
		}
	}
	return best
}

func value(p Point) float64 {
	if p.Success {
		return 1
	}
	return 0
}

// regress solves s(n) = a + b e^(-rn) for a and b; both ends are kept within 0
// and 1.
func regress(points []Point, r float64) Fit {
	var sx, sy, sxx, sxy float64
	n := float64(len(points))
	for i, p := range points {
		x, y := math.Exp(-r*float64(i)), value(p)
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	det := n*sxx - sx*sx
	a, b := sy/n, 0.0
	if det > 1e-12 {
		b = (n*sxy - sx*sy) / det
		a = (sy - b*sx) / n
	}
	within := func(v float64) float64 { return min(max(v, 0), 1) }
	return Fit{A: within(a), S0: within(a + b), R: r}
}
