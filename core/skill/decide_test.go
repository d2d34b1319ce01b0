package skill_test

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
)

func TestOneOfManyPressesDecides(t *testing.T) {
	onEachStore(t, func(w *world) {
		first := w.library(skill.Config{})
		second := skill.New(w.open(0), w.directory, skill.Config{}, quiet())
		draft := w.draft(first, w.in(cy, general), change(skill.OfTeam(w.team()), "release", document("release", "Tag it.")))

		by := []person.Principal{w.in(ben, general), w.in(bea, general)}
		results := make([]error, 8)
		var all sync.WaitGroup
		for n := range results {
			all.Go(func() {
				l, p := first, by[n/2%2]
				if n%2 == 1 {
					l = second
				}
				if n < 6 {
					_, results[n] = l.Approve(w.Context(), p, draft.Ref, draft.Hash)
				} else {
					_, results[n] = l.Reject(w.Context(), p, draft.Ref, draft.Hash, "not now")
				}
			})
		}
		all.Wait()
		decided := 0
		for _, err := range results {
			switch {
			case err == nil:
				decided++
			case !errors.Is(err, skill.ErrDecided):
				w.Errorf("a late press got %v", err)
			}
		}
		if decided != 1 {
			w.Errorf("%d presses decided", decided)
		}
		audit := must(first.Audit(w.Context(), w.in(ben, general), 50))(w)
		done := 0
		for _, e := range audit {
			if (e.Action == "approve" || e.Action == "reject") && e.Refused == "" {
				done++
			}
		}
		if done != 1 || len(audit) != 1+len(results) {
			w.Errorf("%d decisions among %d entries of the audit log", done, len(audit))
		}
	})
}

func TestApprovalIsOfWhatWasShown(t *testing.T) {
	onEachStore(t, func(w *world) {
		l, ctx := w.library(skill.Config{}), w.Context()
		scope, member, approver := skill.OfSpace(w.team(), general), w.in(cy, general), w.in(ben, general)
		shown := w.draft(l, member, change(scope, "release", document("release", "Tag it.")))
		_, err := l.Approve(ctx, approver, shown.Ref, "sha256:0000")
		w.refuses(err, skill.ErrStale)

		// The agent has a better idea: the old card decides nothing any more.
		better := w.draft(l, member, change(scope, "release", document("release", "Tag it, then tell everybody.")))
		_, err = l.Approve(ctx, approver, shown.Ref, shown.Hash)
		w.refuses(err, skill.ErrStale)
		_, err = l.Approve(ctx, approver, better.Ref, shown.Hash)
		w.refuses(err, skill.ErrStale)
		if _, err := l.Approve(ctx, approver, better.Ref, better.Hash); err != nil {
			w.Fatal(err)
		}

		// What is in force changes while a draft waits: the draft is pointless.
		next := change(scope, "release", document("release", "Tag, tell, rest."))
		next.Base = better.Hash
		waiting := w.draft(l, member, next)
		third := change(scope, "release", document("release", "Do it twice."))
		third.Base, third.ByAgent = better.Hash, false
		if _, err := l.Edit(ctx, approver, waiting.Ref, waiting.Hash, third.Files, "shorter"); err != nil {
			w.Fatal(err)
		}
		_, err = l.Approve(ctx, approver, waiting.Ref, waiting.Hash)
		w.refuses(err, skill.ErrStale)
		third.Base = shown.Hash
		_, err = l.Propose(ctx, member, third)
		w.refuses(err, skill.ErrStale)
	})
}

func TestDraftsBecomePointlessByRollback(t *testing.T) {
	w := onSQLite(t)
	l, ctx, approver := w.library(skill.Config{}), t.Context(), w.in(ben, general)
	scope := skill.OfSpace(w.team(), general)
	one := w.approved(l, approver, change(scope, "release", document("release", "One.")))
	next := change(scope, "release", document("release", "Two."))
	next.Base = one.Hash
	two := w.approved(l, approver, next)
	next = change(scope, "release", document("release", "Three."))
	next.Base = two.Hash
	three := w.draft(l, approver, next)
	if _, err := l.Rollback(ctx, approver, one.Ref, "two was worse"); err != nil {
		t.Fatal(err)
	}
	_, err := l.Approve(ctx, approver, three.Ref, three.Hash)
	w.refuses(err, skill.ErrStale)
	if got := must(l.Revision(ctx, approver, three.Ref))(w); got.State != skill.Superseded {
		t.Errorf("the draft is %q", got.State)
	}
}

