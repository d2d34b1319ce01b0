package reflect_test

import (
	"context"
	"errors"
	"testing"

	"talaria/core/agent"
	"talaria/core/learning"
	"talaria/core/learning/reflect"
)

func TestPastTheDaysBudgetALookIsQuick(t *testing.T) {
	m := says(`{"rules":[]}`)
	w := newWorld(t, m, func(c *reflect.Config) { c.DailyTokens = 1500 })
	var depths []reflect.Depth
	for _, id := range []string{"20260101T000000Z-1", "20260101T000000Z-2", "20260101T000000Z-3"} {
		w.mustLook(w.task(id, passes))
	}
	for _, r := range w.reports() {
		depths = append(depths, r.Depth)
	}
	used, err := reflect.Budget{Store: w.store, Daily: 1500}.Used(t.Context(), room, "person:"+string(w.reports()[0].Person))
	if err != nil || used != 2000 {
		t.Errorf("booked %d tokens, %v", used, err)
	}
	if m.calls() != 2 || len(depths) != 3 || w.spent.Input+w.spent.Output != 2000 {
		t.Errorf("%d calls, depths %v, spent %+v", m.calls(), depths, w.spent)
	}
}

// TestWhatAFailedReviewUsedIsBooked: with its model's own count, and where the
// call was cut short with an estimate.
func TestWhatAFailedReviewUsedIsBooked(t *testing.T) {
	m := &model{say: func(_ context.Context, n int, _ agent.Request) ([]agent.Delta, error) {
		if n == 0 {
			return calls("memory", `{"action":"add","text":"Pots are warm."}`), nil
		}
		return nil, &agent.ModelError{Kind: agent.ModelInvalid, Err: errors.New("no more")}
	}}
	w := newWorld(t, m, func(c *reflect.Config) { c.DailyTokens = 1001 })
	w.mustLook(w.task("20260101T000000Z-1", passes))
	if rep := w.reports()[0]; rep.Outcome != reflect.Failed || rep.Tokens <= 1000 || w.spent.Input+w.spent.Output != rep.Tokens {
		t.Errorf("report %+v, spent %+v", rep, w.spent)
	}
	if len(w.cards()) != 0 {
		t.Error("what a failed review wanted was kept")
	}
	w.mustLook(w.task("20260101T000000Z-2", passes))
	if rep := w.reports(); len(rep) != 2 || rep[0].Depth != reflect.Quick && rep[1].Depth != reflect.Quick {
		t.Errorf("the day's budget does not know of it: %+v", rep)
	}
}

func TestAReviewKeepsToItsCalls(t *testing.T) {
	m := &model{say: func(_ context.Context, _ int, r agent.Request) ([]agent.Delta, error) {
		if len(r.Tools) == 0 {
			return answer(`{"rules":[]}`), nil
		}
		return calls("skills_search", `{"query":"tea"}`), nil
	}}
	w := newWorld(t, m, func(c *reflect.Config) { c.MaxIterations = 4 })
	n := w.task("20260101T000000Z-1", passes)
	n.Cause = learning.Over
	w.mustLook(n)
	if m.calls() > 5 {
		t.Errorf("%d calls", m.calls())
	}
}
