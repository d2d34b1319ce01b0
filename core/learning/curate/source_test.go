package curate_test

import (
	"testing"

	"talaria/core/chat"
	"talaria/core/learning/curate"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
)

func (w *world) sources() {
	w.Helper()
	if err := w.curator.Sources(w.Context()); err != nil {
		w.Fatal(err)
	}
}

func TestDeletingAMessageDisablesWhatCameOfIt(t *testing.T) {
	w := newWorld(t)
	from := skill.Provenance{Task: "t1", Place: room.String(), Messages: []string{"m1", "m2"}, People: []person.ID{w.ann().Person}}
	derived := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", "Boil water.", from)
	other := w.learned(w.own(), skill.ByAgent, "water-plants", "How to water plants.", "Water them.", skill.Provenance{Task: "t2", Place: hall.String(), Messages: []string{"m1"}})
	h := memory.For(w.store, w.ann())
	for message, statement := range map[string]string{"m1": "The kettle is in the cellar.", "m7": "The cups are in the attic."} {
		if _, err := h.Add(t.Context(), memory.Work, statement, memory.Source{Origin: chat.Member, Spoken: statement, Message: message}); err != nil {
			t.Fatal(err)
		}
	}
	w.sources()
	if len(w.reports) != 0 {
		t.Fatalf("without a loss it reported %q", w.done())
	}
	if err := curate.Deleted(t.Context(), w.store, room, "m1"); err != nil {
		t.Fatal(err)
	}
	w.sources()
	if a, b := w.skill(derived).State, w.skill(other).State; a != skill.Disabled || b != skill.Active {
		t.Errorf("derived: %s, other: %s", a, b)
	}
	cards, err := h.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cards {
		if quarantined := c.State == memory.Quarantined; quarantined != (c.Evidence[0].Message == "m1") {
			t.Errorf("%q is %s", c.Text, c.State)
		}
	}
	if w.done() != "disable brew-tea; disable " {
		t.Errorf("reported %q", w.done())
	}
	if _, err := w.library.Enable(t.Context(), w.ann(), derived, "it holds all the same"); err != nil {
		t.Fatal(err)
	}
	w.sources()
	if got := w.skill(derived).State; got != skill.Active {
		t.Errorf("approved again, it is %s", got)
	}
}

func TestDeletingACardDisablesTheSkillThatSaysTheSame(t *testing.T) {
	w := newWorld(t)
	const rule = "Green tea is brewed with water of eighty degrees."
	from := skill.Provenance{Task: "t1", Place: room.String(), Messages: []string{"m1"}}
	derived := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", "## Rules\n\n- "+rule, from)
	same := w.learned(w.own(), skill.ByAgent, "wash-cups", "How to wash cups.", "Wash them.", from)
	h := memory.For(w.store, w.ann())
	done, err := h.Add(t.Context(), memory.Work, rule, memory.Source{Origin: chat.Member, Spoken: rule, Message: "m1"})
	if err == nil {
		err = curate.CardDeleted(t.Context(), w.store, w.ann(), done.Card)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.sources()
	if a, b := w.skill(derived).State, w.skill(same).State; a != skill.Disabled || b != skill.Active {
		t.Errorf("what says the same: %s, what was only learned then: %s", a, b)
	}
}

func TestForgettingSomebodyDisablesWhatOthersLearnedFromThem(t *testing.T) {
	w := newWorld(t)
	team := w.who(hall, false).Team
	from := skill.Provenance{Task: "t1", Place: hall.String(), Messages: []string{"m1"}, People: []person.ID{"somebody"}}
	derived := w.learned(skill.OfSpace(team, hall), skill.ByAgent, "brew-tea", "How to brew tea.", "Boil water.", from)
	other := w.learned(skill.OfSpace(team, hall), skill.ByAgent, "water-plants", "How to water plants.", "Water them.")
	eraser := curate.Eraser{Store: w.store, Upkeep: w.upkeep}
	for range 2 { // it may be called again
		if err := eraser.Erase(t.Context(), person.Subject{People: []person.ID{"somebody"}}); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := w.skill(derived).State, w.skill(other).State; a != skill.Disabled || b != skill.Active {
		t.Errorf("derived: %s, other: %s", a, b)
	}
}