func TestDraftsWaitAsLongAsTheOperatorSays(t *testing.T) {
	w := onSQLite(t)
	scope, approver := skill.OfTeam(w.team()), w.in(ben, general)
	config := skill.Config{DraftFor: 5 * time.Hour, RemindAfter: 2 * time.Hour}
	draft := w.draft(w.library(config), approver, change(scope, "release", document("release", "Tag it.")))
	early := skill.New(w.open(time.Hour), w.directory, config, quiet())
	if got := must(early.Upkeep().Remind(w.Context(), scope))(w); len(got) != 0 {
		t.Errorf("reminded early of %v", got)
	}
	later := skill.New(w.open(3*time.Hour), w.directory, config, quiet())
	if got := must(later.Upkeep().Remind(w.Context(), scope))(w); len(got) != 1 {
		t.Errorf("reminded of %v", got)
	}
	late := skill.New(w.open(5*time.Hour), w.directory, config, quiet())
	_, err := late.Approve(w.Context(), approver, draft.Ref, draft.Hash)
	w.refuses(err, skill.ErrExpired)
}

func TestDraftExpires(t *testing.T) {
	onEachStore(t, func(w *world) {
		ctx, scope := w.Context(), skill.OfTeam(w.team())
		l, approver := w.library(skill.Config{}), w.in(ben, general)
		draft := w.draft(l, approver, change(scope, "release", document("release", "Tag it.")))

		soon := skill.New(w.open(skill.RemindAfter+time.Hour), w.directory, skill.Config{}, quiet())
		if got := must(soon.Upkeep().Remind(ctx, scope))(w); len(got) != 1 || got[0].Ref != draft.Ref {
			w.Errorf("reminded of %v", got)
		}
		if got := must(soon.Upkeep().Remind(ctx, scope))(w); len(got) != 0 {
			w.Errorf("reminded again of %v", got)
		}

		late := skill.New(w.open(72*time.Hour), w.directory, skill.Config{}, quiet())
		_, err := late.Approve(ctx, approver, draft.Ref, draft.Hash)
		w.refuses(err, skill.ErrExpired)
		if got := must(late.Pending(ctx, approver))(w); len(got) != 0 {
			w.Errorf("%d drafts still wait", len(got))
		}
		if got := must(late.Upkeep().Expire(ctx, scope))(w); len(got) != 1 || got[0].Ref != draft.Ref || got[0].State != skill.Expired {
			w.Errorf("expired: %v", got)
		}
		if got := must(late.Upkeep().Expire(ctx, scope))(w); len(got) != 0 {
			w.Errorf("expired again: %v", got)
		}
		again := w.draft(late, approver, change(scope, "release", document("release", "Tag it.")))
		if again.Number == draft.Number {
			w.Error("the expired draft was opened again")
		}
		if _, err := late.Approve(ctx, approver, again.Ref, again.Hash); err != nil {
			w.Error(err)
		}
	})
}

// Every kind of decision, by everybody, about a draft of each scope.
func TestWhoMayDecide(t *testing.T) {
	w := onSQLite(t)
	guest := chat.Author{Identity: gus, Guest: true}
	bot := chat.Author{Identity: ben, Bot: true}
	self := chat.Author{Identity: ben, Self: true}
	people := map[string]person.Principal{
		"admin here":          w.in(ada, general),
		"admin elsewhere":     w.in(ada, ops),
		"admin in private":    w.dm(ada),
		"approver here":       w.in(ben, general),
		"approver elsewhere":  w.in(ben, ops),
		"approver in private": w.dm(ben),
		"member here":         w.in(cy, general),
		"member in private":   w.dm(cy),
		"other member":        w.dm(dee),
		"guest":               w.resolve(guest, general, false),
		"bot":                 w.resolve(bot, general, false),
		"the bot itself":      w.resolve(self, general, false),
		"stranger":            w.in(account("nobody"), general),
		"nobody":              {},
	}
	may := map[skill.Kind]map[string]bool{
		skill.Space:  {"admin here": true, "approver here": true, "admin in private": true},
		skill.Team:   {"admin here": true, "admin elsewhere": true, "admin in private": true, "approver here": true, "approver elsewhere": true, "approver in private": true},
		skill.Person: {"member here": true, "member in private": true},
	}
	for kind, scope := range map[skill.Kind]skill.Scope{
		skill.Space: skill.OfSpace(w.team(), general), skill.Team: skill.OfTeam(w.team()), skill.Person: skill.OfPerson(w.dm(cy).Person),
	} {
		for who, p := range people {
			t.Run(string(kind)+" by "+who, func(t *testing.T) {
				w := onSQLite(t)
				for action, decide := range w.decisions(scope) {
					switch err := decide(p); {
					case may[kind][who] && err != nil:
						t.Errorf("%s: %v", action, err)
					case !may[kind][who] && !errors.Is(err, person.ErrForbidden):
						t.Errorf("%s got %v", action, err)
					}
				}
			})
		}
	}
}

