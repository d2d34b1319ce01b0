package skill_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
)

// machine does whatever comes to mind with few skills, and keeps for itself
// which contents a person, or the policy, has authorised.
type machine struct {
	w          *world
	l          *skill.Library
	people     []person.Principal
	scopes     []skill.Scope
	approvers  map[skill.Scope][]person.Principal
	authorised map[skill.Ref]map[string]bool // by skill: texts
	disabled   map[skill.Ref]bool
	seen       []skill.Revision
}

func newMachine(w *world, policy skill.Policy) *machine {
	m := &machine{
		w: w, people: []person.Principal{w.in(ada, general), w.in(ben, general), w.in(cy, general), w.dm(cy), w.dm(ada), {}},
		authorised: map[skill.Ref]map[string]bool{}, disabled: map[skill.Ref]bool{},
	}
	space, team, cys := skill.OfSpace(w.team(), general), skill.OfTeam(w.team()), skill.OfPerson(w.dm(cy).Person)
	m.scopes = []skill.Scope{space, team, cys}
	m.approvers = map[skill.Scope][]person.Principal{
		space: {m.people[0], m.people[1], m.people[4]}, team: {m.people[0], m.people[1], m.people[4]},
		cys: {m.people[2], m.people[3]},
	}
	m.l = w.library(skill.Config{Policy: map[skill.Kind]skill.Policy{skill.Person: policy, skill.Space: policy, skill.Team: policy}})
	return m
}

func (m *machine) ref(t *rapid.T) skill.Ref {
	return skill.Ref{Scope: rapid.SampledFrom(m.scopes).Draw(t, "scope"), Name: rapid.SampledFrom([]string{"one", "two"}).Draw(t, "name")}
}

func (m *machine) somebody(t *rapid.T) person.Principal {
	return m.people[rapid.IntRange(0, len(m.people)-1).Draw(t, "who")]
}

// revision is one that was proposed at some time.
func (m *machine) revision(t *rapid.T) (skill.Revision, string) {
	if len(m.seen) == 0 {
		t.Skip("nothing was proposed")
	}
	r := m.seen[rapid.IntRange(0, len(m.seen)-1).Draw(t, "revision")]
	if rapid.IntRange(0, 9).Draw(t, "shown") == 0 {
		return r, "sha256:else"
	}
	return r, r.Hash
}

func (m *machine) grant(r skill.Revision, files manifest.Bundle) {
	ref := r.At(0)
	if m.authorised[ref] == nil {
		m.authorised[ref] = map[string]bool{}
	}
	m.authorised[ref][string(files[manifest.MainFile])] = true
	delete(m.disabled, ref)
}

func (m *machine) files(r skill.Revision) manifest.Bundle {
	b, _, err := m.l.Upkeep().Bundle(m.w.Context(), r.Ref)
	if err != nil {
		m.w.Fatal(err)
	}
	return b
}

func (m *machine) propose(t *rapid.T) {
	r := m.ref(t)
	text := fmt.Sprintf("Version %d.", rapid.IntRange(0, 3).Draw(t, "text"))
	var more []string
	if rapid.IntRange(0, 3).Draw(t, "rights") == 0 {
		more = []string{asksNetwork}
	}
	files := document(r.Name, text, more...)
	pr := skill.Proposal{Ref: r, Files: files, ByAgent: rapid.Bool().Draw(t, "by agent"),
		Origin: rapid.SampledFrom([]chat.Origin{chat.Self, chat.Member, chat.External}).Draw(t, "origin")}
	if now, err := m.l.Upkeep().Skill(m.w.Context(), r); err == nil && rapid.IntRange(0, 5).Draw(t, "base") > 0 {
		pr.Base = now.Hash
	}
	out, err := m.l.Propose(m.w.Context(), m.somebody(t), pr)
	if err != nil {
		return
	}
	m.seen = append(m.seen, out.Revision)
	if !out.Live {
		return
	}
	g := out.Revision.Grant
	if g == nil || g.Policy == "" || g.Hash != files.Hash() || pr.Origin == chat.External {
		t.Fatalf("live without a recorded policy: %+v", g)
	}
	m.grant(out.Revision, files)
}

