package scheduler_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/scheduler"
	"talaria/scheduler/when"
)

// run lets a replica fire what is due for a while.
func run(t *testing.T, s *scheduler.Scheduler, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() { defer close(over); s.Run(ctx) }()
	time.Sleep(d)
	cancel()
	<-over
}

// steps looks at the timers once in a while, without the loop.
func steps(t *testing.T, s *scheduler.Scheduler, d, step time.Duration) {
	t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(step)
		if err := s.Round(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestASlotBecomesAnEventOfItsOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		s := w.replica("a")
		who := somebody("ann")
		j := w.add(s, who, scheduler.Order{Prompt: "sum up", Schedule: every(time.Hour, time.Now())})
		begin := time.Now().UTC()
		run(t, s, 150*time.Minute)
		want := []time.Time{begin.Add(time.Hour), begin.Add(2 * time.Hour)}
		if diff := cmp.Diff(want, w.slots(j.ID)); diff != "" {
			t.Errorf("slots (-want +got):\n%s", diff)
		}
		e := w.events()[0]
		ticket, ok := scheduler.TicketOf(e)
		if !ok || e.Kind != chat.Tick || e.Text != "sum up" || e.Address != who.Place || !e.Direct || e.Author.Identity != who.Identity {
			t.Errorf("event %+v", e)
		}
		if ticket.Say || ticket.Note != "" || ticket.Job != j.ID {
			t.Errorf("ticket %+v", ticket)
		}
	})
}

func TestMissedSlotsAreCaughtUpWith(t *testing.T) {
	tests := []struct {
		name    string
		rules   func(*scheduler.Rules)
		runs    int
		skipped int
		late    bool
	}{
		{"once", func(*scheduler.Rules) {}, 1, 4, true},
		{"skip", func(r *scheduler.Rules) { r.CatchUp = scheduler.CatchUpSkip }, 0, 5, false},
		{"all", func(r *scheduler.Rules) { r.CatchUp = scheduler.CatchUpAll }, 5, 0, true},
		{"all within two hours", func(r *scheduler.Rules) { r.CatchUp, r.Window = scheduler.CatchUpAll, 2*time.Hour }, 2, 3, true},
		{"once, all too old", func(r *scheduler.Rules) { r.Window = 10 * time.Minute }, 0, 5, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := memory(t)
				s := w.replica("a")
				rules := scheduler.Defaults(false)
				tt.rules(&rules)
				j := w.add(s, somebody("ann"), scheduler.Order{Schedule: every(time.Hour, time.Now()), Rules: rules})
				time.Sleep(5*time.Hour + 30*time.Minute) // nobody runs
				if err := s.Round(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := len(w.slots(j.ID)); got != tt.runs {
					t.Errorf("%d runs, want %d", got, tt.runs)
				}
				j, err := s.Get(t.Context(), j.ID)
				if err != nil {
					t.Fatal(err)
				}
				skipped := 0
				for _, r := range j.History {
					if r.State == scheduler.Skipped {
						skipped += r.Count
					}
				}
				if skipped != tt.skipped {
					t.Errorf("%d slots noted as skipped, want %d", skipped, tt.skipped)
				}
				for _, e := range w.events() {
					ticket, _ := scheduler.TicketOf(e)
					if late := strings.Contains(ticket.Note, "late"); late != tt.late {
						t.Errorf("note %q", ticket.Note)
					}
				}
			})
		})
	}
}

func TestAReminderForOneMomentComesOnceAndIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		s := w.replica("a")
		once := when.Schedule{Kind: when.Once, Zone: "UTC", At: time.Now().Add(time.Minute)}
		j := w.add(s, somebody("ann"), scheduler.Order{Schedule: once})
		run(t, s, time.Hour)
		run(t, w.replica("b"), time.Hour)
		if n := len(w.slots(j.ID)); n != 1 {
			t.Errorf("fired %d times", n)
		}
		if j, _ := s.Get(t.Context(), j.ID); !j.Over || j.History[0].State != scheduler.Done || j.History[0].Stops[0].Output != "done" {
			t.Errorf("job %+v", j)
		}
		time.Sleep(31 * 24 * time.Hour)
		if all, err := s.All(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("%d jobs are kept, %v", len(all), err)
		}
	})
}

func TestOneBadJobLeavesTheOthersAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		s := w.replica("a")
		bad := w.add(s, somebody("ann"), scheduler.Order{Prompt: "boom", Schedule: every(time.Hour, time.Now())})
		good := w.add(s, somebody("ann"), scheduler.Order{Schedule: every(time.Hour, time.Now())})
		broken := 0
		w.crash = func() error {
			if broken++; broken == 1 {
				panic("a fault of its own")
			}
			return nil
		}
		run(t, s, 4*time.Hour+time.Minute)
		if a, b := len(w.slots(bad.ID)), len(w.slots(good.ID)); a+b < 7 {
			t.Errorf("fired %d and %d times", a, b)
		}
	})
}

func TestOverlapIsSkippedUnlessAskedForOtherwise(t *testing.T) {
	for _, o := range []scheduler.Overlap{scheduler.OverlapSkip, scheduler.OverlapQueue, scheduler.OverlapCancel} {
		t.Run(string(o), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := memory(t)
				s := w.replica("a")
				rules := scheduler.Defaults(false)
				rules.Overlap = o
				j := w.add(s, somebody("ann"), scheduler.Order{Prompt: "long work", Schedule: every(10*time.Minute, time.Now()), Rules: rules})
				time.Sleep(10 * time.Minute)
				if err := s.Round(t.Context()); err != nil {
					t.Fatal(err)
				}
				first := w.events()[0]
				w.outcomes[first.Key()] = scheduler.Outcome{} // under way
				time.Sleep(10 * time.Minute)
				if err := s.Round(t.Context()); err != nil {
					t.Fatal(err)
				}
				want := 2
				if o == scheduler.OverlapSkip {
					want = 1
				}
				events := w.events()
				if len(events) != want {
					t.Fatalf("%d runs, want %d", len(events), want)
				}
				if ticket, _ := scheduler.TicketOf(events[len(events)-1]); ticket.Cancel != (o == scheduler.OverlapCancel) {
					t.Errorf("ticket %+v", ticket)
				}
				delete(w.outcomes, first.Key()) // over
				time.Sleep(10 * time.Minute)
				if err := s.Round(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := len(w.slots(j.ID)); got != want+1 {
					t.Errorf("%d runs once the first was over, want %d", got, want+1)
				}
			})
		})
	}
}

func TestARefusedPlaceIsMadeUpForOnceAndTheJobPaused(t *testing.T) {
	for name, refusal := range map[string]scheduler.Outcome{
		"gone":        {Over: true, State: "failed", Error: "send: gone", Gone: true, Output: "the digest"},
		"not allowed": {Over: true, State: "failed", Error: "send: not allowed", Refused: true, Output: "the digest"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := memory(t)
				s := w.replica("a")
				j := w.add(s, in(somebody("ann"), "channel"), scheduler.Order{Schedule: every(time.Hour, time.Now())})
				time.Sleep(time.Hour)
				if err := s.Round(t.Context()); err != nil {
					t.Fatal(err)
				}
				e := w.events()[0]
				if e.Address.Chat != "channel" {
					t.Fatalf("went to %s", e.Address)
				}
				w.outcomes[e.Key()] = refusal
				run(t, s, 5*time.Hour)
				text := w.told["undelivered:"+e.Key()]
				if !strings.HasPrefix(text, "dm-ann: ") || !strings.Contains(text, "the digest") || !strings.Contains(text, "/jobs set "+j.ID+" to dm") {
					t.Errorf("told %q", w.told)
				}
				if got, _ := s.Get(t.Context(), j.ID); len(w.slots(j.ID)) != 1 || len(w.told) != 1 || !got.Paused || got.Why == "" {
					t.Errorf("%d runs, %d told, paused %v: %s", len(w.slots(j.ID)), len(w.told), got.Paused, got.Why)
				}
				d, err := s.Desk(t.Context(), somebody("ann"))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := d.Set(t.Context(), j.ID, "to", "dm"); err != nil {
					t.Fatal(err)
				}
				run(t, s, 61*time.Minute)
				if last := w.events()[len(w.events())-1]; len(w.slots(j.ID)) != 2 || last.Address.Chat != "dm-ann" {
					t.Errorf("%d runs, the last at %s", len(w.slots(j.ID)), last.Address)
				}
			})
		})
	}
}

