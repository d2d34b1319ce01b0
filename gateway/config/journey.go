package config

import (
	"talaria/core/learning/curve"
	"talaria/core/learning/graph"
)

// Journey is how what was learned is drawn.
type Journey struct {
	Ties  int `toml:"ties"`  // of a card, to the skills that it has most in common with
	Words int `toml:"words"` // in common, from which on there is one
	Name  int `toml:"name"`  // so many words a skill's whole name in a card counts for
	Goal  int `toml:"goal"`  // percent of success that the work is to reach
}

func defaultJourney() Journey {
	m := graph.DefaultMeasures()
	return Journey{Ties: m.Ties, Words: m.Words, Name: m.Name, Goal: percent(curve.Goal)}
}

// Graph is the measures as package graph takes them.
func (j Journey) Graph() graph.Measures {
	return graph.Measures{Ties: j.Ties, Words: j.Words, Name: j.Name}
}

// Reach is the goal as package curve takes it.
func (j Journey) Reach() float64 { return share(j.Goal) }

func (l *loader) checkJourney() {
	j := l.cfg.Learning.Journey
	const at = "learning.journey"
	l.atLeast(0, at+".ties", j.Ties)
	l.atLeast(1, at+".words", j.Words)
	l.atLeast(0, at+".name", j.Name)
	l.percent(at+".goal", j.Goal)
}
