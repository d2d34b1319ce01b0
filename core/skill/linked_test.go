package skill_test

import (
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/skill"
)

func TestSkillsFollowTheirPerson(t *testing.T) {
	onEachStore(t, func(w *world) {
		l, ctx := w.library(skill.Config{}), w.Context()
		mover, phone, desk := skill.NewLinked(w.store, quiet()), w.dm(dee), w.dm(cy)
		one := w.approved(l, phone, change(skill.OfPerson(phone.Person), "note", document("note", "From the phone.")))
		w.approved(l, phone, change(skill.OfPerson(phone.Person), "both", document("both", "From the phone.")))
		w.approved(l, desk, change(skill.OfPerson(desk.Person), "both", document("both", "From the desk.")))
		must(l.Upkeep().Record(ctx, one.Ref.At(0), skill.Use{Task: "t1", Number: 1, Success: true}))(w)

		for range 2 { // a crash in between has it done again
			if err := mover.Move(ctx, "l1", phone.Person, desk.Person); err != nil {
				w.Fatal(err)
			}
		}
		ref := skill.Ref{Scope: skill.OfPerson(desk.Person), Name: "note"}
		if !strings.Contains(w.text(l, desk, "note"), "phone") || !strings.Contains(w.text(l, desk, "both"), "desk") {
			w.Error("the skills of both accounts are not the person's")
		}
		if stats := must(l.Stats(ctx, desk, ref))(w); stats.Uses() != 1 {
			w.Errorf("its uses are %+v", stats)
		}
		next := change(ref.Scope, "note", document("note", "From the phone, better."))
		next.Base = one.Hash
		must(l.Propose(ctx, desk, next))(w)

		if s := must(l.Upkeep().Skill(ctx, one.Ref.At(0)))(w); s.Live() {
			w.Error("the original is still tended to")
		}

		for range 2 {
			if err := mover.Return(ctx, "l1", desk.Person, phone.Person, []chat.Identity{dee}, true); err != nil {
				w.Fatal(err)
			}
		}
		if !strings.Contains(w.text(l, phone, "note"), "better") || !strings.Contains(w.text(l, phone, "both"), "phone") {
			w.Error("the skills did not return")
		}
		if !strings.Contains(w.text(l, desk, "both"), "desk") {
			w.Error("the other one's own is lost")
		}
		if _, err := l.Find(ctx, desk, "note"); err == nil {
			w.Error("what was given back is still there")
		}
	})
}
