package skill_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
)

func names(skills []skill.Skill) (out []string) {
	for _, s := range skills {
		out = append(out, s.Name)
	}
	return out
}

func TestASpaceSubscribesToWhatAnotherOffers(t *testing.T) {
	onEachStore(t, func(w *world) {
		l, ctx := w.library(skill.Config{}), w.Context()
		here, there, member := w.in(ben, general), w.in(ben, ops), w.in(cy, ops)
		source := skill.OfSpace(w.team(), general)
		one := w.approved(l, here, change(source, "release", document("release", "One.")))

		_, err := l.Subscribe(ctx, there, one.Ref)
		w.refuses(err, skill.ErrNotFound)
		_, err = l.Offer(ctx, w.in(cy, general), one.Ref, ops, true)
		w.refuses(err, person.ErrForbidden)
		must(l.Offer(ctx, here, one.Ref, ops, true))(w)
		_, err = l.Offer(ctx, here, one.Ref, ops, true)
		w.refuses(err, skill.ErrUnchanged)
		if got := names(must(l.List(ctx, member))(w)); len(got) != 0 {
			w.Errorf("offered is used already: %q", got)
		}
		_, err = l.Subscribe(ctx, member, one.Ref)
		w.refuses(err, person.ErrForbidden)

		link := must(l.Subscribe(ctx, there, one.Ref))(w)
		if link.Taken.As != ben || link.Taken.At.IsZero() || link.Source != one.Ref.At(0) {
			w.Errorf("noted %+v", link)
		}
		_, err = l.Subscribe(ctx, there, one.Ref)
		w.refuses(err, skill.ErrUnchanged)
		seen := must(l.Visible(ctx, member))(w)
		if len(seen) != 1 || seen[0].Subscribed == nil || seen[0].Subscribed.Taken.By != there.Person {
			w.Fatalf("seen %+v", seen)
		}
		if !strings.Contains(w.text(l, member, "release"), "One.") || len(must(l.Matchable(ctx, member))(w)) != 1 {
			w.Error("it is not used")
		}
		if used := must(l.Subscribers(ctx, here, one.Ref.At(0)))(w); len(used) != 1 || used[0].To != ops {
			w.Errorf("its own place tells of %+v", used)
		}

		next := change(source, "release", document("release", "Two."))
		next.Base = one.Hash
		two := w.approved(l, here, next)
		if !strings.Contains(w.text(l, member, "release"), "Two.") {
			w.Error("what its place approved is not used")
		}
		wider := change(source, "release", document("release", "Three.", asksNetwork))
		wider.Base = two.Hash
		w.approved(l, here, wider)
		_, _, err = l.View(ctx, member, "release", "")
		w.refuses(err, skill.ErrUnfit)
		must(l.Subscribe(ctx, there, one.Ref))(w)
		if !strings.Contains(w.text(l, member, "release"), "Three.") {
			w.Error("subscribed again, it is not used")
		}

		must(l.Unsubscribe(ctx, there, one.Ref))(w)
		_, err = l.Find(ctx, member, "release")
		w.refuses(err, skill.ErrNotFound)
		must(l.Subscribe(ctx, there, one.Ref))(w)
		must(l.Offer(ctx, here, one.Ref, ops, false))(w)
		_, err = l.Find(ctx, member, "release")
		w.refuses(err, skill.ErrNotFound)
		must(l.Offer(ctx, here, one.Ref, ops, true))(w)
		_, err = l.Find(ctx, member, "release")
		w.refuses(err, skill.ErrNotFound) // an offer made anew is no subscription

		var actions []string
		for _, e := range must(l.Audit(ctx, there, 20))(w) {
			actions = append(actions, e.Action)
		}
		for _, want := range []string{"subscribe", "unsubscribe"} {
			if !slices.Contains(actions, want) {
				w.Errorf("%q is not logged among %q", want, actions)
			}
		}
	})
}

