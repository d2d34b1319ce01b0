package picture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"talaria/core/learning/graph"
)

// point is a spot in a picture, from its middle; cards lie up to rim from it.
type point struct{ x, y float64 }

const rim = 1.86

// Graph draws skills with their names, cards with their numbers in the order
// of the payload, and the edges, as PNG. The same graph gives the same bytes.
func Graph(g graph.Graph) ([]byte, error) {
	c, err := newPage(fmt.Sprintf("Skills and memories: %d, ties: %d", g.Stats.Nodes, g.Stats.Edges), side, side)
	if err != nil {
		return nil, err
	}
	const middle = side / 2.0
	c.Translate(middle, middle)
	at := place(g)
	for id, p := range at {
		at[id] = point{p.x / rim * (middle - margin), p.y / rim * (middle - margin)}
	}
	for _, e := range g.Edges {
		from, to := at[e.Source], at[e.Target]
		stroke(c, lineColor, 1.5, from.x, from.y, to.x, to.y)
	}
	cards := 0
	for _, n := range g.Nodes {
		p, label, ink, radius := at[n.ID], n.Label, skillColor, 8+3*math.Log1p(float64(n.UseCount))
		if n.Kind == graph.CardNode {
			cards++
			label, ink, radius = fmt.Sprint(cards), cardColor, 7
		}
		c.SetColor(ink)
		c.DrawCircle(p.x, p.y, radius)
		c.Fill()
		c.DrawStringAnchored(label, p.x+radius+4, p.y, 0, 0.35)
	}
	return png(c)
}

// place puts the skills on a circle, by category, and each card outside of it,
// by the skills that it is tied to.
func place(g graph.Graph) map[string]point {
	at := map[string]point{}
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
				x, y = x+at[e.Target].x, y+at[e.Target].y
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
func around(turn, radius float64) point {
	sin, cos := math.Sincos(2 * math.Pi * turn)
	return point{radius * cos, radius * sin}
}
