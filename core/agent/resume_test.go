package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/chat"
)

// worker is a model whose next message depends on the conversation alone, as a
// model's does, so that a resumed turn can be compared with an unbroken one.
func worker(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	steps := 0
	for _, m := range r.Messages {
		if m.Role == agent.ToolRole {
			steps++
		}
	}
	switch steps {
	case 0:
		return use(call("a1", "look", `{"n":1}`), call("a2", "look", `{"n":2}`), call("a3", "send", `{"to":"<x>"}`), call("a4", "look", `{"n":3}`))
	case 1:
		return use(call("b1", "keep", `{"n":4}`), call("b2", "send", `{"to":"y"}`))
	case 2:
		return use(call("c1", "nosuch", `{}`), call("c2", "send", `no json`), call("c3", "send", `{"to":"z"}`))
	}
	return say("All is done.")
}

func workerTurn(runs *tally) agent.Turn {
	return turn("do it", echo("look", agent.Read, runs), echo("keep", agent.Idempotent, runs), echo("send", agent.Effectful, runs))
}

// steerOnce hands out one message at the second tool boundary.
func steerOnce() func() []agent.Message {
	asked := 0
	return func() []agent.Message {
		if asked++; asked == 2 {
			return []agent.Message{{Role: agent.User, Text: "and hurry", Origin: chat.Member}}
		}
		return nil
	}
}

func TestResumeAtEveryCrashPoint(t *testing.T) {
	full := &journal{}
	first := &tally{}
	want := run(t, &model{answer: worker}, workerTurn(first), agent.Hooks{Record: full.record, Steer: steerOnce()})
	wellFormed(t, want.Messages)
	if want.Text != "All is done." || len(full.entries) < 15 {
		t.Fatalf("answer %q after %d entries", want.Text, len(full.entries))
	}
	for n := range len(full.entries) + 1 {
		t.Run(fmt.Sprintf("after %d entries", n), func(t *testing.T) {
			resumeAfter(t, full, n, want)
		})
	}
}

func countText(msgs []agent.Message, text string) int {
	n := 0
	for _, m := range msgs {
		if m.Text == text {
			n++
		}
	}
	return n
}

// resumeAfter resumes a turn that crashed with n entries recorded. The call
// that was under way counts as having happened.
func resumeAfter(t *testing.T, full *journal, n int, want agent.Answer) {
	before := full.first(t, n)
	runs := &tally{}
	ended := map[string]bool{}
	for _, e := range before {
		if e.Ended != nil {
			ended[e.Ended.ID] = true
		}
		if e.Started != nil && e.Started.Name == "send" {
			runs.add("send t1/" + e.Started.ID)
		}
	}
	m := &model{answer: worker}
	tn := workerTurn(runs)
	tn.Resume = before
	tn.Prefix = "a prefix that changed meanwhile"
	if n == 0 {
		tn.Prefix = "You are a test."
	}
	rest := &journal{}
	steer := steerOnce()
	if n > 0 {
		steer() // the boundaries before the crash are not asked for again; what was not taken in comes late
	}
	got := run(t, m, tn, agent.Hooks{Record: rest.record, Steer: steer})
	if times := countText(got.Messages, "and hurry"); times != 1 && n < len(full.entries)-3 {
		t.Errorf("the author's message stands %d times in the conversation", times)
	}

	wellFormed(t, got.Messages)
	if got.Text != want.Text || got.Ending != want.Ending {
		t.Errorf("answer %q (%s), want %q (%s)", got.Text, got.Ending, want.Text, want.Ending)
	}
	for what, times := range runs.counts {
		if strings.HasPrefix(what, "send") && times > 1 {
			t.Errorf("%s happened %d times", what, times)
		}
		if id := what[strings.LastIndex(what, "/")+1:]; ended[id] && !strings.HasPrefix(what, "send") {
			t.Errorf("%s ran again although it had ended", what)
		}
	}
	for _, q := range m.asked {
		if q.Prefix != "You are a test." {
			t.Errorf("prefix %q was sent", q.Prefix)
		}
	}
	if last := len(full.entries); n == last && len(m.asked) > 0 {
		t.Error("the recorded answer was asked for again")
	}
	joined := append(before, rest.all(t)...)
	again := workerTurn(&tally{})
	again.Resume = joined
	if replayed := run(t, &model{answer: worker}, again, agent.Hooks{}); !cmp.Equal(replayed.Messages, got.Messages) {
		t.Errorf("the whole record does not lead to the same messages:\n%s", cmp.Diff(got.Messages, replayed.Messages))
	}
}

func TestResumeTellsModelOfUnknownOutcome(t *testing.T) {
	runs := &tally{}
	send := call("c1", "send", `{}`)
	tn := turn("send it", echo("send", agent.Effectful, runs))
	tn.Resume = []agent.Entry{
		{Begun: &agent.Begun{Prefix: "p", Input: tn.Input}},
		{Model: &agent.Message{Role: agent.Assistant, Calls: []agent.Call{send}}, Usage: &agent.Usage{}},
		{Started: &send},
	}
	a := run(t, always(say("I don't know whether it went out.")), tn, agent.Hooks{})
	if len(runs.counts) != 0 {
		t.Errorf("ran again: %v", runs.counts)
	}
	mustContain(t, outcomes(a)[0].Text, "outcome unknown")
}

func TestResumeKeepsBudget(t *testing.T) {
	full := &journal{}
	c := agent.Config{Model: &model{answer: worker}, Budgets: agent.Budgets{Calls: 3}}
	want := runWith(t, c, workerTurn(&tally{}), agent.Hooks{Record: full.record})
	if want.Ending != agent.Budgeted {
		t.Fatalf("ending %s", want.Ending)
	}
	tn := workerTurn(&tally{})
	tn.Resume = full.all(t)
	m := &model{answer: worker}
	c.Model = m
	got := runWith(t, c, tn, agent.Hooks{})
	if len(m.asked) != 0 || got.Ending != agent.Budgeted || got.Calls != want.Calls || got.Usage != want.Usage {
		t.Errorf("asked %d times, %+v, want %+v", len(m.asked), got, want)
	}
}

func TestRunEndsWhenRecordFails(t *testing.T) {
	lost := errors.New("the lease is lost")
	points := map[string]func(agent.Entry) bool{
		"at the beginning":       func(e agent.Entry) bool { return e.Begun != nil },
		"at the model's message": func(e agent.Entry) bool { return e.Model != nil },
		"before an effect":       func(e agent.Entry) bool { return e.Started != nil },
		"after an effect":        func(e agent.Entry) bool { return e.Ended != nil },
	}
	for name, at := range points {
		t.Run(name, func(t *testing.T) {
			runs := &tally{}
			j := &journal{refuse: func(e agent.Entry) error {
				if at(e) {
					return lost
				}
				return nil
			}}
			m := script(use(call("1", "send", `{}`)), say("done"))
			_, err := agent.New(agent.Config{Model: m}).Run(t.Context(), turn("x", echo("send", agent.Effectful, runs)), agent.Hooks{Record: j.record})
			if !errors.Is(err, lost) {
				t.Errorf("error %v", err)
			}
			if name != "after an effect" && len(runs.counts) > 0 {
				t.Error("the effect ran unrecorded")
			}
		})
	}
}
