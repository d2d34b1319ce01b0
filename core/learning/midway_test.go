package learning_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/observe"
	"talaria/core/trace"
)

// told has a recorder run for a moment of the bubble, and returns what was told
// for a cause so far.
func (w *world) told(c learning.Cause) []learning.Notice {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	over := make(chan struct{})
	w.recorder = learning.New(w.config()) // as after another start
	go func() { defer close(over); w.recorder.Run(ctx) }()
	time.Sleep(time.Second)
	stop()
	<-over
	return slices.DeleteFunc(slices.Clone(w.listener.told), func(n learning.Notice) bool { return n.Cause != c })
}

func TestEveryTenthTurnOfSomebodyIsToldOfAcrossRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for n := range 19 {
			w.says(fmt.Sprint("task number ", n))
			if n != 6 && n != 9 {
				continue
			}
			if got := len(w.told(learning.Tenth)); got != (n+1)/10 {
				t.Errorf("told %d times after %d turns", got, n+1)
			}
		}
		w.says("by bob", func(r *trace.RawTurn) { r.Who, r.Identity.ID = "bob", "bob" })
		w.says("by a job", func(r *trace.RawTurn) { r.Scheduled = true })
		if got := len(w.told(learning.Tenth)); got != 1 {
			t.Errorf("told %d times after 19 turns of ann, one of bob and one of a job", got)
		}
		w.says("the twentieth")
		if got := w.told(learning.Tenth); len(got) != 2 || got[1].Person != "ann" {
			t.Errorf("told of %+v", got)
		}
	})
}

func TestALongTurnIsToldOfWhileItIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { longTurn(t, newWorld(t)) })
}

func longTurn(t *testing.T, w *world) {
	w.handOver(trace.Raw{Session: w.session, Place: room, At: w.clock, Midway: true, Turn: &trace.RawTurn{
		ID: "t", Who: "ann", Identity: chat.Identity{Platform: "test", ID: "ann"}, Direct: true, Began: w.clock, Asked: "count the sheep",
		Steps: []trace.Step{{Kind: trace.ToolCall, Tool: "look", Call: "1", Text: "the house key is under the mat"}},
	}})
	if tasks := w.tasks(); len(tasks) != 0 {
		t.Errorf("kept: %+v", tasks)
	}
	got := w.told(learning.Midway)
	if len(got) != 1 {
		t.Fatalf("told of %+v", got)
	}
	if so := got[0].So; so == nil || so.Task.Request != "count the sheep" || so.Observed.Success || so.Observed.Gate.Pass {
		t.Fatalf("told of %+v", got[0])
	}
	if strings.Contains(got[0].So.Task.Steps[0].Text, "under the mat") {
		t.Error("a secret is told")
	}
	w.says("count the sheep", func(r *trace.RawTurn) { r.ID, r.Began = "t", w.clock })
	if tasks := w.tasks(); len(tasks) != 1 || tasks[0].ID != got[0].Task {
		t.Errorf("the finished turn is %+v", tasks)
	}
}

func TestFromTheThirdAlikeRequestOnItIsToldOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for n := range 4 {
			w.says(fmt.Sprint("report number ", n))
			w.says("report in short, please") // the same task: it is told of once
			w.anew()
			if got := len(w.told(learning.Third)); got != max(n-1, 0) {
				t.Errorf("told %d times after %d alike requests", got, n+1)
			}
		}
	})
}

func TestMeasuresOfARecorderAreThoseOfItsConfiguration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		c := w.config()
		c.Idle, c.Every, c.Gate.Steps = 10*time.Minute, 2, 1
		c.Repeats, c.Weights = 1, observe.Weights{Success: 0.3, LeastTools: 9, Rubric: 1}
		w.recorder = learning.New(c)
		w.says("report on sales", called("fetch"))
		w.clock = w.clock.Add(9 * time.Minute)
		w.says("report on costs")
		w.clock = w.clock.Add(11 * time.Minute)
		w.says("report on sales")
		tasks := w.tasks()
		if len(tasks) != 2 || len(tasks[0].Turns) != 2 {
			t.Fatalf("%d tasks", len(tasks))
		}
		if gate := w.observed(tasks[0]).Gate; !gate.Pass || !strings.Contains(gate.Reason, "1 steps") {
			t.Errorf("with one step the gate says %+v", gate)
		}
		if got := w.observed(tasks[0]).Value; got != 0.3 {
			t.Errorf("the learning value is %v", got)
		}
		for range 2 {
			w.anew()
			w.says("water the plants")
		}
		w.tasks()
		if got := len(w.told(learning.Third)); got != 1 {
			t.Errorf("told %d times of the second alike request", got)
		}
		if got := len(w.told(learning.Tenth)); got != 2 {
			t.Errorf("told %d times after five turns", got)
		}
	})
}
