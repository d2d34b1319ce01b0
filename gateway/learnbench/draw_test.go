package learnbench

import (
	"fmt"
	"image/color"
	"os"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// panels are what the picture shows over the n-th task of a kind.
var panels = []struct {
	title string
	of    func(share) float64
}{
	{"first answers that were right", func(s share) float64 { return s.success }},
	{"steps", func(s share) float64 { return s.steps }},
	{"seconds, with one for each call of a model", func(s share) float64 { return s.seconds }},
	{"tokens", func(s share) float64 { return s.tokens }},
	{"recoveries", func(s share) float64 { return s.recoveries }},
	{"a skill was used", func(s share) float64 { return s.reuse }},
}

// draw draws the panels, in each a line for each mode.
func (m measured) draw(t *testing.T, rounds int, path string) {
	t.Helper()
	const rows, columns = 2, 3
	var all [][]*plot.Plot
	for row := range rows {
		var line []*plot.Plot
		for column := range columns {
			p := panels[row*columns+column]
			line = append(line, m.panel(t, rounds, p.title, p.of))
		}
		all = append(all, line)
	}
	canvas := vgimg.New(32*vg.Centimeter, 18*vg.Centimeter)
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Centimeter / 2, PadY: vg.Centimeter / 2, PadRight: vg.Centimeter / 2}
	for row, line := range plot.Align(all, tiles, draw.New(canvas)) {
		for column, c := range line {
			all[row][column].Draw(c)
		}
	}
	f, err := os.Create(path)
	if err == nil {
		_, err = vgimg.PngCanvas{Canvas: canvas}.WriteTo(f)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(fmt.Errorf("draw %s: %w", path, err))
	}
	t.Logf("drawn: bin/learnbench.png")
}

// panel is one curve for each mode.
func (m measured) panel(t *testing.T, rounds int, title string, of func(share) float64) *plot.Plot {
	t.Helper()
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Min = title, "n-th task of a kind", 0
	p.Add(plotter.NewGrid())
	colors := map[mode]color.Color{off: color.Gray{Y: 120}, on: color.RGBA{G: 130, B: 60, A: 255}, poisoned: color.RGBA{R: 200, G: 60, A: 255}}
	for _, by := range []mode{off, on, poisoned} {
		var points plotter.XYs
		for n := 1; n <= rounds; n++ {
			points = append(points, plotter.XY{X: float64(n), Y: of(mean(between(m.all(by), n, n)))})
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			t.Fatal(err)
		}
		line.Color, line.Width = colors[by], vg.Points(1.5)
		p.Add(line)
		if title == panels[len(panels)-1].title { // one legend is enough
			p.Legend.Add("learning "+string(by), line)
		}
	}
	p.Legend.YOffs = vg.Centimeter
	return p
}