// Nobody finds what they could not read: through no door, by nobody, at no
// moment but while both places keep to their word.
func TestASubscriptionShowsNothingElse(t *testing.T) {
	w := onSQLite(t)
	l, ctx := w.library(skill.Config{}), t.Context()
	here, there := w.in(ben, general), w.in(ben, ops)
	source := skill.OfSpace(w.team(), general)
	pr := change(source, "release", document("release", "One."))
	pr.Provenance = []skill.Provenance{{Task: "t1", Place: general.String(), Messages: []string{"1.2"}}}
	one := w.approved(l, here, pr)
	w.approved(l, here, change(source, "secret", document("secret", "Not for others.")))
	next := change(source, "release", document("release", "Two."))
	next.Base = one.Hash
	two := w.approved(l, here, next)
	must(l.Offer(ctx, here, two.Ref, ops, true))(w)
	must(l.Subscribe(ctx, there, two.Ref))(w)
	draft := change(source, "release", document("release", "A draft."))
	draft.Base = two.Hash
	three := w.draft(l, here, draft)

	member, outside := w.in(cy, ops), chat.Address{Platform: "slack", Workspace: "T1", Chat: "C-other"}
	other := chat.Identity{Platform: "slack", Workspace: "T2", ID: "cy"}
	for who, p := range map[string]person.Principal{
		"a member of a third place": w.in(cy, outside), "a member alone": w.dm(cy), "an admin alone": w.dm(ada),
		"a guest": w.resolve(chat.Author{Identity: gus, Guest: true}, ops, false), "a bot": w.resolve(chat.Author{Identity: cy, Bot: true}, ops, false),
		"another team": w.resolve(chat.Author{Identity: other}, chat.Address{Platform: "slack", Workspace: "T2", Chat: ops.Chat}, false),
	} {
		_, revision := l.Revision(ctx, p, two.Ref)
		_, files := l.Bundle(ctx, p, two.Ref)
		_, history := l.History(ctx, p, two.Ref)
		_, diff := l.Diff(ctx, p, two.Ref, 0)
		_, stats := l.Stats(ctx, p, two.Ref)
		_, _, view := l.View(ctx, p, "release", "")
		_, adopted := l.Adopt(ctx, p, "release", false)
		for what, err := range map[string]error{
			"revision": revision, "files": files, "history": history, "difference": diff, "uses": stats, "text": view, "copy": adopted,
		} {
			if !errors.Is(err, skill.ErrNotFound) {
				t.Errorf("%s reads its %s: %v", who, what, err)
			}
		}
		if got := names(must(l.List(ctx, p))(w)); slices.Contains(got, "release") {
			t.Errorf("%s lists it", who)
		}
	}

	for _, r := range []skill.Ref{one.Ref, three.Ref} { // the past, and what waits
		_, err := l.Revision(ctx, member, r)
		w.refuses(err, skill.ErrNotFound)
		_, err = l.Bundle(ctx, member, r)
		w.refuses(err, skill.ErrNotFound)
		_, err = l.Diff(ctx, member, two.Ref, r.Number)
		w.refuses(err, skill.ErrNotFound)
	}
	if waiting := must(l.Pending(ctx, there))(w); len(waiting) != 0 {
		t.Errorf("its drafts wait elsewhere: %+v", waiting)
	}
	rev := must(l.Revision(ctx, member, two.Ref.At(0)))(w)
	if rev.Provenance != nil || rev.Base != "" {
		t.Errorf("it tells where it was learned: %+v", rev)
	}
	if text := must(l.Diff(ctx, member, two.Ref, 0))(w); strings.Contains(text, "One.") {
		t.Errorf("the difference tells what was there before: %s", text)
	}
	if past := must(l.History(ctx, member, two.Ref))(w); len(past) != 1 {
		t.Errorf("it tells its history: %+v", past)
	}
	_, err := l.Find(ctx, member, "secret")
	w.refuses(err, skill.ErrNotFound)
	_, err = l.Publish(ctx, there, two.Ref.At(0), skill.OfTeam(w.team()))
	w.refuses(err, skill.ErrNotFound)
	for what, err := range map[string]error{
		"approve": second(l.Approve(ctx, there, three.Ref, three.Hash)), "disable": second(l.Disable(ctx, there, two.Ref, "")),
		"roll back": second(l.Rollback(ctx, there, one.Ref, "")), "pin": second(l.Pin(ctx, there, two.Ref, true)),
		"propose": second(l.Propose(ctx, there, draft)), "offer on": second(l.Offer(ctx, there, two.Ref, outside, true)),
	} {
		if !errors.Is(err, person.ErrForbidden) {
			t.Errorf("who subscribed may %s: %v", what, err)
		}
	}
	must(l.Disable(ctx, here, two.Ref, ""))(w)
	_, _, err = l.View(ctx, member, "release", "")
	w.refuses(err, skill.ErrDisabled)
}

func TestWhoMayOfferAndSubscribe(t *testing.T) {
	w := onSQLite(t)
	l, ctx := w.library(skill.Config{}), t.Context()
	source := skill.OfSpace(w.team(), general)
	ref := w.approved(l, w.in(ben, general), change(source, "release", document("release", "One."))).Ref.At(0)
	must(l.Offer(ctx, w.in(ben, general), ref, ops, true))(w)
	elsewhere := chat.Address{Platform: "slack", Workspace: "T1", Chat: "C-other"}
	for _, c := range []struct {
		who               string
		offers, takes     person.Principal // at the source, at the target
		mayOffer, mayTake bool
	}{
		{"an admin", w.in(ada, general), w.in(ada, ops), true, true},
		{"an approver", w.in(bea, general), w.in(bea, ops), true, true},
		{"a member", w.in(cy, general), w.in(cy, ops), false, false},
		{"an approver elsewhere", w.in(ben, ops), w.in(ben, elsewhere), false, false},
		{"a guest", w.resolve(chat.Author{Identity: gus, Guest: true}, general, false), w.resolve(chat.Author{Identity: gus, Guest: true}, ops, false), false, false},
		{"a bot", w.resolve(chat.Author{Identity: ben, Bot: true}, general, false), w.resolve(chat.Author{Identity: ben, Bot: true}, ops, false), false, false},
		{"nobody", person.Principal{}, person.Principal{}, false, false},
	} {
		_, offered := l.Offer(ctx, c.offers, ref, elsewhere, true)
		_, taken := l.Subscribe(ctx, c.takes, ref)
		_, ended := l.Unsubscribe(ctx, c.takes, ref)
		for what, err := range map[string]error{"offer": offered, "subscribe": taken, "unsubscribe": ended} {
			if may := c.mayTake || what == "offer" && c.mayOffer; may != (err == nil) {
				t.Errorf("%s may %s: %v", c.who, what, err)
			}
		}
		if users := must(l.Subscribers(ctx, c.offers, ref))(w); (len(users) > 0) != slices.Contains([]string{"an admin", "an approver", "a member"}, c.who) {
			t.Errorf("%s is told who uses it: %+v", c.who, users)
		}
		if offers := must(l.Offered(ctx, c.takes))(w); len(offers) > 0 && !slices.Contains([]string{"an admin", "an approver", "a member"}, c.who) {
			t.Errorf("%s is told of offers: %+v", c.who, offers)
		}
		if c.mayOffer {
			must(l.Offer(ctx, c.offers, ref, elsewhere, false))(w)
		}
	}
	if _, err := l.Subscribe(ctx, w.dm(ada), ref); !errors.Is(err, skill.ErrInvalid) {
		t.Errorf("subscribed in private: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
