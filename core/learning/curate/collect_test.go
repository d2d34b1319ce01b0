package curate_test

import (
	"slices"
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/core/trace"
)

// wayAround are the steps of a call that failed and of the one that worked
// instead.
func wayAround(how, instead string, from chat.Origin) []trace.Step {
	return []trace.Step{
		{Kind: trace.ToolCall, Tool: "kettle", Call: "1", Text: `{"litres":"9"}`},
		{Kind: trace.Observation, Tool: "kettle", Call: "1", Text: how, Origin: from},
		{Kind: trace.ToolCall, Tool: "kettle", Call: "2", Text: `{"litres":"` + instead + `"}`},
		{Kind: trace.Observation, Tool: "kettle", Call: "2", Text: "it boils", Success: true},
	}
}

// inForce is the text of a skill as it is in force.
func (w *world) inForce(r skill.Ref) string {
	w.Helper()
	files, _, err := w.upkeep.Bundle(w.Context(), r)
	if err != nil {
		w.Fatal(err)
	}
	return string(files[manifest.MainFile])
}

func TestPitfallsThatUsesMetBecomeOneRevisionANight(t *testing.T) {
	w := newWorld(t)
	r := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", brewing+"\n\n## Pitfalls\n\n- The kettle says that the spout drips: tilt it less.")
	for _, how := range []string{"this kettle holds two litres only", "the lid was left open", "the lid was left open", "the spout drips"} {
		w.steps = wayAround(how, "2", chat.Member)
		w.happened("brew tea", trace.Use{Skill: "brew-tea", Revision: 1})
	}
	plan := w.plan(w.own())
	w.night()
	if w.done() != "collect brew-tea" || !strings.Contains(plan.String(), "(2)") || w.skill(r).InForce != 2 {
		t.Fatalf("planned %s, done %q", plan, w.done())
	}
	text := w.inForce(r)
	for said, times := range map[string]int{"two litres only": 1, "lid was left open": 1, "spout drips": 1, "1. Boil water.": 1} {
		if strings.Count(text, said) != times {
			t.Errorf("it says %d times %q:\n%s", strings.Count(text, said), said, text)
		}
	}
	w.night()
	if w.skill(r).InForce != 2 || len(w.reports) != 1 {
		t.Errorf("another night changed it again: %+v", w.reports)
	}
}

func TestPitfallsFromOutsideAndOfOthersSkillsAreDrafts(t *testing.T) {
	for _, c := range []struct {
		name string
		by   skill.Creator
		how  string
		from chat.Origin
	}{
		{"from outside", skill.ByAgent, "this kettle holds two litres only", chat.External},
		{"a person's own", skill.ByPerson, "this kettle holds two litres only", chat.Member},
	} {
		w := newWorld(t)
		r := w.learned(w.own(), c.by, "brew-tea", "How to brew tea.", brewing)
		w.steps = wayAround(c.how, "2", c.from)
		w.happened("brew tea", trace.Use{Skill: "brew-tea", Revision: 1})
		w.night()
		if s := w.skill(r); s.InForce != 1 || s.Pending != 2 || len(w.drafts) != 1 {
			t.Fatalf("%s: %+v, %d drafts", c.name, s, len(w.drafts))
		}
		if from := w.drafts[0].Revision.Provenance; len(from) != 1 || !slices.Contains(from[0].People, w.ann().Person) {
			t.Errorf("%s: it comes from %+v", c.name, from)
		}
		w.night()
		if w.skill(r).Last != 2 {
			t.Errorf("%s: proposed again", c.name)
		}
	}
}

func TestWhatIsNoPitfallIsNotCollected(t *testing.T) {
	w := newWorld(t)
	r := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", brewing)
	for _, steps := range [][]trace.Step{
		wayAround("503 temporarily unavailable, try again", "2", chat.Member), // a retry cures it
		wayAround("the lid was left open", "9", chat.Member),                  // the very same call
		wayAround("the lid was left open", "2", chat.Member)[:2],              // nothing worked
		wayAround("kettle: command not found", "2", chat.Member),
	} {
		w.steps = steps
		w.happened("brew tea", trace.Use{Skill: "brew-tea", Revision: 1})
	}
	w.night()
	if w.skill(r).Last != 1 {
		t.Errorf("done %q:\n%s", w.done(), w.inForce(r))
	}
}
