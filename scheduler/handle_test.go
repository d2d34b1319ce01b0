package scheduler_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/scheduler"
	"talaria/scheduler/when"
)

func TestRefusals(t *testing.T) {
	guest := somebody("gus")
	guest.Role = person.Guest
	now := time.Now()
	daily := cron("UTC", "0 9 * * *")
	tests := []struct {
		name  string
		who   person.Principal
		order scheduler.Order
		want  error
	}{
		{"a guest", guest, scheduler.Order{Say: "x", Schedule: daily}, scheduler.ErrNoRight},
		{"a place without rights", in(somebody("ann"), "closed"), scheduler.Order{Say: "x", Schedule: daily}, scheduler.ErrNoRight},
		{"another place without rights", somebody("ann"), scheduler.Order{Say: "x", Schedule: daily,
			Targets: []scheduler.Target{{Place: chat.Address{Platform: "test", Chat: "closed"}}}}, scheduler.ErrNoRight},
		{"words from outside", somebody("ann"), scheduler.Order{Say: "x", Schedule: daily, Origin: chat.External}, scheduler.ErrExternal},
		{"nothing to do", somebody("ann"), scheduler.Order{Say: "  ", Schedule: daily}, scheduler.ErrNoWords},
		{"silence", somebody("ann"), scheduler.Order{Say: " [SILENT] ", Schedule: daily}, scheduler.ErrNoWords},
		{"a command", somebody("ann"), scheduler.Order{Prompt: "/forget me", Schedule: daily}, scheduler.ErrCommand},
		{"too much to do", somebody("ann"), scheduler.Order{Prompt: strings.Repeat("x", 9000), Schedule: daily}, scheduler.ErrTooLong},
		{"too often", somebody("ann"), scheduler.Order{Say: "x", Schedule: every(time.Minute, now)}, scheduler.ErrTooOften},
		{"too often at times", somebody("ann"), scheduler.Order{Say: "x", Schedule: cron("UTC", "0,2 9 * * *")}, scheduler.ErrTooOften},
		{"past", somebody("ann"), scheduler.Order{Say: "x", Schedule: when.Schedule{Kind: when.Once, Zone: "UTC", At: now.Add(-time.Hour)}}, scheduler.ErrNever},
		{"a damaged schedule", somebody("ann"), scheduler.Order{Say: "x"}, scheduler.ErrNever},
	}
	w := memory(t)
	w.nobody["closed"] = true
	s := w.replica("a")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := s.For(tt.who).Add(t.Context(), tt.order)
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if scheduler.Refusal(scheduler.English, err) == "" {
				t.Errorf("%v is no answer to a person", err)
			}
		})
	}
	if all, err := s.All(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("%d jobs were made, %v", len(all), err)
	}
}

func TestAPersonHasSoManyJobsAtMost(t *testing.T) {
	w := memory(t)
	s := w.replica("a")
	h := s.For(somebody("ann"))
	var first scheduler.Job
	for n := range 50 {
		j, err := h.Add(t.Context(), scheduler.Order{Key: fmt.Sprint(n), Say: "x", Schedule: cron("UTC", "0 9 * * *")})
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			first = j
		}
	}
	more := scheduler.Order{Key: "more", Say: "x", Schedule: cron("UTC", "0 9 * * *")}
	if _, err := h.Add(t.Context(), more); !errors.Is(err, scheduler.ErrTooMany) {
		t.Fatalf("the 51st job: %v", err)
	}
	if _, err := h.Delete(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Add(t.Context(), more); err != nil {
		t.Errorf("after one was deleted: %v", err)
	}
	if _, err := s.For(somebody("bob")).Add(t.Context(), more); err != nil {
		t.Errorf("another person's first job: %v", err)
	}
}

func TestTheSameRequestMakesOneJob(t *testing.T) {
	w := memory(t)
	h := w.replica("a").For(somebody("ann"))
	o := scheduler.Order{Key: "turn-1/call-2", Say: "x", Schedule: cron("UTC", "0 9 * * *")}
	a, errA := h.Add(t.Context(), o)
	b, errB := h.Add(t.Context(), o)
	if errA != nil || errB != nil || a.ID != b.ID {
		t.Errorf("jobs %q and %q, %v %v", a.ID, b.ID, errA, errB)
	}
	if list, err := h.List(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%d jobs, %v", len(list), err)
	}
}

func TestNobodyReachesAnothersJob(t *testing.T) {
	w := memory(t)
	s := w.replica("a")
	j := w.add(s, somebody("ann"), scheduler.Order{Schedule: cron("UTC", "0 9 * * *")})
	bob := s.For(somebody("bob"))
	_, get := bob.Get(t.Context(), j.ID)
	_, pause := bob.Pause(t.Context(), j.ID)
	_, run := bob.RunNow(t.Context(), j.ID)
	_, remove := bob.Delete(t.Context(), j.ID)
	_, edit := bob.Edit(t.Context(), j.ID, scheduler.Change{Say: "mine"})
	for what, err := range map[string]error{"get": get, "pause": pause, "run": run, "delete": remove, "edit": edit} {
		if !errors.Is(err, scheduler.ErrNoJob) {
			t.Errorf("%s: %v", what, err)
		}
	}
	// What is private is not shown where others read along, even to its owner.
	if list, err := s.For(in(somebody("ann"), "channel")).List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%d private jobs are shown in a channel, %v", len(list), err)
	}
}

