package lane_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/trace"
)

// handedOver is what waits to be observed of ann's private conversation.
func (w *world) handedOver() []trace.Raw {
	w.t.Helper()
	waiting, err := trace.Waiting(w.t.Context(), w.store, person.ShardOf(chat.Address{Platform: "test", Chat: "ann"}), 100)
	if err != nil {
		w.t.Fatal(err)
	}
	var out []trace.Raw
	for _, h := range waiting {
		out = append(out, h.Value)
	}
	return out
}

// steps are kind, tool and length of the steps of a turn.
func steps(raw trace.Raw) []string {
	var out []string
	for _, s := range raw.Turn.Steps {
		out = append(out, fmt.Sprintf("%s %s %s", s.Kind, s.Tool, s.Duration))
	}
	return out
}

func TestAFinishedTurnIsHandedOverWithItsSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, &model{think: time.Second, answers: stopping(callSlowOnce)}, &slow{})
		w.say("ann", "ann", "do it")
		time.Sleep(1500 * time.Millisecond)
		w.say("ann", "ann", "and quickly")
		time.Sleep(5 * time.Second)
		w.say("ann", "ann", "/new")
		synctest.Wait()
		got := w.handedOver()
		if len(got) != 2 || got[0].Turn == nil || !got[1].Ended || got[0].Session != got[1].Session {
			t.Fatalf("handed over %+v", got)
		}
		turn := got[0].Turn
		if turn.Asked != "do it" || turn.Ending != agent.Answered || turn.Who != "ann" || got[0].At.Sub(turn.Began) != 3*time.Second {
			t.Errorf("handed over %+v", turn)
		}
		if diff := cmp.Diff([]string{"and quickly"}, turn.Steered); diff != "" {
			t.Errorf("steered (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"tool_call slow 0s", "observation slow 1s"}, steps(got[0])); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
		w.stop()
	})
}

func TestAStoppedTurnLeavesItsSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{think: time.Minute, answers: stopping(callSlowOnce)}
		w := newWorld(t, m, &slow{})
		w.say("ann", "ann", "do it")
		time.Sleep(90 * time.Second)
		w.say("ann", "ann", "/stop")
		time.Sleep(time.Second)
		got := w.handedOver()
		if len(got) != 1 || !got[0].Turn.Stopped || got[0].Turn.Ending != agent.Broken {
			t.Fatalf("handed over %+v", got)
		}
		if diff := cmp.Diff([]string{"tool_call slow 0s", "observation slow 1s"}, steps(got[0])); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
		w.stop()
	})
}

func TestATurnThatFailedLeavesItsSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{}
		m.answers = stopping(func(last string, all []agent.Message) agent.Delta {
			if d := callSlowOnce(last, all); d.Call != nil {
				return d
			}
			panic("boom")
		})
		w := newWorld(t, m, &slow{})
		w.say("ann", "ann", "do it")
		time.Sleep(5 * time.Second)
		got := w.handedOver()
		if len(got) != 1 || got[0].Turn.Stopped || got[0].Turn.Ending != agent.Broken || len(got[0].Turn.Steps) != 2 {
			t.Fatalf("handed over %+v", got)
		}
		w.stop()
	})
}

// TestATurnThatDiedLeavesTheStepsOfBothRuns ends the replica while the model
// thinks about the tool's result.
func TestATurnThatDiedLeavesTheStepsOfBothRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{think: time.Minute, answers: stopping(callSlowOnce)}
		w := newWorld(t, m, &slow{})
		w.say("ann", "ann", "do it")
		time.Sleep(90 * time.Second)
		w.stop()
		if got := w.handedOver(); len(got) > 0 {
			t.Fatalf("an unfinished turn is handed over: %+v", got)
		}
		w.start(time.Second)
		time.Sleep(2 * time.Minute)
		got := w.handedOver()
		if len(got) != 1 || got[0].Turn.Ending != agent.Answered {
			t.Fatalf("handed over %+v", got)
		}
		if diff := cmp.Diff([]string{"tool_call slow 0s", "observation slow 1s"}, steps(got[0])); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
		if took := got[0].At.Sub(got[0].Turn.Began); took < 2*time.Minute {
			t.Errorf("it took %s: the time of the first run is lost", took)
		}
		w.stop()
	})
}

func TestALongTurnIsHandedOverWhileItIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 17
		n := 0
		again := func(string, []agent.Message) agent.Delta {
			if n++; n > most {
				return agent.Delta{Text: "done", Stop: agent.StopEnd}
			}
			return agent.Delta{Call: &agent.Call{ID: fmt.Sprint("c", n), Name: "slow", Args: fmt.Appendf(nil, `{"n":%d}`, n)}, Stop: agent.StopCalls}
		}
		w := newWorld(t, &model{answers: again}, &slow{})
		w.say("ann", "ann", "do it")
		time.Sleep(5 * time.Minute)
		var got []string
		for _, raw := range w.handedOver() {
			got = append(got, strings.TrimSpace(fmt.Sprintln(raw.Midway, len(raw.Turn.Steps)/2, raw.Turn.Asked)))
		}
		if diff := cmp.Diff([]string{"true 15 do it", "false 17 do it"}, got); diff != "" {
			t.Errorf("handed over (-want +got):\n%s", diff)
		}
		w.stop()
	})
}

func TestATurnIsHandedOverWhenHistoryMakesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{think: time.Second, answers: func(string, []agent.Message) agent.Delta { return agent.Delta{Text: "I see.", Stop: agent.StopEnd} }}
		w := newWorld(t, m)
		w.say("ann", "ann", "the pot is blue")
		time.Sleep(5 * time.Second)
		m.mu.Lock()
		m.fails = &agent.ModelError{Kind: agent.ModelTooLong, Err: errors.New("too long")}
		m.mu.Unlock()
		w.say("ann", "ann", "and the cup is red")
		time.Sleep(1500 * time.Millisecond)
		m.mu.Lock()
		m.fails = nil
		m.mu.Unlock()
		time.Sleep(time.Minute)
		var got []string
		for _, raw := range w.handedOver() {
			got = append(got, fmt.Sprint(raw.Midway, " ", raw.Turn.Asked))
		}
		if diff := cmp.Diff([]string{"false the pot is blue", "true and the cup is red", "false and the cup is red"}, got); diff != "" {
			t.Errorf("handed over (-want +got):\n%s", diff)
		}
		w.stop()
	})
}
