package learning_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/learning"
	"talaria/core/learning/observe"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
	"talaria/storage/fault"
)

func requests(tasks []trace.Task) []string {
	var out []string
	for _, t := range tasks {
		out = append(out, t.Request+" ("+string(t.Start)+", "+string(t.Settled)+")")
	}
	return out
}

func TestTurnsBecomeTasks(t *testing.T) {
	w := newWorld(t)
	w.says("summarise the meeting")
	w.says("no, the other meeting")
	w.says("thanks, now book a room for Friday afternoon with Bob")
	w.anew()
	w.says("weather in Oslo")
	want := []string{"summarise the meeting (direct, request)", "thanks, now book a room for Friday afternoon with Bob (direct, new)", "weather in Oslo (direct, )"}
	tasks := w.tasks()
	if diff := cmp.Diff(want, requests(tasks)); diff != "" {
		t.Fatalf("tasks (-want +got):\n%s", diff)
	}
	if n := len(tasks[0].Turns); n != 2 {
		t.Errorf("the correction is in a task of its own: %d turns", n)
	}
	if tasks[0].Closing == "" {
		t.Error("the thanks that opened the next task are lost")
	}
	if waiting, err := trace.Waiting(t.Context(), w.store, at, 10); err != nil || len(waiting) > 0 {
		t.Errorf("%d hand-overs still wait, %v", len(waiting), err)
	}
}

func TestACascadingTaskNamesWhatItBuildsOn(t *testing.T) {
	w := newWorld(t)
	first := w.says("list open invoices")
	w.anew()
	w.says("draft reminders for the customers in question", func(r *trace.RawTurn) { r.ReplyTo = "answer to " + first })
	w.says("sweep the floors of the office tomorrow", func(r *trace.RawTurn) { r.Scheduled = true })
	tasks := w.tasks()
	if len(tasks) != 3 || tasks[1].Start != trace.Cascading || tasks[1].After != tasks[0].ID || tasks[2].Start != trace.Scheduled {
		t.Errorf("tasks %v", requests(tasks))
	}
}

func TestFailedAndStoppedTurnsLeaveTraces(t *testing.T) {
	w := newWorld(t)
	w.says("one thing", called("fetch"), func(r *trace.RawTurn) { r.Ending, r.Stopped = agent.Broken, true })
	w.anew()
	w.says("two things", called("!fetch"), func(r *trace.RawTurn) { r.Ending = agent.Broken })
	for n, why := range []string{"it was stopped", "no answer was delivered"} {
		task := w.tasks()[n]
		o := w.observed(task)
		if o.Success || o.Why != why || len(task.Steps) != 2 || o.Gate.Pass {
			t.Errorf("task %q: %d steps, success %t, why %q, gate %+v", task.Request, len(task.Steps), o.Success, o.Why, o.Gate)
		}
	}
}

func TestTheObservationOfASkillsUseStays(t *testing.T) {
	w := newWorld(t)
	w.says("one thing")
	w.anew()
	w.says("two things", func(r *trace.RawTurn) { r.Skills = []trace.Use{{Skill: "tea", Revision: 1}} })
	for n, stays := range []bool{false, true} {
		d, err := storage.Get[learning.Observed](t.Context(), w.store, at, "learning.observation", w.tasks()[n].ID)
		if err != nil || d.Expires.IsZero() != stays {
			t.Errorf("task %d: expires %v, %v", n, d.Expires, err)
		}
	}
}

func TestAnObservationIsProvisionalThenSettled(t *testing.T) {
	w := newWorld(t)
	w.says("summarise the meeting", called("fetch", "time", "memory"))
	o := w.observed(w.tasks()[0])
	if o.Settled || !o.Success || len(o.Feedback) > 0 {
		t.Errorf("provisionally %+v", o)
	}
	w.says("不对，因为我们团队都用上海时间")
	o = w.observed(w.tasks()[0])
	if o.Settled || !o.Success || !o.Corrected || o.Worth != 0.90 || !o.ProvenRight || !o.Gate.Pass {
		t.Errorf("after a correction %+v", o)
	}
	w.anew()
	o = w.observed(w.tasks()[0])
	last := o.Feedback[len(o.Feedback)-1]
	if !o.Settled || last.Sign != observe.Silence || last.Turn != 1 {
		t.Errorf("settled %+v", o)
	}
}

