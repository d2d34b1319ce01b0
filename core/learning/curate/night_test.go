package curate_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/curate"
	"talaria/core/memory"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/storage/teststore"
)

func TestAWorseRevisionIsRolledBackByItself(t *testing.T) {
	teststore.Each(t, func(t *testing.T, open teststore.Opener) {
		w := worldOn(t, open)
		r := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", "Boil water.")
		w.used(r, strings.Repeat("+", 19)+"-")
		w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", "Freeze water.")
		w.used(r, "-------")
		w.night()
		if got := w.skill(r).InForce; got != 2 {
			t.Fatalf("revision %d is in force after seven uses, want 2 still", got)
		}
		w.used(r, "-")
		w.night()
		if got := w.skill(r).InForce; got != 1 || w.done() != "roll back brew-tea" {
			t.Errorf("revision %d is in force, reported %q", got, w.done())
		}
		if d := w.reports[len(w.reports)-1].Done[0]; d.Undo != "/skills rollback brew-tea 2" || !strings.Contains(d.Why, "0 of 8 uses") {
			t.Errorf("told %+v", d)
		}
		n := len(w.reports)
		w.night()
		if len(w.reports) != n {
			t.Errorf("the next night did %q", w.done())
		}
	})
}

func TestUnusedSkillsGoStaleThenAwayAndComeBackByUse(t *testing.T) {
	w := newWorld(t)
	r := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", "Boil water.")
	kept := w.learned(w.own(), skill.ByPerson, "water-plants", "How to water plants.", "Water them.")
	w.used(r, "+")
	w.wait(13 * day)
	w.night()
	if got := w.skill(r).State; got != skill.Active {
		t.Errorf("after 13 days it is %s", got)
	}
	w.wait(2 * day)
	w.night()
	if got := w.skill(r).State; got != skill.Stale {
		t.Errorf("after 15 days it is %s", got)
	}
	w.used(r, "+")
	if got := w.skill(r).State; got != skill.Active {
		t.Errorf("used again it is %s", got)
	}
	w.wait(15 * day)
	w.night()
	w.wait(16 * day)
	w.night()
	if got := w.skill(r).State; got != skill.Archived || w.done() != "archive brew-tea" {
		t.Errorf("after another 31 days it is %s, reported %q", got, w.done())
	}
	if _, err := w.library.Restore(t.Context(), w.ann(), r, ""); err != nil {
		t.Fatal(err)
	}
	w.wait(day)
	w.night()
	if got := w.skill(r).State; got != skill.Active {
		t.Errorf("the day after it was brought back it is %s", got)
	}
	if got := w.skill(kept).State; got != skill.Active {
		t.Errorf("a person's own skill is %s", got)
	}
}

// everything is all that a scope holds, for comparing.
func (w *world) everything(s skill.Scope) map[string]string {
	w.Helper()
	shelf, err := w.upkeep.Shelf(w.Context(), s)
	if err != nil {
		w.Fatal(err)
	}
	out := map[string]string{}
	for _, k := range shelf {
		past, err := w.upkeep.History(w.Context(), k.Ref)
		if err != nil {
			w.Fatal(err)
		}
		out[k.Name] = fmt.Sprint(k.State, k.InForce, k.Pinned, k.CreatedBy, k.Hash, len(past))
	}
	return out
}

func TestTheCuratorNeverDeletesAndLeavesAloneWhatIsNotItsOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for round := range 6 {
		w := newWorld(t)
		protected := map[string]bool{}
		names := []string{"release-api-notes", "release-notes-api", "water-plants", "brew-tea", "feed-cat", "book-trains"}
		for n, name := range names {
			by := []skill.Creator{skill.ByAgent, skill.ByAgent, skill.ByPerson, skill.ByImport}[r.IntN(4)]
			ref := w.learned(w.own(), by, name, "How to "+strings.ReplaceAll(name, "-", " ")+".", "Do it.")
			w.used(ref, outcomes(r))
			if r.IntN(2) == 0 {
				w.learned(w.own(), by, name, "How to "+strings.ReplaceAll(name, "-", " ")+".", fmt.Sprint("Do it better, ", n))
				w.used(ref, outcomes(r))
			}
			pin := r.IntN(3) == 0
			if pin {
				if _, err := w.library.Pin(t.Context(), w.ann(), ref, true); err != nil {
					t.Fatal(err)
				}
			}
			protected[name] = pin || by != skill.ByAgent
		}
		for _, days := range []time.Duration{1, 8, 17, 5} {
			w.wait(days * day)
			before := w.everything(w.own())
			planned := w.plan(w.own())
			if diff := cmp.Diff(before, w.everything(w.own())); diff != "" {
				t.Errorf("round %d: planning changed something:\n%s", round, diff)
			}
			n := len(w.reports)
			w.night()
			ran := curate.Plan{}
			if len(w.reports) > n {
				ran = w.reports[n].Plan
			}
			if diff := cmp.Diff(planned.Actions, ran.Actions); diff != "" {
				t.Errorf("round %d: the run was not the dry run:\n%s", round, diff)
			}
			after := w.everything(w.own())
			for name, was := range before {
				if _, there := after[name]; !there {
					t.Errorf("round %d: %s is gone", round, name)
				}
				if protected[name] && after[name] != was {
					t.Errorf("round %d: %s is protected and was %s, is %s\n%s", round, name, was, after[name], planned)
				}
			}
		}
	}
}