func (m *machine) approve(t *rapid.T) {
	r, hash := m.revision(t)
	p := m.somebody(t)
	got, err := m.l.Approve(m.w.Context(), p, r.Ref, hash)
	if err != nil {
		return
	}
	allowed := false
	for _, a := range m.approvers[r.Scope] {
		allowed = allowed || a.Person == p.Person
	}
	if r.Scope.Kind == skill.Person && r.Adds.Privileged() {
		allowed = p.Role == person.Admin
	}
	if !allowed || hash != r.Hash || got.Grant.By != p.Person {
		t.Fatalf("%s approved %s", p.Identity.ID, r.Ref)
	}
	m.grant(r, m.files(r))
}

// decide is every other decision, by anybody. None of them authorises anything
// that was not authorised before.
func (m *machine) decide(t *rapid.T) {
	ctx, p := m.w.Context(), m.somebody(t)
	r, hash := m.revision(t)
	switch rapid.IntRange(0, 6).Draw(t, "decision") {
	case 0:
		_, _ = m.l.Reject(ctx, p, r.Ref, hash, "")
	case 1:
		out, err := m.l.Edit(ctx, p, r.Ref, hash, document(r.Name, "Edited."), "")
		if err == nil {
			m.seen = append(m.seen, out.Revision)
		}
	case 2:
		if s, err := m.l.Disable(ctx, p, r.Ref, ""); err == nil && s.State == skill.Disabled {
			m.disabled[r.At(0)] = true
		}
	case 3:
		if s, err := m.l.Enable(ctx, p, r.Ref, ""); err == nil && s.State == skill.Active {
			delete(m.disabled, r.At(0))
		}
	case 4:
		if _, err := m.l.Archive(ctx, p, r.Ref, ""); err == nil {
			delete(m.disabled, r.At(0))
		}
	case 5:
		_, _ = m.l.Restore(ctx, p, r.Ref, "")
	case 6:
		to := rapid.SampledFrom([]skill.State{skill.Active, skill.Stale, skill.Archived, skill.Deprecated}).Draw(t, "state")
		_, _ = m.l.Upkeep().Retire(ctx, r.Ref, to, "")
	}
}

// goBack goes back, or forth, to any revision.
func (m *machine) goBack(t *rapid.T) {
	r, _ := m.revision(t)
	if rapid.IntRange(0, 4).Draw(t, "by itself") == 0 {
		_, _ = m.l.Upkeep().Revert(m.w.Context(), r.Ref, "")
		return
	}
	_, _ = m.l.Rollback(m.w.Context(), m.somebody(t), r.Ref, "")
}

// check looks at everything that could be used: in the space, and in private.
func (m *machine) check(t *rapid.T) {
	for _, p := range []person.Principal{m.people[2], m.people[3]} {
		for _, name := range []string{"one", "two"} {
			s, data, err := m.l.View(m.w.Context(), p, name, "")
			switch {
			case errors.Is(err, skill.ErrNotFound), errors.Is(err, skill.ErrDisabled):
				continue
			case err != nil:
				t.Fatal(err)
			case !m.authorised[s.Ref][string(data)]:
				t.Fatalf("%s is in force with what nobody authorised: %s", s.Ref, data)
			case m.disabled[s.Ref]:
				t.Fatalf("%s is in force in spite of a veto", s.Ref)
			}
		}
	}
}

func TestNothingUnauthorisedIsEverInForce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		policy := rapid.SampledFrom([]skill.Policy{skill.NewAndWider, skill.None}).Draw(rt, "policy")
		m := newMachine(inMemory(t), policy)
		defer m.w.store.Close()
		rt.Repeat(map[string]func(*rapid.T){
			"propose": m.propose, "approve": m.approve, "approve again": m.approve,
			"decide": m.decide, "go back": m.goBack, "": m.check,
		})
	})
}
