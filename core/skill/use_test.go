package skill_test

import (
	"math"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"talaria/core/skill"
)

func TestUsesAreCountedOnceATask(t *testing.T) {
	onEachStore(t, func(w *world) {
		l, ctx, p := w.library(skill.Config{}), w.Context(), w.in(ben, general)
		one := w.approved(l, p, change(skill.OfSpace(w.team(), general), "release", document("release", "One.")))
		u, ref := l.Upkeep(), one.Ref.At(0)
		var all sync.WaitGroup
		for _, task := range []string{"a", "b", "c", "d", "a", "b", "c", "d"} {
			all.Go(func() {
				if _, err := u.Record(ctx, ref, skill.Use{Task: task, Number: 1, Success: true}); err != nil {
					w.Error(err)
				}
			})
		}
		all.Wait()
		got := must(u.Record(ctx, ref, skill.Use{Task: "e", Number: 1}))(w)
		if got.Successes != 4 || got.Failures != 1 || math.Abs(got.Rate-0.9) > 1e-9 || got.Reused != 0 {
			w.Errorf("%+v", got)
		}
		// Late feedback: it was right after all.
		got = must(u.Record(ctx, ref, skill.Use{Task: "e", Number: 1, Success: true, Corrections: 1}))(w)
		if got.Successes != 5 || got.Failures != 0 || got.Rate != 1 || got.Revisions[1].Successes != 5 {
			w.Errorf("%+v", got)
		}

		next := change(one.Scope, "release", document("release", "Two."))
		next.Base = one.Hash
		two := w.approved(l, p, next)
		for _, task := range []string{"f", "g"} {
			got = must(u.Record(ctx, ref, skill.Use{Task: task, Number: two.Number, Success: true}))(w)
		}
		if got.Reused != 1 || got.Revisions[2].Uses() != 2 || must(u.Skill(ctx, ref))(w).Generation != 1 {
			w.Errorf("%+v", got)
		}
		if last := must(u.Uses(ctx, ref, 2))(w); len(last) != 2 || last[0].Task != "g" {
			w.Errorf("%+v", last)
		}
		if mine := must(l.Stats(ctx, p, ref))(w); mine.Uses() != 7 {
			w.Errorf("%+v", mine)
		}
		quick := w.library(skill.Config{LatestUse: 0.5}).Upkeep()
		if got = must(quick.Record(ctx, ref, skill.Use{Task: "h", Number: two.Number}))(w); got.Rate != 0.5 {
			w.Errorf("with another weight of the latest use: %+v", got)
		}
	})
}

func TestUpkeepAuthorisesNothing(t *testing.T) {
	w := onSQLite(t)
	l, ctx, p := w.library(skill.Config{}), t.Context(), w.in(ben, general)
	u, scope := l.Upkeep(), skill.OfSpace(w.team(), general)
	one := w.approved(l, p, change(scope, "release", document("release", "One.")))
	ref := one.Ref.At(0)
	_, err := u.Revert(ctx, ref, "worse")
	w.refuses(err, skill.ErrNotFound)
	next := change(scope, "release", document("release", "Two."))
	next.Base = one.Hash
	out := must(u.Propose(ctx, next, w.team()))(w)
	if out.Live || !out.Revision.Author.Agent() {
		t.Fatalf("%+v", out)
	}
	must(l.Approve(ctx, p, out.Revision.Ref, out.Revision.Hash))(w)
	if s := must(u.Revert(ctx, ref, "worse"))(w); s.Hash != one.Hash {
		t.Errorf("reverted to %+v", s)
	}

	must(u.Retire(ctx, ref, skill.Stale, "unused"))(w)
	if _, _, err := l.View(ctx, p, "release", ""); err != nil {
		t.Error("a stale skill is out of use")
	}
	must(u.Record(ctx, ref, skill.Use{Task: "a", Number: 1, Success: true}))(w)
	if s := must(u.Skill(ctx, ref))(w); s.State != skill.Active {
		t.Errorf("after a use it is %q", s.State)
	}
	must(l.Pin(ctx, p, ref, true))(w)
	for _, to := range []skill.State{skill.Archived, skill.Deprecated} {
		_, err = u.Retire(ctx, ref, to, "of a pinned one")
		w.refuses(err, skill.ErrProtected)
	}
	must(l.Pin(ctx, p, ref, false))(w)
	must(u.Retire(ctx, ref, skill.Deprecated, "its tool is gone"))(w)
	for _, to := range []skill.State{skill.Active, skill.Proposed, skill.Stale} {
		if _, err := u.Retire(ctx, ref, to, ""); err == nil {
			t.Errorf("upkeep brought it back as %q", to)
		}
	}
	var scopes []skill.Scope
	err = u.Scopes(ctx, func(s skill.Scope) error { scopes = append(scopes, s); return nil })
	if err != nil || len(scopes) != 1 || scopes[0] != scope {
		t.Errorf("%v, %v", scopes, err)
	}
}

func TestProven(t *testing.T) {
	for _, c := range []struct {
		good, bad int
		want      float64
	}{ // quantiles of the beta distribution, by closed forms and tables
		{0, 0, 0.05},
		{1, 0, math.Sqrt(0.05)},
		{9, 0, math.Pow(0.05, 0.1)},
		{0, 1, 1 - math.Sqrt(0.95)},
		{1, 1, 0.135350},
		{8, 2, 0.529914},
	} {
		if got := (skill.Counts{Successes: c.good, Failures: c.bad}).Proven(); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("%d of %d: %.6f, want %.6f", c.good, c.good+c.bad, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := skill.Counts{Successes: rapid.IntRange(0, 2000).Draw(t, "good"), Failures: rapid.IntRange(0, 2000).Draw(t, "bad")}
		low, mean := c.Proven(), float64(c.Successes+1)/float64(c.Successes+c.Failures+2)
		better := c
		better.Successes++
		if !(low >= 0 && low < mean && better.Proven() > low) {
			t.Fatalf("%+v: %v, mean %v, with one more %v", c, low, mean, better.Proven())
		}
	})
}
