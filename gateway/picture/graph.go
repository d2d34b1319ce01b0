package picture

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"talaria/core/learning/graph"
)

var (
	skillColor = color.RGBA{R: 0x1f, G: 0x77, B: 0xb4, A: 0xff}
	cardColor  = color.RGBA{R: 0xff, G: 0x7f, B: 0x0e, A: 0xff}
	lineColor  = color.RGBA{R: 0xb0, G: 0xb0, B: 0xb0, A: 0xff}
)

// colors tell curves apart.
var colors = []color.Color{skillColor, cardColor, color.RGBA{R: 0x2c, G: 0xa0, B: 0x2c, A: 0xff}, color.RGBA{R: 0xd6, G: 0x27, B: 0x28, A: 0xff}}

const side = 7 * vg.Inch

// Graph draws skills with their names, cards with their numbers in the order
// of the payload, and the edges, as PNG. The same graph gives the same bytes.
func Graph(g graph.Graph) ([]byte, error) {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("Skills and memories: %d, ties: %d", g.Stats.Nodes, g.Stats.Edges)
	p.HideAxes()
	at := place(g)
	for _, e := range g.Edges {
		l, err := plotter.NewLine(plotter.XYs{at[e.Source], at[e.Target]})
		if err != nil {
			return nil, fmt.Errorf("draw an edge: %w", err)
		}
		l.Color = lineColor
		p.Add(l)
	}
	cards := 0
	var names plotter.XYLabels
	for _, n := range g.Nodes {
		dot := draw.GlyphStyle{Color: skillColor, Radius: vg.Points(5 + 2*math.Log1p(float64(n.UseCount))), Shape: draw.CircleGlyph{}}
		label := n.Label
		if n.Kind == graph.CardNode {
			cards++
			label, dot.Color, dot.Radius = fmt.Sprint(cards), cardColor, vg.Points(4)
		}
		s, err := plotter.NewScatter(plotter.XYs{at[n.ID]})
		if err != nil {
			return nil, fmt.Errorf("draw a node: %w", err)
		}
		s.GlyphStyle = dot
		p.Add(s)
		names.XYs, names.Labels = append(names.XYs, at[n.ID]), append(names.Labels, "  "+label)
	}
	if len(names.Labels) > 0 {
		l, err := plotter.NewLabels(names)
		if err != nil {
			return nil, fmt.Errorf("draw names: %w", err)
		}
		p.Add(l)
	}
	return png(p, side, side)
}

// place puts the skills on a circle, by category, and each card outside of it,
// by the skills that it is tied to.
func place(g graph.Graph) map[string]plotter.XY {
	at := map[string]plotter.XY{}
	var skills, cards []graph.Node
	for _, n := range g.Nodes {
		if n.Kind == graph.SkillNode {
			skills = append(skills, n)
		} else {
			cards = append(cards, n)
		}
	}
	slices.SortStableFunc(skills, func(a, b graph.Node) int { return strings.Compare(a.Category, b.Category) })
	for n, s := range skills {
		at[s.ID] = around(float64(n)/float64(len(skills)), 1)
	}
	for n, c := range cards {
		x, y := 0.0, 0.0
		for _, e := range g.Edges {
			if e.Source == c.ID {
				x, y = x+at[e.Target].X, y+at[e.Target].Y
			}
		}
		turn := float64(n) / float64(len(cards))
		if x != 0 || y != 0 {
			turn = math.Atan2(y, x) / (2 * math.Pi)
		}
		// Those of one skill stand side by side and not on each other.
		at[c.ID] = around(turn+0.012*float64(n%5-2), 1.5+0.12*float64(n%4))
	}
	return at
}

// around is the spot at a part of a full turn, at a distance.
func around(turn, radius float64) plotter.XY {
	sin, cos := math.Sincos(2 * math.Pi * turn)
	return plotter.XY{X: radius * cos, Y: radius * sin}
}

func png(p *plot.Plot, w, h vg.Length) ([]byte, error) {
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(120))}
	p.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("write a picture: %w", err)
	}
	return b.Bytes(), nil
}
