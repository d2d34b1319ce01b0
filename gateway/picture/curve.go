package picture

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"talaria/core/learning/curve"
)

// maxCurves is how many kinds of task one picture shows, those with the most
// tasks.
const maxCurves = 4

// window is over how many tasks the measured success is averaged.
const window = 5

// Curve draws success over the n-th task of a kind, measured and fitted, as
// PNG. The kinds are numbered in their order; the text beside the picture names
// them.
func Curve(curves []curve.Curve) ([]byte, error) {
	p := plot.New()
	p.Title.Text = "success over the n-th task of a kind"
	p.X.Label.Text, p.Y.Label.Text = "task", "success"
	p.Y.Min, p.Y.Max = 0, 1.05
	p.Add(plotter.NewGrid())
	for i, c := range curves[:min(len(curves), maxCurves)] {
		if len(c.Points) == 0 {
			continue
		}
		measured, err := plotter.NewLine(averaged(c.Points))
		if err != nil {
			return nil, fmt.Errorf("draw a curve: %w", err)
		}
		measured.Color, measured.Width = colors[i], vg.Points(1.5)
		p.Add(measured)
		p.Legend.Add(fmt.Sprint(i+1), measured)
		if c.Fit == nil {
			continue
		}
		fitted := plotter.NewFunction(func(n float64) float64 { return c.Fit.At(n - 1) })
		fitted.XMin, fitted.XMax = 1, float64(len(c.Points))
		fitted.Color, fitted.Dashes = colors[i], []vg.Length{vg.Points(4), vg.Points(3)}
		p.Add(fitted)
	}
	return png(p, side, side*2/3)
}

// averaged is the share of successes of the tasks around each.
func averaged(points []curve.Point) plotter.XYs {
	out := make(plotter.XYs, len(points))
	for i := range points {
		from, to := max(0, i-window/2), min(len(points), i+window/2+1)
		good := 0
		for _, p := range points[from:to] {
			if p.Success {
				good++
			}
		}
		out[i] = plotter.XY{X: float64(i + 1), Y: float64(good) / float64(to-from)}
	}
	return out
}