func TestJobsMoveWithLinkedAccountsAndBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		s := w.replica("a")
		ann, bob := somebody("ann"), somebody("bob")
		hers := w.add(s, ann, scheduler.Order{Say: "hers", Schedule: every(time.Hour, time.Now())})
		w.add(s, bob, scheduler.Order{Say: "his", Schedule: every(time.Hour, time.Now())})
		count := func(who person.Principal) int {
			t.Helper()
			list, err := s.For(who).List(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return len(list)
		}
		for range 2 { // a repeated call comes to the same
			if err := s.Move(t.Context(), "l1", ann.Person, bob.Person); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := count(ann), count(bob); a != 0 || b != 2 {
			t.Errorf("linked: %d and %d jobs", a, b)
		}
		steps(t, s, time.Hour, time.Hour)
		if len(w.slots(hers.ID)) != 1 {
			t.Error("a job that moved did not fire")
		}
		for range 2 {
			if err := s.Return(t.Context(), "l1", bob.Person, ann.Person, []chat.Identity{ann.Identity}, true); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := count(ann), count(bob); a != 1 || b != 1 {
			t.Errorf("unlinked: %d and %d jobs", a, b)
		}
		if err := s.Erase(t.Context(), person.Subject{People: []person.ID{ann.Person}}); err != nil {
			t.Fatal(err)
		}
		if a, b := count(ann), count(bob); a != 0 || b != 1 {
			t.Errorf("erased: %d and %d jobs", a, b)
		}
		steps(t, s, 2*time.Hour, time.Hour)
		if len(w.slots(hers.ID)) != 1 {
			t.Error("an erased job fired")
		}
	})
}

func TestAJobFollowsItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		s := w.replica("a")
		who := in(somebody("ann"), "old")
		w.add(s, who, scheduler.Order{Schedule: every(time.Hour, time.Now())})
		to := who.Place
		to.Chat = "new"
		if err := s.Migrated(t.Context(), chat.Migration{From: who.Place, To: to}); err != nil {
			t.Fatal(err)
		}
		steps(t, s, time.Hour, time.Hour)
		if e := w.events(); len(e) != 1 || e[0].Address != to {
			t.Errorf("events %v", e)
		}
	})
}

func TestStandingJobsFollowTheConfiguration(t *testing.T) {
	w := memory(t)
	s := w.replica("a")
	stand := func(says ...string) {
		t.Helper()
		var orders []scheduler.Standing
		for _, say := range says {
			orders = append(orders, scheduler.Standing{Name: "job", Owner: somebody("ann"), Order: scheduler.Order{
				Say: say, Schedule: cron("UTC", "0 9 * * *"), Targets: []scheduler.Target{{}},
			}})
		}
		if err := s.Stand(t.Context(), orders); err != nil {
			t.Fatal(err)
		}
		all, err := s.All(t.Context())
		if err != nil || len(all) != len(says) {
			t.Fatalf("%d jobs for %d entries, %v", len(all), len(says), err)
		}
		for n, say := range says {
			if all[n].Say != say {
				t.Errorf("job says %q, want %q", all[n].Say, say)
			}
		}
	}
	stand("one")
	stand("one") // a restart
	stand("two")
	stand()
}

func TestRulesAreReadAndSaid(t *testing.T) {
	rules := scheduler.Defaults(false)
	for name, value := range map[string]string{
		"overlap": "queue", "catch-up": "all", "window": "2h", "jitter": "30s", "quiet": "22:00-07:00",
		"limit": "3", "until": "2027-03-31", "tools": "time, fetch",
	} {
		if err := rules.Set(name, value); err != nil {
			t.Errorf("%s %s: %v", name, value, err)
		}
	}
	want := "overlap: queue; catch-up: all; jitter: up to 30s; quiet: 22:00-07:00; at most 3 runs; until 2027-03-31; tools: time, fetch"
	if got := rules.Text(scheduler.English); got != want {
		t.Errorf("rules %q, want %q", got, want)
	}
	for _, bad := range [][2]string{
		{"overlap", "maybe"}, {"catch-up", ""}, {"window", "-1h"}, {"jitter", "2h"}, {"quiet", "22-7"}, {"limit", "0"}, {"until", "soon"}, {"color", "red"},
	} {
		if err := rules.Set(bad[0], bad[1]); err == nil || scheduler.Refusal(scheduler.English, err) == "" {
			t.Errorf("%s %q was taken: %v", bad[0], bad[1], err)
		}
	}
	for _, name := range []string{"jitter", "quiet", "limit", "until", "tools"} {
		if err := rules.Set(name, "none"); err != nil {
			t.Errorf("%s none: %v", name, err)
		}
	}
	if got := rules.Text(scheduler.English); got != "overlap: queue; catch-up: all" {
		t.Errorf("rules after none: %q", got)
	}
}

func TestAskingForRunsInAFloodMakesOneAtATime(t *testing.T) {
	w := memory(t)
	s := w.replica("a")
	ann := s.For(somebody("ann"))
	j, err := ann.Add(t.Context(), scheduler.Order{Key: "k", Prompt: "look", Schedule: cron("UTC", "0 9 * * *")})
	if err != nil {
		t.Fatal(err)
	}
	runs := func() int {
		for range 5 {
			if _, err := ann.RunNow(t.Context(), j.ID); err != nil && !errors.Is(err, scheduler.ErrRunning) {
				t.Fatal(err)
			}
		}
		if err := s.Round(t.Context()); err != nil {
			t.Fatal(err)
		}
		return len(w.events())
	}
	if n := runs(); n != 1 {
		t.Fatalf("asked for at once, it ran %d times", n)
	}
	key := w.events()[0].Key()
	w.outcomes[key] = scheduler.Outcome{}
	if n := runs(); n != 1 {
		t.Errorf("while it was under way, it ran %d times", n)
	}
	w.outcomes[key] = scheduler.Outcome{Over: true}
	if n := runs(); n != 2 {
		t.Errorf("once that was over, it had run %d times", n)
	}
}
