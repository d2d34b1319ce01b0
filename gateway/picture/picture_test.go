package picture_test

import (
	"bytes"
	"image/png"
	"testing"

	"talaria/core/learning/curve"
	"talaria/core/learning/graph"
	"talaria/gateway/picture"
)

func decoded(t *testing.T, data []byte, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	colors := map[any]bool{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			colors[img.At(x, y)] = true
		}
	}
	if len(colors) < 3 {
		t.Errorf("the picture is empty: %d colours", len(colors))
	}
}

func TestGraphIsAPictureAndTheSameEachTime(t *testing.T) {
	g := graph.Graph{
		Nodes: []graph.Node{
			{ID: "brew-tea", Label: "brew-tea", Kind: graph.SkillNode, UseCount: 9}, {ID: "boil-water", Label: "boil-water", Kind: graph.SkillNode},
			{ID: "memory:work:1", Label: "绿茶", Kind: graph.CardNode}, {ID: "memory:work:2", Label: "alone", Kind: graph.CardNode},
		},
		Edges: []graph.Edge{{Source: "brew-tea", Target: "boil-water"}, {Source: "memory:work:1", Target: "brew-tea"}},
	}
	first, err := picture.Graph(g)
	decoded(t, first, err)
	again, err := picture.Graph(g)
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("the same graph gives another picture (%v)", err)
	}
}

func TestPicturesOfAlmostNothing(t *testing.T) {
	for _, g := range []graph.Graph{{}, {Nodes: []graph.Node{{ID: "a", Label: "a", Kind: graph.SkillNode}}}} {
		if _, err := picture.Graph(g); err != nil {
			t.Error(err)
		}
	}
	for _, c := range [][]curve.Curve{nil, {{ID: "k"}}, {{ID: "k", Points: []curve.Point{{N: 1, Success: true}}}}} {
		if _, err := picture.Curve(c); err != nil {
			t.Error(err)
		}
	}
}

func TestCurveIsAPicture(t *testing.T) {
	c := curve.Curve{ID: "k", Fit: &curve.Fit{A: 0.9, S0: 0.2, R: 0.2}}
	for n := range 20 {
		c.Points = append(c.Points, curve.Point{N: n + 1, Success: n > 6})
	}
	data, err := picture.Curve([]curve.Curve{c})
	decoded(t, data, err)
}
