package graph

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"talaria/core/memory"
	"talaria/core/skill"
	"talaria/core/text"
)

// Kinds of nodes.
const (
	SkillNode = "skill"
	CardNode  = "memory"
)

// Node is a skill or a card.
type Node struct {
	ID           string    `json:"id"` // a skill's name, or "memory:SOURCE:ID"
	Label        string    `json:"label"`
	Kind         string    `json:"kind"`
	Category     string    `json:"category"`
	UseCount     int       `json:"useCount"`
	State        string    `json:"state"`
	CreatedBy    string    `json:"createdBy"`
	Pinned       bool      `json:"pinned"`
	Timestamp    time.Time `json:"timestamp"` // of the last change
	MemorySource string    `json:"memorySource,omitempty"`
}

// Edge ties two nodes by their ids.
type Edge struct {
	Source string `json:"source"`
	Target string `json:"target"`
}

// Cluster counts the nodes of a category.
type Cluster struct {
	Category string `json:"category"`
	Count    int    `json:"count"`
}

// Card is a remembered statement in the payload.
type Card struct {
	ID         string  `json:"id"`
	Text       string  `json:"text"`
	Source     string  `json:"source"`
	State      string  `json:"state"`
	Confidence float64 `json:"confidence"`
}

// Stats sum the graph up.
type Stats struct {
	Nodes     int     `json:"nodes"`
	Edges     int     `json:"edges"`
	Isolated  float64 `json:"isolatedShare"` // of the nodes
	AgentMade int     `json:"agentMade"`
	Used      int     `json:"used"`
	Cards     int     `json:"cards"`
}

// Graph is the payload. Its parts are in a stable order.
type Graph struct {
	Nodes    []Node    `json:"nodes"`
	Edges    []Edge    `json:"edges"`
	Clusters []Cluster `json:"clusters"`
	Memory   []Card    `json:"memory"`
	Stats    Stats     `json:"stats"`
}

// Skill is a skill with how it has done.
type Skill struct {
	skill.Skill
	Uses int
}

// learned reports whether a skill belongs into the graph: made here, or used.
func (s Skill) learned() bool {
	return s.State != skill.Proposed && (s.CreatedBy == skill.ByAgent || s.Uses > 0)
}

// CardID is the node of a card.
func CardID(c memory.Card) string { return CardNode + ":" + string(c.Kind) + ":" + c.ID }

// Measures are what ties a card to a skill.
type Measures struct {
	Ties  int // of one card, to the skills that it has most in common with
	Words int // in common, from which on there is one
	Name  int // so many words a skill's whole name in a card counts for
}

// DefaultMeasures are those that are used where the operator says nothing.
func DefaultMeasures() Measures { return Measures{Ties: 4, Words: 2, Name: 6} }

// Build makes the graph of what one person sees.
func Build(skills []Skill, cards []memory.Card, m Measures) Graph {
	g := Graph{Nodes: []Node{}, Edges: []Edge{}, Clusters: []Cluster{}, Memory: []Card{}}
	skills = slices.DeleteFunc(slices.Clone(skills), func(s Skill) bool { return !s.learned() })
	cards = slices.DeleteFunc(slices.Clone(cards), func(c memory.Card) bool { return c.State == memory.Archived })
	for _, s := range skills {
		g.Nodes = append(g.Nodes, Node{
			ID: s.Name, Label: s.Name, Kind: SkillNode, Category: cmp.Or(s.Category, "general"), UseCount: s.Uses,
			State: string(s.State), CreatedBy: string(s.CreatedBy), Pinned: s.Pinned, Timestamp: s.Updated,
		})
	}
	for _, c := range cards {
		g.Nodes = append(g.Nodes, Node{
			ID: CardID(c), Label: text.Clip(c.Text, 40), Kind: CardNode, Category: CardNode, State: string(c.State),
			CreatedBy: "memory", Timestamp: c.Updated, MemorySource: string(c.Kind),
		})
		g.Memory = append(g.Memory, Card{CardID(c), c.Text, string(c.Kind), string(c.State), c.Confidence})
	}
	g.relate(skills)
	g.overlap(skills, cards, m)
	g.order()
	g.sum()
	return g
}

// relate adds the relations that skills declare, where both ends are there.
func (g *Graph) relate(skills []Skill) {
	known := map[string]bool{}
	for _, s := range skills {
		known[s.Name] = true
	}
	for _, s := range skills {
		for _, other := range s.Related {
			if known[other] && other != s.Name {
				g.Edges = append(g.Edges, Edge{s.Name, other})
			}
		}
	}
}

// overlap ties cards to the skills that they share most words with.
func (g *Graph) overlap(skills []Skill, cards []memory.Card, m Measures) {
	words := make([]map[string]bool, len(skills))
	for n, s := range skills {
		words[n] = termsOf(strings.ReplaceAll(s.Name, "-", " ") + " " + s.Description + " " + strings.Join(s.Triggers, " "))
	}
	type tie struct {
		name  string
		score int
	}
	for _, c := range cards {
		var ties []tie
		said, folded := termsOf(c.Text), text.Fold(c.Text)
		for n, s := range skills {
			score := common(said, words[n])
			if strings.Contains(folded, s.Name) || strings.Contains(folded, strings.ReplaceAll(s.Name, "-", " ")) {
				score += m.Name
			}
			if score >= m.Words {
				ties = append(ties, tie{s.Name, score})
			}
		}
		slices.SortFunc(ties, func(a, b tie) int { return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.name, b.name)) })
		for _, t := range ties[:min(len(ties), m.Ties)] {
			g.Edges = append(g.Edges, Edge{CardID(c), t.name})
		}
	}
}

// common counts what both sets have.
func common(a, b map[string]bool) int {
	n := 0
	for term := range a {
		if b[term] {
			n++
		}
	}
	return n
}

func termsOf(s string) map[string]bool {
	set := map[string]bool{}
	for _, t := range text.Terms(s) {
		set[t] = true
	}
	return set
}

func (g *Graph) order() {
	slices.SortFunc(g.Nodes, func(a, b Node) int {
		return cmp.Or(strings.Compare(b.Kind, a.Kind), strings.Compare(a.ID, b.ID)) // skills first
	})
	slices.SortFunc(g.Edges, func(a, b Edge) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Target, b.Target))
	})
	g.Edges = slices.Compact(g.Edges)
	slices.SortFunc(g.Memory, func(a, b Card) int { return strings.Compare(a.ID, b.ID) })
}

func (g *Graph) sum() {
	tied, counts := map[string]bool{}, map[string]int{}
	for _, e := range g.Edges {
		tied[e.Source], tied[e.Target] = true, true
	}
	alone := 0
	for _, n := range g.Nodes {
		counts[n.Category]++
		if !tied[n.ID] {
			alone++
		}
		if n.Kind == SkillNode && n.CreatedBy == string(skill.ByAgent) {
			g.Stats.AgentMade++
		}
		if n.UseCount > 0 {
			g.Stats.Used++
		}
	}
	for category, n := range counts {
		g.Clusters = append(g.Clusters, Cluster{category, n})
	}
	slices.SortFunc(g.Clusters, func(a, b Cluster) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Category, b.Category))
	})
	g.Stats.Nodes, g.Stats.Edges, g.Stats.Cards = len(g.Nodes), len(g.Edges), len(g.Memory)
	if len(g.Nodes) > 0 {
		g.Stats.Isolated = float64(alone) / float64(len(g.Nodes))
	}
}
