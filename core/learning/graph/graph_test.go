package graph_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/learning/graph"
	"talaria/core/memory"
	"talaria/core/skill"
)

func learned(name, description string, uses int, by skill.Creator, related ...string) graph.Skill {
	s := skill.Skill{State: skill.Active, CreatedBy: by}
	s.Name, s.Description, s.Related = name, description, related
	return graph.Skill{Skill: s, Uses: uses}
}

func TestGraphTiesWhatBelongsTogether(t *testing.T) {
	g := graph.Build([]graph.Skill{
		learned("brew-tea", "Brew a pot of green tea.", 3, skill.ByAgent, "boil-water", "missing", "brew-tea"),
		learned("boil-water", "Boil water in the kettle.", 0, skill.ByAgent),
		learned("read-news", "Read the news.", 0, skill.ByPerson), // neither made here nor used
	}, []memory.Card{
		{ID: "1", Kind: memory.Work, Text: "green tea needs a small pot", State: memory.Active},
		{ID: "2", Kind: memory.Work, Text: "use brew-tea on Mondays", State: memory.Emerging},
		{ID: "3", Kind: memory.Profile, Text: "lives in Graz", State: memory.Active},
		{ID: "4", Kind: memory.Work, Text: "old tea and pot", State: memory.Archived},
	}, graph.DefaultMeasures())
	want := []graph.Edge{{"brew-tea", "boil-water"}, {"memory:work:1", "brew-tea"}, {"memory:work:2", "brew-tea"}}
	if diff := cmp.Diff(want, g.Edges); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
	stats := graph.Stats{Nodes: 5, Edges: 3, Isolated: 0.2, AgentMade: 2, Used: 1, Cards: 3}
	if diff := cmp.Diff(stats, g.Stats); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]graph.Cluster{{"memory", 3}, {"general", 2}}, g.Clusters); diff != "" {
		t.Errorf("clusters (-want +got):\n%s", diff)
	}
}

func TestACardIsTiedToFourSkillsAndFirstToTheOneThatItNames(t *testing.T) {
	skills := []graph.Skill{learned("sweep-floor", "Sweep the floor.", 1, skill.ByAgent)}
	for _, name := range []string{"brew-a", "brew-b", "brew-c", "brew-d", "brew-e"} {
		skills = append(skills, learned(name, "Brew green tea in the pot with a lid.", 1, skill.ByAgent))
	}
	g := graph.Build(skills, []memory.Card{{ID: "1", Kind: memory.Work, Text: "green tea, pot and lid: before sweep-floor", State: memory.Active}}, graph.DefaultMeasures())
	want := []graph.Edge{{"memory:work:1", "brew-a"}, {"memory:work:1", "brew-b"}, {"memory:work:1", "brew-c"}, {"memory:work:1", "sweep-floor"}}
	if diff := cmp.Diff(want, g.Edges); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
}

func TestTiesFollowTheirMeasures(t *testing.T) {
	skills := []graph.Skill{learned("brew-tea", "Brew a pot of green tea.", 1, skill.ByAgent), learned("sweep-floor", "Sweep the floor.", 1, skill.ByAgent)}
	cards := []memory.Card{{ID: "1", Kind: memory.Work, Text: "a small pot for green tea before sweep floor", State: memory.Active}}
	for m, want := range map[graph.Measures]int{
		{Ties: 4, Words: 2, Name: 6}: 2, {Ties: 1, Words: 2, Name: 6}: 1, {Ties: 4, Words: 4, Name: 1}: 0,
	} {
		if got := len(graph.Build(skills, cards, m).Edges); got != want {
			t.Errorf("%+v: %d edges, want %d", m, got, want)
		}
	}
}

func TestAnEmptyGraphIsAPayloadToo(t *testing.T) {
	data, err := json.Marshal(graph.Build(nil, nil, graph.DefaultMeasures()))
	const want = `{"nodes":[],"edges":[],"clusters":[],"memory":[],"stats":{"nodes":0,"edges":0,"isolatedShare":0,"agentMade":0,"used":0,"cards":0}}`
	if err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
}
