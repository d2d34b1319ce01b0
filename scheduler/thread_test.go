package scheduler_test

import (
	"testing"
	"testing/synctest"
	"time"

	"talaria/scheduler"
)

// That a thread is gone is told with the run that found out, and later ones go
// to the place that it was in.
func TestAThreadThatIsGoneIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := memory(t)
		s := w.replica("a")
		who := in(somebody("ann"), "channel")
		who.Place.Thread = "17"
		j := w.add(s, who, scheduler.Order{Schedule: every(time.Hour, time.Now())})
		time.Sleep(time.Hour)
		if err := s.Round(t.Context()); err != nil {
			t.Fatal(err)
		}
		first := w.events()[0]
		if first.Address.Thread != "17" {
			t.Fatalf("went to %s", first.Address)
		}
		w.outcomes[first.Key()] = scheduler.Outcome{Over: true, State: "sent", Moved: true, Output: "the digest"}
		run(t, s, 90*time.Minute)
		if last := w.events()[len(w.events())-1]; len(w.slots(j.ID)) != 2 || last.Address != first.Address.Place() || len(w.told) > 0 {
			t.Errorf("%d runs, the last at %s; told %q", len(w.slots(j.ID)), last.Address, w.told)
		}
	})
}
