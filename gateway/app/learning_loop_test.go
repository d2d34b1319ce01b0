package app_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/core/skill"
	"talaria/core/trace"
	"talaria/storage"
)

// calls are the tool calls of the tasks that began with a request that holds a
// text, by platform, the first task first.
func (p *program) calls(t *testing.T, part string) map[string][]int {
	t.Helper()
	var tasks []trace.Task
	p.then(t, 0, func(s *storage.Store) {
		for n := range storage.Shards {
			err := trace.Each(t.Context(), s, storage.Shard(n), func(task trace.Task) error {
				if strings.Contains(task.Request, part) {
					tasks = append(tasks, task)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	slices.SortFunc(tasks, func(a, b trace.Task) int { return a.Turns[0].Began.Compare(b.Turns[0].Began) })
	calls := map[string][]int{}
	for _, task := range tasks {
		calls[task.Place.Platform] = append(calls[task.Place.Platform], task.Calls)
	}
	return calls
}

// used has each person's skill of a name used some more in its revision in
// force, with these outcomes: "+" for one that helped, "-" for one that did not.
func (p *program) used(t *testing.T, later time.Duration, name, outcomes string) {
	t.Helper()
	p.then(t, later, func(s *storage.Store) {
		upkeep := skill.New(s, nil, skill.Config{}, slog.New(slog.DiscardHandler)).Upkeep()
		err := upkeep.Scopes(t.Context(), func(scope skill.Scope) error {
			now, err := upkeep.Skill(t.Context(), skill.Ref{Scope: scope, Name: name})
			for n, o := range outcomes {
				if err != nil {
					return err
				}
				u := skill.Use{Task: fmt.Sprintf("%d-%d", now.InForce, n), Number: now.InForce, Success: o == '+'}
				_, err = upkeep.Record(t.Context(), now.Ref, u)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// counted waits until the uses of a revision of somebody's skill were counted.
func (p *program) counted(l *loop, name string, revision int, want skill.Counts) {
	l.Helper()
	p.then(l.T, 0, func(s *storage.Store) {
		upkeep := skill.New(s, nil, skill.Config{}, slog.New(slog.DiscardHandler)).Upkeep()
		deadline := time.After(3 * time.Minute)
		for {
			var have skill.Counts
			err := upkeep.Scopes(l.Context(), func(scope skill.Scope) error {
				ref := skill.Ref{Scope: scope, Name: name}
				uses, err := upkeep.Uses(l.Context(), ref, 1)
				if err != nil || len(uses) == 0 || !strings.HasPrefix(uses[0].Place, l.platform+"/") {
					return err // somebody else's
				}
				st, err := upkeep.Stats(l.Context(), ref)
				have = st.Revisions[revision]
				return err
			})
			if err != nil {
				l.Fatal(err)
			}
			if have == want {
				return
			}
			select {
			case <-deadline:
				l.Fatalf("revision %d of %s was used %+v, want %+v", revision, name, have, want)
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
}

// TestTheLoopOnEveryPlatform: a task of eight steps with an error and a recovery
// becomes a skill by a button; the next day the same request in other words
// takes fewer; a correction with its reason becomes a seventh step of the skill,
// by itself and undoable. A week later the night makes a better revision of it
// from a use that failed; that one does worse and is rolled back by itself, and
// the digest of the week comes with its buttons.
func TestTheLoopOnEveryPlatform(t *testing.T) {
	const day, name = 24 * time.Hour, "list-files-read-save"
	p := newProgram(t, privates)
	p.day(t, "day 1", 0, func(l *loop) {
		l.asks("write a file called plan.md with: oolong on Monday", "is written")
		l.orders("new", "fresh start")
		l.asks("list the files, then read plan.txt, then save it to copy-a.md, then read copy-a.md, then tell me the time in Berlin and Tokyo", "Tokyo")
		l.asks("remember how this is done", "New skill: .{0,4}"+name)
		l.presses("New skill", "Approve", "Approved by [^:]*: .{0,4}"+name)
		l.orders("skills list", name)
	})
	p.environ = append(p.environ, "TALARIA_LEARNING_REFLECTION_TRIGGER=after_correction_only") // the rest is left to the nights
	p.day(t, "day 2", day, func(l *loop) {
		l.orders("new", "fresh start")
		l.asks("please list our files, read plan.txt and save it to copy-b.md, then read copy-b.md, and tell me the time in Berlin and Tokyo",
			"followed the skill.*oolong.*Berlin.*Tokyo")
		l.asks("no, tell me the time in Oslo too, because the customer is in Oslo", "I changed the skill .{0,4}"+name)
		l.orders("new", "fresh start")
		l.asks("please list our files, read plan.txt and save it to copy-c.md, then read copy-c.md, and tell me the time in Berlin and Tokyo",
			"followed the skill.*Oslo")
		l.orders("reflect quick", "Review of.*please list our files") // which observes what was not yet
		l.orders("reflect list", "acted")
		l.orders("skills history "+name, "2")
		l.orders("new", "fresh start")
		l.asks("please list our files, read copy-c.txt and save it to copy-d.md, then read copy-d.md, and tell me the time in Berlin and Tokyo",
			"followed the skill.*Oslo")
		l.asks("now read copy-c.txt", "oolong")
		l.dislike(l.hears("oolong"))
		p.counted(l, name, 2, skill.Counts{Successes: 1, Failures: 1})
	})
	for platform, got := range p.calls(t, "plan.txt") {
		if len(got) != 3 || got[0] != 8 || got[1] != 6 && got[1] != 7 || got[2] != 7 {
			t.Errorf("%s: tool calls of the three tasks: %v", platform, got)
		}
	}
	p.used(t, 3*day, name, "+++")
	p.day(t, "day 8", 7*day, func(l *loop) {
		l.hears("Looked after what I learned|For you to decide")
		l.orders("skills history "+name, "3, .*in force.*uses of it failed.*2, ")
		l.orders("skills show "+name, "fails with .*copy-c.txt.*what works: .*copy-c.md")
	})
	p.used(t, 9*day, name, "--------")
	p.day(t, "day 15", 14*day, func(l *loop) {
		l.hears("rolled back.*" + name)
		l.presses("How the skills did.*"+name, "Keep list-files-read…", "stays as it is")
		l.orders("skills history "+name, "3, .*rolled back.*2, .*in force")
		l.orders("reflect list", "acted.*I changed the skill .{0,4}"+name)
		l.orders("journey", name)
	})
}