// A way in that nobody thought about is a mistake of whoever adds it: it must
// be tried above, or be named here with where it is.
func TestEveryWayInIsTried(t *testing.T) {
	elsewhere := map[string]string{
		"propose": "TestProposalsStayInTheirScope", "publish": "TestPublishAsksTheApproversOfTheTarget",
		"share": "TestWhoSeesWhat", "adopt": "TestAdoptedSkillFollows", "refresh": "TestAdoptedSkillFollows",
		"visible": "TestWhoSeesWhat", "list": "TestWhoSeesWhat", "find": "TestWhoSeesWhat", "view": "TestWhoSeesWhat",
		"matchable": "TestWhoSeesWhat", "pending": "TestWhoSeesWhat", "audit": "TestRefusedDecisionsAreLogged",
		"revision": "TestPrivateRevisionsAreNotReadFromElsewhere", "bundle": "TestPrivateRevisionsAreNotReadFromElsewhere",
		"history": "TestPrivateRevisionsAreNotReadFromElsewhere", "diff": "TestPrivateRevisionsAreNotReadFromElsewhere",
		"stats": "TestPrivateRevisionsAreNotReadFromElsewhere", "files": "TestWhoSeesWhat, as View is made from it",
		"offer": "TestWhoMayOfferAndSubscribe", "subscribe": "TestWhoMayOfferAndSubscribe", "unsubscribe": "TestWhoMayOfferAndSubscribe",
		"offered": "TestWhoMayOfferAndSubscribe", "subscribers": "TestWhoMayOfferAndSubscribe",
		"configure": "TestSettingsBelongToWhereTheyAreSet", "settings": "TestSettingsBelongToWhereTheyAreSet",
	}
	w := onSQLite(t)
	tried := w.decisions(skill.OfSpace(w.team(), general))
	library := reflect.TypeFor[*skill.Library]()
	for i := range library.NumMethod() {
		m := library.Method(i)
		if m.Type.NumIn() < 3 || m.Type.In(2) != reflect.TypeFor[person.Principal]() {
			continue
		}
		action := strings.ReplaceAll(strings.ToLower(m.Name), "rollback", "roll back")
		if tried[action] == nil && elsewhere[action] == "" {
			t.Errorf("nobody tries who may %s", m.Name)
		}
	}
}

// decisions are all entry points, each on a skill of its own.
func (w *world) decisions(scope skill.Scope) map[string]func(person.Principal) error {
	l, ctx := w.library(skill.Config{}), w.Context()
	owner, proposer := w.in(ada, general), w.in(cy, general)
	if scope.Kind == skill.Person {
		owner = w.dm(cy)
	}
	draft := func(name string) skill.Revision {
		return w.draft(l, proposer, change(scope, name, document(name, "Do it.")))
	}
	live := func(name string) skill.Ref {
		r := draft(name)
		return must(l.Approve(ctx, owner, r.Ref, r.Hash))(w).Ref
	}
	approve, reject, edit := draft("approve"), draft("reject"), draft("edit")
	disable, archive, pin := live("disable"), live("archive"), live("pin")
	enable, restore, back := live("enable"), live("restore"), live("back")
	must(l.Disable(ctx, owner, enable, ""))(w)
	must(l.Archive(ctx, owner, restore, ""))(w)
	next := change(scope, "back", document("back", "Do it twice."))
	next.Base = must(l.Revision(ctx, owner, back))(w).Hash
	r := must(l.Propose(ctx, proposer, next))(w)
	if !r.Live {
		must(l.Approve(ctx, owner, r.Revision.Ref, r.Revision.Hash))(w)
	}
	return map[string]func(person.Principal) error{
		"approve": func(p person.Principal) error { _, err := l.Approve(ctx, p, approve.Ref, approve.Hash); return err },
		"reject":  func(p person.Principal) error { _, err := l.Reject(ctx, p, reject.Ref, reject.Hash, ""); return err },
		"edit": func(p person.Principal) error {
			_, err := l.Edit(ctx, p, edit.Ref, edit.Hash, document("edit", "Do it well."), "")
			return err
		},
		"disable":   func(p person.Principal) error { _, err := l.Disable(ctx, p, disable, ""); return err },
		"enable":    func(p person.Principal) error { _, err := l.Enable(ctx, p, enable, ""); return err },
		"archive":   func(p person.Principal) error { _, err := l.Archive(ctx, p, archive, ""); return err },
		"restore":   func(p person.Principal) error { _, err := l.Restore(ctx, p, restore, ""); return err },
		"pin":       func(p person.Principal) error { _, err := l.Pin(ctx, p, pin, true); return err },
		"roll back": func(p person.Principal) error { _, err := l.Rollback(ctx, p, back.At(1), ""); return err },
	}
}

