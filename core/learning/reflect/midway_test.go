package reflect_test

import (
	"strings"
	"testing"

	"talaria/core/learning"
	"talaria/core/trace"
)

func TestInTheMiddleOfATurnThereAreCardsAndNoSkills(t *testing.T) {
	m := drafting()
	w := newWorld(t, m)
	n := w.task("20260101T000000Z-1", reasoned)
	task, err := trace.Get(t.Context(), w.store, shard, n.Task)
	if err != nil {
		t.Fatal(err)
	}
	task.Value.Calls = 15
	o, err := learning.ObservationOf(t.Context(), w.store, shard, n.Task)
	if err != nil {
		t.Fatal(err)
	}
	o.Success = false
	n.Cause, n.So = learning.Midway, &learning.Midways{Task: task.Value, Observed: o}
	w.mustLook(n)
	w.mustLook(n)
	if len(w.skills()) != 0 || len(w.cards()) != 1 || m.calls() != 2 || strings.Contains(m.request(0).Prefix, "About skills") {
		t.Errorf("%d skills, %d cards, %d calls", len(w.skills()), len(w.cards()), m.calls())
	}
	if !contains(m.request(0).Prefix, `"candidates"`) {
		t.Errorf("it is not asked for candidates: %s", m.request(0).Prefix)
	}
	noted := w.reports()[0].Candidates
	if len(noted) != 1 || !strings.Contains(w.reports()[0].Markdown(), noted[0]) {
		t.Errorf("the draft that it may not write is noted as %q", noted)
	}
	n.Cause, n.So = learning.Over, nil
	w.mustLook(n)
	if m.calls() != 4 {
		t.Errorf("the finished turn was not looked at: %d calls", m.calls())
	}
	if last := m.request(2); !contains(last.Messages[0].Text, "noted_midway", noted[0]) || contains(last.Prefix, `"candidates"`) {
		t.Errorf("the review at the end is shown %s", last.Messages[0].Text)
	}
}
