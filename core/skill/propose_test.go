package skill_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
)

func TestPolicySaysWhatGoesLive(t *testing.T) {
	script := func(name string) manifest.Bundle {
		b := document(name, "Run it.")
		b["scripts/run.sh"] = []byte("echo\n")
		return b
	}
	for _, c := range []struct {
		name   string
		policy skill.Policy
		first  bool // a new skill
		files  func(name string) manifest.Bundle
		origin chat.Origin
		by     skill.Creator
		live   bool
	}{
		{name: "a new skill", policy: skill.NewAndWider, first: true},
		{name: "a small revision", policy: skill.NewAndWider, live: true},
		{name: "a revision that asks for more", policy: skill.NewAndWider, files: func(n string) manifest.Bundle { return document(n, "Get it.", asksNetwork) }},
		{name: "a revision with another script", policy: skill.NewAndWider, files: script},
		{name: "a revision made from outside content", policy: skill.NewAndWider, origin: chat.External},
		{name: "a revision of a person's work", policy: skill.NewAndWider, by: skill.ByPerson},
		{name: "a revision of what was imported", policy: skill.None, by: skill.ByImport},
		{name: "a small revision where all is asked", policy: skill.All},
		{name: "a new skill where nothing is asked", policy: skill.None, first: true, live: true},
		{name: "anything made from outside content", policy: skill.None, first: true, origin: chat.External},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := onSQLite(t)
			l, p := w.library(skill.Config{Policy: map[skill.Kind]skill.Policy{skill.Person: c.policy}}), w.dm(ada)
			pr := change(skill.OfPerson(p.Person), "note", document("note", "First."))
			if !c.first {
				first := pr
				first.CreatedBy = c.by
				out := must(l.Propose(t.Context(), p, first))(w)
				pr.Base = out.Revision.Hash
				if !out.Live {
					must(l.Approve(t.Context(), p, out.Revision.Ref, out.Revision.Hash))(w)
				}
				pr.Files = document("note", "Second.")
			}
			if c.files != nil {
				pr.Files = c.files("note")
			}
			pr.Origin = max(c.origin, chat.Member)
			out := must(l.Propose(t.Context(), p, pr))(w)
			if out.Live != c.live {
				t.Fatalf("live is %v, as %+v", out.Live, out.Revision)
			}
			g := out.Revision.Grant
			if c.live && (g == nil || g.Policy != "person: "+string(c.policy) || g.Hash != out.Revision.Hash) {
				t.Errorf("the grant is %+v", g)
			}
			if log := must(l.Audit(t.Context(), p, 1))(w); c.live && log[0].Grant != g.Policy {
				t.Errorf("the log says %+v", log[0])
			}
		})
	}
}

func TestProposedAgainJoinsTheDraft(t *testing.T) {
	w := onSQLite(t)
	l, ctx, p := w.library(skill.Config{}), t.Context(), w.in(ben, general)
	pr := change(skill.OfSpace(w.team(), general), "release", document("release", "Tag it."))
	pr.Provenance = []skill.Provenance{{Task: "t1"}}
	first := w.draft(l, p, pr)
	pr.Provenance = []skill.Provenance{{Task: "t2"}}
	again := must(l.Propose(ctx, p, pr))(w)
	if !again.Merged || again.Revision.Ref != first.Ref || len(again.Revision.Provenance) != 2 {
		t.Errorf("the same again is %+v", again)
	}
	pr.Files, pr.Provenance = document("release", "Tag it well."), []skill.Provenance{{Task: "t3"}}
	other := must(l.Propose(ctx, p, pr))(w)
	if other.Merged || len(other.Revision.Provenance) != 3 {
		t.Errorf("another text is %+v", other)
	}
	pending := must(l.Pending(ctx, p))(w)
	if len(pending) != 1 || pending[0].Ref != other.Revision.Ref {
		t.Errorf("%d drafts wait", len(pending))
	}
	must(l.Edit(ctx, p, other.Revision.Ref, other.Revision.Hash, document("release", "Mine."), "better"))(w)
	pr.Files = document("release", "The agent's.")
	_, err := l.Propose(ctx, p, pr)
	w.refuses(err, skill.ErrProtected) // it does not push a person's draft away
}