func TestAPlaceThatTheBotIsOutOfIsMadeUpForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		s := w.replica("a")
		ann := in(somebody("ann"), "channel")
		one := w.add(s, ann, scheduler.Order{Say: "one", Schedule: every(time.Hour, time.Now())})
		two := w.add(s, ann, scheduler.Order{Say: "two", Schedule: every(time.Hour, time.Now()), Targets: []scheduler.Target{{Place: ann.Place}, {}}})
		away := func(back bool) {
			if err := s.Away(t.Context(), ann.Place, back); err != nil {
				t.Fatal(err)
			}
		}
		away(false)
		away(true)
		run(t, s, 61*time.Minute)
		away(false)
		run(t, s, 5*time.Hour)
		at, notes := map[string][]string{}, map[string]int{}
		for _, e := range w.events() {
			ticket, _ := scheduler.TicketOf(e)
			at[e.Text] = append(at[e.Text], e.Address.Chat)
			if ticket.Note != "" {
				notes[e.Text]++
			}
		}
		want := map[string][]string{
			"one": {"channel", "dm-ann"}, "two": {"channel", "dm-ann", "dm-ann", "dm-ann", "dm-ann", "dm-ann", "dm-ann"},
		}
		for _, chats := range at {
			slices.Sort(chats)
		}
		if diff := cmp.Diff(want, at); diff != "" || notes["one"] != 1 || notes["two"] != 1 {
			t.Errorf("notes %v, places %s", notes, diff)
		}
		if j, _ := s.Get(t.Context(), one.ID); !j.Paused {
			t.Error("a job without a place is not paused")
		}
		if j, _ := s.Get(t.Context(), two.ID); j.Paused {
			t.Error("a job with a place is paused")
		}
	})
}

func TestRightsAreThoseOfTheMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		s := w.replica("a")
		left := w.add(s, in(somebody("ann"), "channel"), scheduler.Order{Schedule: every(time.Hour, time.Now())})
		w.nobody["channel"] = true
		run(t, s, 3*time.Hour)
		if e := w.events()[0]; e.Address.Chat != "dm-ann" || len(w.events()) != 1 {
			t.Errorf("a member who left had it said in %s, %d times", e.Address, len(w.events()))
		}
		if _, err := s.Resume(t.Context(), left.ID); err != nil {
			t.Fatal(err)
		}
		w.nobody["dm-ann"] = true
		run(t, s, 3*time.Hour)
		if got := len(w.slots(left.ID)); got != 1 {
			t.Errorf("%d runs for somebody without rights", got)
		}
		if j, _ := s.Get(t.Context(), left.ID); !j.Paused || j.Why == "" || len(w.told) != 1 {
			t.Errorf("paused %v %q, told %v", j.Paused, j.Why, w.told)
		}
	})
}

func TestQuietHoursPutSlotsOffToTheirEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		s := w.replica("a")
		rules := scheduler.Defaults(false)
		if err := rules.Set("quiet", "22:00-07:00"); err != nil {
			t.Fatal(err)
		}
		w.add(s, somebody("ann"), scheduler.Order{Schedule: cron("UTC", "0 23 * * *"), Rules: rules})
		var at []time.Time
		w.crash = func() error { at = append(at, time.Now().UTC()); return nil }
		steps(t, s, 60*time.Hour, 10*time.Minute)
		if len(at) != 2 || at[0].Hour() != 7 || at[0].Minute() != 0 {
			t.Errorf("fired at %v", at)
		}
		if ticket, _ := scheduler.TicketOf(w.events()[0]); ticket.Note != "" {
			t.Errorf("a slot that waited for quiet hours is called late: %q", ticket.Note)
		}
	})
}

func TestLimitsOfRunsAndTimeEndAJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		s := w.replica("a")
		rules := scheduler.Defaults(false)
		rules.Limit = 3
		three := w.add(s, somebody("ann"), scheduler.Order{Say: "three", Schedule: every(time.Hour, time.Now()), Rules: rules})
		rules = scheduler.Defaults(false)
		rules.Until = time.Now().Add(2*time.Hour + time.Minute)
		two := w.add(s, somebody("ann"), scheduler.Order{Say: "two", Schedule: every(time.Hour, time.Now()), Rules: rules})
		steps(t, s, 12*time.Hour, 10*time.Minute)
		if a, b := len(w.slots(three.ID)), len(w.slots(two.ID)); a != 3 || b != 2 {
			t.Errorf("fired %d and %d times, want 3 and 2", a, b)
		}
	})
}