func TestLateReactionsChangeWhatIsSettled(t *testing.T) {
	w := newWorld(t)
	turn := w.says("summarise the meeting")
	w.anew()
	w.tasks()
	for _, c := range []struct {
		who, emoji string
		added      bool
		success    bool
	}{
		{"ann", "👎", true, false}, {"ann", "👎", false, true}, {"bob", "-1", true, true}, {"ann", "eyes", true, true}, {"ann", "+1", true, true},
	} {
		w.reacts(c.who, "answer to "+turn, c.emoji, c.added)
		o := w.observed(w.tasks()[0])
		if o.Success != c.success {
			t.Errorf("after %s from %s (added: %t) success is %t, why %q", c.emoji, c.who, c.added, o.Success, o.Why)
		}
	}
	w.reacts("ann", "some other message", "👎", true)
	if o := w.observed(w.tasks()[0]); !o.Success {
		t.Error("a reaction on another message counts")
	}
	ks, err := learning.Kinds(t.Context(), w.store, room, w.tasks()[0].Scope())
	if err != nil || len(ks) != 1 || len(ks[0].Points) != 1 || !ks[0].Points[0].Success {
		t.Errorf("kinds %+v, %v", ks, err)
	}
}

func TestAReactionToAnOpenTaskCounts(t *testing.T) {
	w := newWorld(t)
	turn := w.says("summarise the meeting")
	w.tasks()
	w.reacts("ann", "answer to "+turn, "thumbsdown", true)
	if o := w.observed(w.tasks()[0]); o.Success || o.Settled {
		t.Errorf("observed %+v", o.Observation)
	}
}

func TestTheThirdLikeCorrectionIsWorthMore(t *testing.T) {
	w := newWorld(t)
	for _, want := range []float64{0.60, 0.75, 0.90} {
		w.says("report on sales")
		w.says("stop using the old template")
		w.anew()
		tasks := w.tasks()
		if o := w.observed(tasks[len(tasks)-1]); o.Worth != want {
			t.Errorf("worth %v, want %v: %+v", o.Worth, want, o.Feedback)
		}
	}
}

func TestKindsKeepTheBestAndCountTheAlike(t *testing.T) {
	w := newWorld(t)
	for _, tools := range [][]string{{"a", "b", "c", "d"}, {"a", "b"}, {"a", "b", "c", "d"}} {
		w.says("report on sales", called(tools...))
		w.anew()
	}
	w.says("weather in Oslo")
	w.anew()
	tasks := w.tasks()
	var similar []int
	var efficiency []float64
	for _, task := range tasks {
		o := w.observed(task)
		similar, efficiency = append(similar, o.Similar), append(efficiency, o.Efficiency)
	}
	if diff := cmp.Diff([]int{0, 1, 2, 0}, similar); diff != "" {
		t.Errorf("similar (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{1, 1, 0.5, 1}, efficiency); diff != "" {
		t.Errorf("efficiency (-want +got):\n%s", diff)
	}
	ks, err := learning.Kinds(t.Context(), w.store, room, tasks[0].Scope())
	if err != nil || len(ks) != 2 || ks[0].Best.Task != tasks[1].ID || len(ks[0].Points) != 3 {
		t.Errorf("kinds %+v, %v", ks, err)
	}
	if o := w.observed(tasks[2]); !o.Gate.Pass || !strings.Contains(o.Gate.Reason, "alike") {
		t.Errorf("gate of the third alike task: %+v", o.Gate)
	}
}

func TestTheListenerIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() { defer close(over); w.recorder.Run(ctx) }()
		w.says("report on sales, and remember how to do this")
		w.recorder.Wake(shard)
		time.Sleep(time.Second)
		if got := w.listener.causes(); got != "remember" {
			t.Errorf("told %q at once, want remember", got)
		}
		time.Sleep(75 * time.Second)
		if got := w.listener.causes(); got != "remember quiet" {
			t.Errorf("told %q after a minute, want quiet beside", got)
		}
		time.Sleep(30 * time.Minute)
		if got := w.listener.causes(); got != "remember quiet over" {
			t.Errorf("told %q after half an hour, want over beside", got)
		}
		if last := w.listener.told[2]; last.Ended != trace.ByIdle || last.Person != "ann" || last.Place != room {
			t.Errorf("the last notice is %+v", last)
		}
		stop()
		<-over
	})
}

func TestANoticeIsToldUntilItIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.listener.refuse = true
		w.says("report on sales")
		w.anew()
		run := func() {
			ctx, stop := context.WithCancel(t.Context())
			over := make(chan struct{})
			go func() { defer close(over); w.recorder.Run(ctx) }()
			synctest.Wait()
			stop()
			<-over
		}
		run()
		w.listener.refuse = false
		w.recorder = learning.New(w.config()) // the process began anew
		run()
		run()
		if got := w.listener.causes(); got != "over over" {
			t.Errorf("told %q: once in vain and once taken", got)
		}
	})
}

func TestWhatACrashLeftIsTakenByTheNextStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.says("report on sales")
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() { defer close(over); w.recorder.Run(ctx) }()
		synctest.Wait()
		stop()
		<-over
		if n := w.waiting(); n != 0 {
			t.Errorf("%d turns wait, which nobody was woken for", n)
		}
	})
}

func TestALookThatTheEndCutsOffIsMadeUpFor(t *testing.T) {
	w, _ := newFaultyWorld(t) // whose store heeds the end
	w.says("report on sales")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c := w.config()
	c.Mine = func(n int) bool {
		if n == shard {
			stop()
		}
		return true
	}
	learning.New(c).Run(ctx)
	if n := w.waiting(); n != 0 {
		t.Errorf("%d turns wait, whose look was cut off", n)
	}
}

