package curate_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/core/learning/curate"
	"talaria/core/memory"
	"talaria/core/skill"
)

func (w *world) cards() map[string]float64 {
	w.Helper()
	all, err := memory.For(w.store, w.ann()).List(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	out := map[string]float64{}
	for _, c := range all {
		out[c.Text] = c.Confidence
	}
	return out
}

func TestAChangedPreferenceIsCarriedOutAndUndoneInOneStep(t *testing.T) {
	for _, said := range []string{"I use Go now, not Python", "我现在用 Go，不用 Python 了"} {
		w := newWorld(t)
		old := w.learned(w.own(), skill.ByAgent, "python-scripts", "Write small scripts in Python.", "Use Python 3.")
		mine := w.learned(w.own(), skill.ByPerson, "python-lint", "Lint Python code.", "Use a linter.")
		both := w.learned(w.own(), skill.ByAgent, "port-code", "Port code from Python to Go.", "Read, then write.")
		other := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", "Boil water.")
		shared := w.learned(skill.OfTeam(w.ann().Team), skill.ByPerson, "python-release", "Release Python packages.", "Tag, then build.")
		const card = "Scripts are written in Python."
		if _, err := memory.For(w.store, w.ann()).Add(t.Context(), memory.Work, card, memory.Source{Origin: chat.Member, Spoken: card}); err != nil {
			t.Fatal(err)
		}
		before := w.cards()

		task := w.happened(said)
		w.heard(task) // what is told again is done once
		if len(w.switched) != 1 {
			t.Fatalf("%q: told %d times", said, len(w.switched))
		}
		s := w.switched[0]
		if diff := cmp.Diff([][]string{{"python-scripts"}, {"python-lint"}, {card}}, [][]string{s.Archived, s.Left, s.Lowered}); diff != "" {
			t.Errorf("%q:\n%s", said, diff)
		}
		if len(s.Shared) != 1 || s.Shared[0] != shared {
			t.Errorf("%q: shared %v", said, s.Shared)
		}
		for ref, want := range map[skill.Ref]skill.State{old: skill.Archived, mine: skill.Active, both: skill.Active, other: skill.Active, shared: skill.Active} {
			if got := w.skill(ref).State; got != want {
				t.Errorf("%q: %s is %s, want %s", said, ref.Name, got, want)
			}
		}
		now := w.cards()
		if now[card] >= before[card] || len(now) != len(before)+1 || now[s.Card] == 0 {
			t.Errorf("%q: cards %v, before %v", said, now, before)
		}

		if _, kept, err := w.switches().Undo(t.Context(), w.ann(), w.library); err != nil || len(kept) > 0 {
			t.Errorf("%q: undoing left %v, %v", said, kept, err)
		}
		if got := w.skill(old).State; got != skill.Active {
			t.Errorf("%q: undone, it is %s", said, got)
		}
		if diff := cmp.Diff(before, w.cards()); diff != "" {
			t.Errorf("%q: cards after undoing:\n%s", said, diff)
		}
		if _, _, err := w.switches().Undo(t.Context(), w.ann(), w.library); !errors.Is(err, curate.ErrNoSwitch) {
			t.Errorf("%q: undone twice: %v", said, err)
		}
	}
}

func TestWhereWorkWasDoneCardsAreLookedAfterWithoutSkills(t *testing.T) {
	w := newWorld(t)
	w.happened("what time is it in Oslo")
	h := memory.For(w.store, w.ann())
	if _, err := h.Learn(t.Context(), memory.Lesson{Kind: memory.Work, Text: "The kettle is in the cellar.", Confidence: 0.75, Origin: chat.Member, Task: "t1"}); err != nil {
		t.Fatal(err)
	}
	w.wait(31 * day)
	w.night()
	if len(w.reports) != 1 || w.reports[0].Done[0].Kind != curate.Drop {
		t.Errorf("reports %+v", w.reports)
	}
}