func TestNewRightsNeedSomebodyElse(t *testing.T) {
	w := onSQLite(t)
	l, ctx := w.library(skill.Config{}), t.Context()

	// In a space: not only whoever the draft comes from.
	pr := change(skill.OfSpace(w.team(), general), "fetch", document("fetch", "Get it.", asksNetwork))
	pr.Provenance = []skill.Provenance{{Task: "t1", People: []person.ID{w.dm(ben).Person}}}
	draft := w.draft(l, w.in(cy, general), pr)
	_, err := l.Approve(ctx, w.in(ben, general), draft.Ref, draft.Hash)
	w.refuses(err, skill.ErrNeedsAnother)
	if _, err := l.Approve(ctx, w.in(bea, general), draft.Ref, draft.Hash); err != nil {
		t.Error(err)
	}

	// A person's own: an admin, who is somebody else.
	scope := skill.OfPerson(w.dm(cy).Person)
	draft = w.draft(l, w.dm(cy), change(scope, "fetch", document("fetch", "Get it.", asksNetwork)))
	_, err = l.Approve(ctx, w.dm(cy), draft.Ref, draft.Hash)
	w.refuses(err, skill.ErrNeedsAdmin)
	_, err = l.Approve(ctx, w.dm(ben), draft.Ref, draft.Hash)
	w.refuses(err, person.ErrForbidden)
	if _, err := l.Bundle(ctx, w.dm(ben), draft.Ref); !errors.Is(err, skill.ErrNotFound) {
		t.Errorf("an approver reads a person's draft: %v", err)
	}
	if _, err := l.Diff(ctx, w.dm(ada), draft.Ref, 0); err != nil {
		t.Errorf("the admin who is asked can't see what for: %v", err)
	}
	if _, err := l.Approve(ctx, w.dm(ada), draft.Ref, draft.Hash); err != nil {
		t.Error(err)
	}

	// The only admin may do it alone.
	draft = w.draft(l, w.dm(ada), change(skill.OfPerson(w.dm(ada).Person), "fetch", document("fetch", "Get it.", asksNetwork)))
	if _, err := l.Approve(ctx, w.dm(ada), draft.Ref, draft.Hash); err != nil {
		t.Error(err)
	}
	if err := w.directory.SetRole(ctx, w.in(ada, general), eve, person.Admin, true); err != nil {
		t.Fatal(err)
	}
	draft = w.draft(l, w.dm(ada), change(skill.OfPerson(w.dm(ada).Person), "job", document("job", "Every day.", asksJobs)))
	_, err = l.Approve(ctx, w.dm(ada), draft.Ref, draft.Hash)
	w.refuses(err, skill.ErrNeedsAdmin)
}

func TestRightsAreThoseOfTheMoment(t *testing.T) {
	w := onSQLite(t)
	l, ctx := w.library(skill.Config{}), t.Context()
	if err := w.directory.SetRole(ctx, w.in(ada, general), eve, person.Approver, false); err != nil {
		t.Fatal(err)
	}
	approver := w.in(eve, general)
	w.approved(l, approver, change(skill.OfSpace(w.team(), general), "tag", document("tag", "Tag it.")))
	draft := w.draft(l, approver, change(skill.OfSpace(w.team(), general), "release", document("release", "Tag it.")))
	wide := w.draft(l, approver, change(skill.OfTeam(w.team()), "release", document("release", "Tag it.")))
	_, err := l.Approve(ctx, approver, wide.Ref, wide.Hash)
	w.refuses(err, person.ErrForbidden) // an approver of one space is none of the team

	if err := w.directory.SetRole(ctx, w.in(ada, general), eve, person.Member, false); err != nil {
		t.Fatal(err)
	}
	_, err = l.Approve(ctx, approver, draft.Ref, draft.Hash)
	w.refuses(err, person.ErrForbidden) // the press carries the rights of before
}

func TestRejectedIsNotProposedAgain(t *testing.T) {
	w := onSQLite(t)
	l, ctx, approver := w.library(skill.Config{}), t.Context(), w.in(ben, general)
	pr := change(skill.OfSpace(w.team(), general), "release", document("release", "Tag it."))
	draft := w.draft(l, approver, pr)
	must(l.Reject(ctx, approver, draft.Ref, draft.Hash, "we don't tag"))(w)
	_, err := l.Propose(ctx, approver, pr)
	w.refuses(err, skill.ErrDecided)
	pr.ByAgent = false
	w.draft(l, approver, pr) // a person may ask again
}