func TestTwoRecordersDoTheWorkOnce(t *testing.T) {
	w := newWorld(t)
	const turns = 12
	for range turns {
		w.says("report on sales", called("a"))
	}
	errs := make(chan error, 4)
	for range cap(errs) {
		r := learning.New(w.config())
		go func() {
			for {
				if _, err := r.Catch(t.Context(), shard); !errors.Is(err, storage.ErrConflict) {
					errs <- err
					return
				}
			}
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	tasks := w.tasks()
	if len(tasks) != 1 || len(tasks[0].Turns) != turns || tasks[0].Calls != turns {
		t.Errorf("%d tasks, the first with %d turns and %d calls", len(tasks), len(tasks[0].Turns), tasks[0].Calls)
	}
}

func TestSecretsReachNeitherTraceNorObservation(t *testing.T) {
	w := newWorld(t)
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	plant := func(r *trace.RawTurn) {
		r.Answered, r.Steered = "It is "+secret, []string{"no, password is Hunter2!x"}
		r.Steps = []trace.Step{
			{Kind: trace.Thought, Text: "the house key is under the mat"},
			{Kind: trace.ToolCall, Tool: "fetch", Text: `{"headers":{"Authorization":"Bearer abcdefghijklmnop"}}`},
			{Kind: trace.Observation, Tool: "fetch", Text: "error: bad token " + secret},
		}
	}
	w.says("log in with "+secret, plant)
	w.says("no, that is wrong: "+secret, plant)
	w.anew()
	w.tasks()
	if !w.holds("log in with") {
		t.Error("the trace itself is not found: the search looks in the wrong place")
	}
	w.holdsNone(secret, "under the mat", "abcdefghijklmnop", "Hunter2")
}

// holds searches all that the shard holds.
func (w *world) holds(text string) bool {
	w.t.Helper()
	held := false
	err := w.store.Dump(w.t.Context(), at, func(r storage.Record) error {
		s, err := r.Stored()
		if s.Document != nil {
			held = held || bytes.Contains(s.Document.Value, []byte(text))
		}
		if s.Entry != nil {
			held = held || bytes.Contains(s.Entry.Value, []byte(text))
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return held
}

func (w *world) holdsNone(texts ...string) {
	w.t.Helper()
	for _, s := range texts {
		if w.holds(s) {
			w.t.Errorf("%q is stored", s)
		}
	}
}

func TestNothingIsLeftOfSomebodyForgotten(t *testing.T) {
	w := newWorld(t)
	w.says("report on marmosets")
	w.says("no, the pygmy marmosets")
	w.anew()
	w.says("report on marmosets again")
	w.tasks()
	w.says("report on marmosets, waiting")
	if !w.holds("marmoset") {
		t.Error("the traces are not found: the search looks in the wrong place")
	}
	if err := (learning.Eraser{Store: w.store}).EraseShard(t.Context(), shard, person.Subject{People: []person.ID{"ann"}}); err != nil {
		t.Fatal(err)
	}
	if tasks := w.tasks(); len(tasks) > 0 {
		t.Errorf("tasks are left: %v", requests(tasks))
	}
	w.holdsNone("marmoset")
}

func TestSwitchedOffNothingIsKept(t *testing.T) {
	w := newWorld(t)
	c := w.config()
	c.Enabled = false
	w.says("report on sales")
	w.recorder = learning.New(c)
	if tasks := w.tasks(); len(tasks) > 0 {
		t.Errorf("tasks %v", requests(tasks))
	}
	w.reacts("ann", "answer to t1", "+1", true)
	if waiting, err := trace.Waiting(t.Context(), w.store, at, 10); err != nil || len(waiting) > 0 {
		t.Errorf("%d hand-overs wait, %v", len(waiting), err)
	}
}

func TestPeopleAreToldTheirOwnTurnsAlone(t *testing.T) {
	w := newWorld(t)
	w.says("report on marmosets")
	w.says("and on tamarins", func(r *trace.RawTurn) { r.Who = "bob"; called("fetch")(r) })
	w.tasks()
	for who, theirs := range map[person.ID]string{"ann": "marmosets", "bob": "tamarins"} {
		got, err := (learning.Exporter{Store: w.store}).Export(t.Context(), person.Subject{People: []person.ID{who}})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"marmosets", "tamarins"} {
			if strings.Contains(string(data), word) != (word == theirs) {
				t.Errorf("%s is told: %s", who, data)
			}
		}
	}
	if got, err := (learning.Exporter{Store: w.store}).Export(t.Context(), person.Subject{People: []person.ID{"eve"}}); got != nil || err != nil {
		t.Errorf("eve is told %v, %v", got, err)
	}
}

func TestATurnIsTakenOnceThoughAnswersOfTheStoreGetLost(t *testing.T) {
	for name, lost := range map[string]fault.Fault{"before it is done": fault.LostBefore(), "after it is done": fault.LostAfter()} {
		t.Run(name, func(t *testing.T) {
			w, faults := newFaultyWorld(t)
			w.says("report on marmosets")
			faults.Set(fault.Rule{Calls: []string{"Apply"}, Times: 1, Fault: lost})
			if _, err := w.recorder.Catch(t.Context(), shard); !errors.Is(err, fault.ErrLost) {
				t.Errorf("the lost answer is told as %v", err)
			}
			if tasks := w.tasks(); len(tasks) != 1 || len(tasks[0].Turns) != 1 {
				t.Errorf("tasks are %v, want the report once", requests(tasks))
			}
		})
	}
}
