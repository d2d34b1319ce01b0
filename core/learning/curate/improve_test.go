package curate_test

import (
	"errors"
	"strings"
	"testing"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning/curate"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/core/trace"
)

const brewing = "## Steps\n\n1. Boil water.\n2. Pour it over the tea."

// happenedCorrected is a task in which ann corrected the answer at its end.
func (w *world) happenedCorrected(asked, correction string) {
	w.Helper()
	use := trace.Use{Skill: "brew-tea", Revision: w.skill(skill.Ref{Scope: w.own(), Name: "brew-tea"}).InForce}
	w.turns([]string{asked, correction}, []string{"I boiled the water and poured it.", ""}, use)
}

func TestFailedUsesBecomeABetterRevision(t *testing.T) {
	w := newWorld(t)
	r := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", brewing)
	w.used(r, "+++")
	for range 2 {
		w.happenedCorrected("brew green tea for the guests", "no, don't use boiling water, because green tea gets bitter above eighty degrees")
	}
	if st, err := w.upkeep.Stats(t.Context(), r); err != nil || st.Failures != 2 {
		t.Fatalf("counted %+v, %v", st, err)
	}
	w.night()
	if w.done() != "improve brew-tea" || len(w.drafts) != 1 {
		t.Fatalf("reported %q with %d drafts: %+v", w.done(), len(w.drafts), w.reports)
	}
	files, rev, err := w.upkeep.Bundle(t.Context(), w.drafts[0].Revision.Ref)
	if err != nil {
		t.Fatal(err)
	}
	text := string(files[manifest.MainFile])
	if !strings.Contains(text, "above eighty degrees") || !strings.Contains(text, "1. Boil water.") || len(rev.Provenance) != 2 {
		t.Errorf("from %d occasions:\n%s", len(rev.Provenance), text)
	}
	n := len(w.drafts)
	w.night()
	if len(w.drafts) != n {
		t.Error("the next night proposed it again")
	}
}

func TestImprovingShowsTheModelTheFailuresAndKeepsItFromUnlearnableLines(t *testing.T) {
	w := newWorld(t)
	var asked []agent.Request
	model := writer{"it was wrong", "---\nname: brew-tea\ndescription: How to brew tea.\n---\n\n" + brewing + "\n\nThe fetch tool is broken, never use it.\n", &asked}
	w.model = model
	w.wait(0)
	r := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", brewing)
	w.happenedCorrected("brew green tea", "no, don't use boiling water, because green tea gets bitter")
	if _, err := w.curator.Improve(t.Context(), r); !errors.Is(err, curate.ErrNoBetter) {
		t.Errorf("a flat denial was taken in: %v", err)
	}
	if len(asked) != 1 || !strings.Contains(asked[0].Messages[0].Text, "gets bitter") || !strings.HasPrefix(asked[0].Prefix, "You improve a skill") {
		t.Errorf("asked %+v", asked)
	}
	model.text = strings.ReplaceAll(model.text, "The fetch tool is broken, never use it.", "Use water of eighty degrees for green tea.")
	w.model = model
	w.wait(0)
	pr, err := w.curator.Improve(t.Context(), r)
	if err != nil || !strings.Contains(string(pr.Files[manifest.MainFile]), "eighty degrees") || pr.Base != w.skill(r).Hash || !pr.ByAgent {
		t.Errorf("%+v, %v", pr, err)
	}
	for range 6 {
		w.happenedCorrected("brew green tea", "no, don't use boiling water, because green tea gets bitter")
	}
	if pr, err = w.curator.Improve(t.Context(), r); err != nil || len(pr.Provenance) != 5 {
		t.Errorf("of seven failures the model is shown %d, %v", len(pr.Provenance), err)
	}
}

func TestWithoutFailuresThereIsNothingToImprove(t *testing.T) {
	w := newWorld(t)
	r := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", brewing)
	w.used(r, "---") // whose tasks are kept no more
	if _, err := w.curator.Improve(t.Context(), r); !errors.Is(err, curate.ErrNoBetter) {
		t.Errorf("got %v", err)
	}
}

func TestWhatWasSaidInPrivateWritesNoSharedSkill(t *testing.T) {
	w := newWorld(t)
	team := w.who(hall, false).Team
	r := w.learned(skill.OfSpace(team, hall), skill.ByPerson, "brew-tea", "How to brew tea.", brewing)
	w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", brewing)
	w.happenedCorrected("brew green tea", "no, don't use boiling water, because my doctor said so")
	uses, err := w.upkeep.Uses(t.Context(), skill.Ref{Scope: w.own(), Name: "brew-tea"}, 1)
	if err != nil || len(uses) != 1 {
		t.Fatalf("%v, %v", uses, err)
	}
	if _, err := w.upkeep.Record(t.Context(), r, uses[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := w.curator.Improve(t.Context(), r); !errors.Is(err, curate.ErrNoBetter) {
		t.Errorf("got %v", err)
	}
}

func TestWhatASubscriberDidWritesNoSkillOfItsSource(t *testing.T) {
	w := newWorld(t)
	source, subscriber := w.who(hall, false), w.who(lobby, false)
	r := w.learned(skill.OfSpace(source.Team, hall), skill.ByAgent, "brew-tea", "How to brew tea.", brewing)
	if _, err := w.library.Offer(t.Context(), source, r, lobby, true); err != nil {
		t.Fatal(err)
	}
	if _, err := w.library.Subscribe(t.Context(), subscriber, r); err != nil {
		t.Fatal(err)
	}
	fails := func(at chat.Address) {
		w.at = at
		w.turns([]string{"brew green tea", "no, don't use boiling water, because green tea gets bitter above eighty degrees"}, []string{"I poured it.", ""},
			trace.Use{Skill: "brew-tea", Revision: w.skill(r).InForce})
	}
	fails(lobby)
	if uses, err := w.upkeep.Uses(t.Context(), r, 9); err != nil || len(uses) != 1 {
		t.Fatalf("%d uses counted, %v", len(uses), err)
	}
	if _, err := w.curator.Improve(t.Context(), r); !errors.Is(err, curate.ErrNoBetter) {
		t.Errorf("what the subscriber said was read: %v", err)
	}
	fails(hall)
	if _, err := w.curator.Improve(t.Context(), r); err != nil {
		t.Errorf("what its own place said was not: %v", err)
	}
}
