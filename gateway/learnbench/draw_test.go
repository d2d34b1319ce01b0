package learnbench

import (
	"image/color"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// draw draws success over the n-th task of a kind, a line for each mode.
func (m measured) draw(t *testing.T, rounds int, path string) {
	t.Helper()
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "first answers that were right", "n-th task of a kind", "share"
	p.Y.Min, p.Y.Max = 0, 1.02
	p.Legend.Left = true
	p.Add(plotter.NewGrid())
	colors := map[mode]color.Color{off: color.Gray{Y: 120}, on: color.RGBA{G: 130, B: 60, A: 255}, poisoned: color.RGBA{R: 200, G: 60, A: 255}}
	for _, of := range []mode{off, on, poisoned} {
		var points plotter.XYs
		for n := 1; n <= rounds; n++ {
			points = append(points, plotter.XY{X: float64(n), Y: mean(between(m.all(of), n, n)).success})
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			t.Fatal(err)
		}
		line.Color, line.Width = colors[of], vg.Points(1.5)
		p.Add(line)
		p.Legend.Add("learning "+string(of), line)
	}
	if err := p.Save(15*vg.Centimeter, 10*vg.Centimeter, path); err != nil {
		t.Fatal(err)
	}
	t.Logf("drawn: bin/learnbench.png")
}