func TestBlockedDraftIsEditedNotApproved(t *testing.T) {
	w := onSQLite(t)
	scan := func(_ context.Context, c skill.Candidate) ([]skill.Finding, error) {
		if strings.Contains(c.Manifest.Body, "secret") {
			return []skill.Finding{{Check: "scan", Severity: skill.Block, Message: "it asks for secrets"}}, nil
		}
		return nil, nil
	}
	l, ctx, p := w.library(skill.Config{Policy: map[skill.Kind]skill.Policy{skill.Space: skill.None}}, scan), t.Context(), w.in(ben, general)
	pr := change(skill.OfSpace(w.team(), general), "release", document("release", "Tell the secret."))
	r := w.draft(l, p, pr)
	if r.State != skill.Blocked || len(r.Findings) != 1 {
		t.Fatalf("%+v", r)
	}
	_, err := l.Approve(ctx, p, r.Ref, r.Hash)
	w.refuses(err, skill.ErrBlocked)
	if b := must(l.Bundle(ctx, p, r.Ref))(w); len(b) != 1 {
		t.Error("a blocked draft can't be read")
	}
	out := must(l.Edit(ctx, p, r.Ref, r.Hash, document("release", "Tell nothing."), ""))(w)
	if out.Live {
		t.Error("an edited draft went live without a decision")
	}
	must(l.Approve(ctx, p, out.Revision.Ref, out.Revision.Hash))(w)
}

func TestWhatIsNoSkillIsRefused(t *testing.T) {
	w := onSQLite(t)
	failing := func(context.Context, skill.Candidate) ([]skill.Finding, error) {
		return nil, errors.New("scanner gone")
	}
	l, ctx, p := w.library(skill.Config{}), t.Context(), w.in(ben, general)
	scope := skill.OfSpace(w.team(), general)
	with := func(path, text string) manifest.Bundle {
		b := document("release", "Tag it.")
		b[path] = []byte(text)
		return b
	}
	for name, pr := range map[string]skill.Proposal{
		"another name":      change(scope, "deploy", document("release", "Tag it.")),
		"no front matter":   change(scope, "release", manifest.Bundle{}),
		"a path upwards":    change(scope, "release", with("../x.md", "x")),
		"a file too large":  change(scope, "release", with("assets/x", strings.Repeat("x", manifest.MaxSupportFile+1))),
		"an unsafe name":    change(scope, "a@1", document("a@1", "Tag it.")),
		"an unknown scope":  change(skill.Scope{Kind: "world"}, "release", document("release", "Tag it.")),
		"an incomplete one": change(skill.OfPerson(""), "release", document("release", "Tag it.")),
	} {
		if _, err := l.Propose(ctx, p, pr); !errors.Is(err, skill.ErrInvalid) && !errors.Is(err, person.ErrForbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := w.draft(l, p, change(scope, "release", with("elsewhere/x.md", "x")))
	if r.State != skill.Blocked {
		t.Error("the agent writes outside of the support folders")
	}
	pr := change(scope, "fetch", document("fetch", "Get it.", asksNetwork))
	pr.Origin = chat.External
	if r := w.draft(l, p, pr); r.State != skill.Blocked {
		t.Error("what outside content made may ask for the network")
	}
	if _, err := w.library(skill.Config{}, failing).Propose(ctx, p, change(scope, "tag", document("tag", "Tag it."))); err == nil {
		t.Error("what could not be checked was proposed")
	}
}

func TestUnchangedIsNoProposal(t *testing.T) {
	w := onSQLite(t)
	l, p := w.library(skill.Config{}), w.in(ben, general)
	pr := change(skill.OfSpace(w.team(), general), "release", document("release", "Tag it."))
	pr.Base = w.approved(l, p, pr).Hash
	_, err := l.Propose(t.Context(), p, pr)
	w.refuses(err, skill.ErrUnchanged)
}

func TestProposalsStayInTheirScope(t *testing.T) {
	w := onSQLite(t)
	l := w.library(skill.Config{})
	for name, c := range map[string]struct {
		p  person.Principal
		to skill.Scope
	}{
		"another's own":    {w.dm(dee), skill.OfPerson(w.dm(cy).Person)},
		"another space":    {w.in(cy, ops), skill.OfSpace(w.team(), general)},
		"a space, from DM": {w.dm(cy), skill.OfSpace(w.team(), general)},
		"another team":     {w.dm(cy), skill.OfTeam("other")},
		"by a bot":         {w.resolve(chat.Author{Identity: cy, Bot: true}, general, false), skill.OfSpace(w.team(), general)},
		"by a guest":       {w.resolve(chat.Author{Identity: gus, Guest: true}, general, false), skill.OfSpace(w.team(), general)},
	} {
		if _, err := l.Propose(t.Context(), c.p, change(c.to, "release", document("release", "Tag it."))); !errors.Is(err, person.ErrForbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
