package picture

import (
	"fmt"
	"image/color"
	"math"

	"git.sr.ht/~sbinet/gg"

	"talaria/core/learning/curve"
)

// maxCurves is how many kinds of task one picture shows, those with the most
// tasks.
const maxCurves = 4

// window is over how many tasks the measured success is averaged.
const window = 5

// colors tell curves apart.
var colors = [maxCurves]color.Color{skillColor, cardColor, color.RGBA{R: 0x2c, G: 0xa0, B: 0x2c, A: 0xff}, color.RGBA{R: 0xd6, G: 0x27, B: 0x28, A: 0xff}}

// Curve draws success over the n-th task of a kind, measured and fitted, as
// PNG. The kinds are numbered in their order; the text beside the picture names
// them.
func Curve(curves []curve.Curve) ([]byte, error) {
	c, err := newPage("success over the n-th task of a kind", side, side*2/3)
	if err != nil {
		return nil, err
	}
	curves = curves[:min(len(curves), maxCurves)]
	s := scale{c: c, last: 2}
	for _, k := range curves {
		s.last = max(s.last, len(k.Points))
	}
	s.grid()
	for i, k := range curves {
		if len(k.Points) == 0 {
			continue
		}
		c.SetColor(colors[i])
		c.SetLineWidth(2.5)
		s.line(averaged(k.Points))
		if k.Fit != nil {
			s.dashed(fitted(*k.Fit, len(k.Points)))
		}
		// Its number stands where its line ends, each lower, as lines may end together.
		x, y := s.at(float64(len(k.Points)), averaged(k.Points)[len(k.Points)-1])
		c.DrawStringAnchored(fmt.Sprint(i+1), x+8, y+20*float64(i), 0, 0.35)
	}
	return png(c)
}

// scale places success over tasks in a page.
type scale struct {
	c    *gg.Context
	last int // the highest task
}

// at is where in the page a success over a task is.
func (s scale) at(task, success float64) (x, y float64) {
	width, height := float64(s.c.Width()-2*margin), float64(s.c.Height()-2*margin)
	return margin + width*(task-1)/float64(s.last-1), margin + height*(1-success)
}

// grid draws what success and task are read from.
func (s scale) grid() {
	for n := range 5 {
		success := float64(n) / 4
		left, y := s.at(1, success)
		right, _ := s.at(float64(s.last), success)
		stroke(s.c, lineColor, 1, left, y, right, y)
		s.c.SetColor(color.Black)
		s.c.DrawStringAnchored(fmt.Sprint(success), left-10, y, 1, 0.35)
	}
	step := round(float64(s.last) / 10)
	for task := step; task <= s.last; task += step {
		x, bottom := s.at(float64(task), 0)
		_, top := s.at(float64(task), 1)
		stroke(s.c, lineColor, 1, x, bottom, x, top)
		s.c.SetColor(color.Black)
		s.c.DrawStringAnchored(fmt.Sprint(task), x, bottom+20, 0.5, 0.35)
	}
}

// round is the next of 1, 2, 5, 10, 20, 50 and so on.
func round(n float64) int {
	ten := math.Pow10(int(math.Floor(math.Log10(max(1, n)))))
	for _, m := range []float64{1, 2, 5} {
		if m*ten >= n {
			return int(m * ten)
		}
	}
	return int(10 * ten)
}

// line draws the successes of the first task, the second and so on.
func (s scale) line(successes []float64) {
	for n, success := range successes {
		s.c.LineTo(s.at(float64(n+1), success))
	}
	s.c.Stroke()
}

func (s scale) dashed(successes []float64) {
	s.c.SetDash(8, 6)
	s.line(successes)
	s.c.SetDash()
}

func fitted(f curve.Fit, tasks int) []float64 {
	out := make([]float64, tasks)
	for n := range out {
		out[n] = f.At(float64(n))
	}
	return out
}

// averaged is the share of successes of the tasks around each.
func averaged(points []curve.Point) []float64 {
	out := make([]float64, len(points))
	for i := range points {
		from, to := max(0, i-window/2), min(len(points), i+window/2+1)
		good := 0
		for _, p := range points[from:to] {
			if p.Success {
				good++
			}
		}
		out[i] = float64(good) / float64(to-from)
	}
	return out
}
