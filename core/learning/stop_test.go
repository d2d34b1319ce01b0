package learning_test

import (
	"errors"
	"testing"

	"talaria/core/learning"
	"talaria/core/person"
	"talaria/core/trace"
)

func TestWhereLearningIsSwitchedOffNothingIsRecordedOrTold(t *testing.T) {
	ann := person.Principal{Person: "ann", Role: person.Member, Place: room, Direct: true}
	w := newWorld(t)
	set := func(who person.Principal, on bool) {
		if err := learning.Switch(t.Context(), w.store, who, on); err != nil {
			t.Fatal(err)
		}
	}
	w.says("water the ferns in the hall")
	w.anew()
	if n := len(w.tasks()); n != 1 {
		t.Fatalf("%d tasks", n)
	}
	set(ann, false)
	if err := w.recorder.Tell(t.Context(), shard); err != nil || w.listener.causes() != "" {
		t.Errorf("told %q, %v", w.listener.causes(), err)
	}
	w.says("feed the cat")
	w.anew()
	if got := w.tasks(); len(got) != 1 || got[0].Request != "water the ferns in the hall" {
		t.Errorf("recorded %v", requests(got))
	}
	if waiting, err := trace.Waiting(t.Context(), w.store, at, 10); err != nil || len(waiting) > 0 {
		t.Errorf("%d hand-overs still wait, %v", len(waiting), err)
	}
	set(ann, true)
	w.says("sweep the floor")
	if got := w.tasks(); len(got) != 2 {
		t.Errorf("switched on again: recorded %v", requests(got))
	}
}

func TestAnAdminSwitchesLearningOffForAPlace(t *testing.T) {
	w := newWorld(t)
	ben := person.Principal{Person: "ben", Role: person.Member, Place: room}
	if err := learning.Switch(t.Context(), w.store, ben, false); !errors.Is(err, person.ErrForbidden) {
		t.Errorf("a member switched it off: %v", err)
	}
	ben.Role = person.Admin
	if err := learning.Switch(t.Context(), w.store, ben, false); err != nil {
		t.Fatal(err)
	}
	thread := room
	thread.Thread = "t1"
	if off, err := learning.Stopped(t.Context(), w.store, thread, "ann"); err != nil || !off {
		t.Errorf("in a thread of the place: %t, %v", off, err)
	}
	if off, err := learning.PersonStopped(t.Context(), w.store, "ben"); err != nil || off {
		t.Errorf("for the admin themselves, elsewhere: %t, %v", off, err)
	}
}