// outcomes are some uses.
func outcomes(r *rand.Rand) string {
	var b strings.Builder
	chance := r.Float64()
	for range r.IntN(24) {
		if r.Float64() < chance {
			b.WriteByte('+')
		} else {
			b.WriteByte('-')
		}
	}
	return b.String()
}

func TestWhatChangedSinceThePlanIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	r := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", "Boil water.")
	w.wait(40 * day)
	p := w.plan(w.own())
	w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", "Boil water first.")
	report, err := w.curator.Apply(t.Context(), p)
	if err != nil || len(p.Actions) != 1 || len(report.Done) != 0 || w.skill(r).State != skill.Active {
		t.Errorf("planned %q, did %v, it is %s, %v", p, report.Done, w.skill(r).State, err)
	}
}

func TestSkillsOfOneClassAreProposedAsOne(t *testing.T) {
	w := newWorld(t)
	a := w.learned(w.own(), skill.ByAgent, "release-notes-api", "Write the release notes of the API from its merged changes.", "## Steps\n\n1. List the changes.")
	b := w.learned(w.own(), skill.ByAgent, "release-api-notes", "Write the API's release notes from its merged changes.", "## Steps\n\n1. Read the log.")
	w.used(a, "++++++")
	w.used(b, "++")
	w.night()
	if len(w.drafts) != 1 || w.drafts[0].Live {
		t.Fatalf("drafts %+v, reported %q", w.drafts, w.done())
	}
	d := w.drafts[0].Revision
	files, _, err := w.upkeep.Bundle(t.Context(), d.Ref)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := files.Manifest(d.Name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(m.Body, "List the changes") || !strings.Contains(string(files["references/release-api-notes.md"]), "Read the log") ||
		!strings.Contains(m.Body, "references/release-api-notes.md") {
		t.Errorf("%s proposes:\n%s\nwith %v", d.Name, files[manifest.MainFile], files.Paths())
	}
	if w.skill(a).State != skill.Active || w.skill(b).State != skill.Active {
		t.Error("what is to be one was put away before anybody said so")
	}
}

func TestCardsAreLookedAfterWithAWayBack(t *testing.T) {
	w := newWorld(t)
	h := memory.For(w.store, w.ann())
	learn := func(text, task string) {
		if _, err := h.Learn(t.Context(), memory.Lesson{Kind: memory.Work, Text: text, Confidence: 0.75, Origin: chat.Member, Task: task}); err != nil {
			t.Fatal(err)
		}
	}
	learn("The kettle is in the cellar.", "t1")
	w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", "Boil water.")
	w.wait(31 * day)
	w.night()
	cards, err := memory.For(w.store, w.ann()).List(t.Context())
	if err != nil || len(cards) != 1 || cards[0].State != memory.Archived {
		t.Errorf("cards %+v, %v", cards, err)
	}
	changes, err := memory.For(w.store, w.ann()).Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := memory.For(w.store, w.ann()).Undo(t.Context(), changes[len(changes)-1].Number); err != nil {
		t.Error(err)
	}
}

func TestASkillThatFailsItsHealthCheckIsDeprecated(t *testing.T) {
	w := newWorld(t)
	w.checks = []skill.Check{func(_ context.Context, c skill.Candidate) ([]skill.Finding, error) {
		if strings.Contains(c.Manifest.Body, "hemlock") {
			return []skill.Finding{{Check: "taste", Severity: skill.Block, Message: "it is poison"}}, nil
		}
		return []skill.Finding{{Check: "taste", Severity: skill.Warn, Message: "bitter"}}, nil
	}}
	w.wait(0)
	bad := w.learned(w.own(), skill.ByAgent, "brew-hemlock", "How to brew something.", "Take hemlock.")
	good := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", "Boil water.")
	w.used(good, "+++++")
	if err := w.curator.Weekly(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := w.skill(bad); s.State != skill.Deprecated || !strings.Contains(s.Why, "it is poison") {
		t.Errorf("it is %s: %s", s.State, s.Why)
	}
	if s := w.skill(good); s.State != skill.Active {
		t.Errorf("what is only bitter is %s", s.State)
	}
	if len(w.digests) != 1 || len(w.digests[0].Failed) != 1 || len(w.digests[0].Keep) != 1 {
		t.Errorf("digests %+v", w.digests)
	}
}

func TestSkillsOfPeopleAreOnlyReportedByTheHealthCheck(t *testing.T) {
	w := newWorld(t)
	w.checks = []skill.Check{func(context.Context, skill.Candidate) ([]skill.Finding, error) {
		return []skill.Finding{{Check: "taste", Severity: skill.Block, Message: "it is poison"}}, nil
	}}
	written := w.learned(w.own(), skill.ByPerson, "brew-tea", "How to brew tea.", "Boil water.")
	pinned := w.learned(w.own(), skill.ByAgent, "water-plants", "How to water plants.", "Water them.")
	if _, err := w.library.Pin(t.Context(), w.ann(), pinned, true); err != nil {
		t.Fatal(err)
	}
	w.wait(0)
	if err := w.curator.Weekly(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, r := range []skill.Ref{written, pinned} {
		if s := w.skill(r); s.State != skill.Active {
			t.Errorf("%s is %s", r.Name, s.State)
		}
		if _, err := w.upkeep.Retire(t.Context(), r, skill.Deprecated, ""); !errors.Is(err, skill.ErrProtected) {
			t.Errorf("%s was retired: %v", r.Name, err)
		}
	}
	if len(w.digests) != 1 || len(w.digests[0].Ailing) != 2 || len(w.digests[0].Failed) != 0 {
		t.Errorf("digests %+v", w.digests)
	}
}

func TestTheDigestSortsSkillsByHowTheyDid(t *testing.T) {
	w := newWorld(t)
	for name, o := range map[string]string{"good": "++++++", "fair": "+++--", "poor": "+----", "rare": "--"} {
		w.used(w.learned(w.own(), skill.ByAgent, name+"-work", "How to do "+name+" work.", "Do."), o)
	}
	d, err := w.curator.Digest(t.Context(), w.own())
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for title, part := range map[string][]curate.Entry{"keep": d.Keep, "improve": d.Improve, "prune": d.Prune} {
		for _, e := range part {
			if e.Name != map[string]string{"keep": "good-work", "improve": "fair-work", "prune": "poor-work"}[title] {
				t.Errorf("%s: %s", title, e.Name)
			}
			got = append(got, e.Name)
		}
	}
	if len(got) != 3 {
		t.Errorf("digest %+v", d)
	}
}

func TestKeptSkillsAreNotAskedAboutAgain(t *testing.T) {
	w := newWorld(t)
	r := w.learned(w.own(), skill.ByPerson, "brew-tea", "How to brew tea.", "Boil water.")
	w.used(r, "+----")
	if p := w.plan(w.own()); len(p.Actions) != 1 {
		t.Fatalf("planned %q", p)
	}
	if err := w.curator.Keep(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	w.used(r, "-----")
	if p := w.plan(w.own()); len(p.Actions) != 0 {
		t.Errorf("planned %q", p)
	}
}

func TestWhereLearningIsSwitchedOffWhatIsThereStaysAsItIs(t *testing.T) {
	w := newWorld(t)
	r := w.learned(w.own(), skill.ByAgent, "brew-tea", "How to brew tea.", "Boil water.")
	if err := learning.Switch(t.Context(), w.store, w.ann(), false); err != nil {
		t.Fatal(err)
	}
	w.wait(40 * day)
	w.night()
	if got := w.skill(r).State; got != skill.Active || len(w.reports) > 0 {
		t.Errorf("it is %s, reported %q", got, w.done())
	}
}
