package agent_test

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
)

// digger calls a tool for ever, never twice with the same arguments, and
// concludes only when no tool is offered.
func digger(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	if len(r.Tools) == 0 {
		return say("This is what I have.")
	}
	return use(call("", "look", fmt.Sprintf(`{"n":%d}`, len(r.Messages))))
}

func TestCallsAreBounded(t *testing.T) {
	m := &model{answer: digger}
	a := run(t, m, turn("dig", echo("look", agent.Read, &tally{})), agent.Hooks{})
	if len(m.asked) != 26 || a.Calls != 26 || a.Tools != 25 {
		t.Errorf("%d model calls (%d counted), %d tool calls", len(m.asked), a.Calls, a.Tools)
	}
	if a.Ending != agent.Budgeted || a.Text != "This is what I have." {
		t.Errorf("%s: %q", a.Ending, a.Text)
	}
	wellFormed(t, a.Messages)
	last := m.asked[25].Messages
	mustContain(t, last[len(last)-1].Text, "no tool can be used any more")
}

func TestGraceCallWithoutAnAnswerIsReplaced(t *testing.T) {
	answers := map[string]iter.Seq2[agent.Delta, error]{
		"calls although no tool is offered": use(call("z", "look", `{}`)),
		"fails":                             failing(agent.ModelTransient),
		"breaks off":                        broken("This is wh", agent.ModelCut),
		"is empty":                          say("  "),
	}
	for name, grace := range answers {
		t.Run(name, func(t *testing.T) {
			m := script(use(call("1", "send", `{}`)), grace)
			c := agent.Config{Model: m, Budgets: agent.Budgets{Calls: 1}}
			a := runWith(t, c, turn("x", echo("send", agent.Effectful, &tally{})), agent.Hooks{})
			mustContain(t, a.Text, "I stopped before I was done", "Done before that: send.")
			if a.Ending != agent.Budgeted || len(m.asked) != 2 {
				t.Errorf("%s after %d calls", a.Ending, len(m.asked))
			}
		})
	}
}

func TestTokensAreBounded(t *testing.T) {
	m := &model{answer: digger}
	c := agent.Config{Model: m, Budgets: agent.Budgets{Tokens: 40}}
	a := runWith(t, c, turn("dig", echo("look", agent.Read, &tally{})), agent.Hooks{})
	if len(m.asked) != 4 || a.Ending != agent.Budgeted {
		t.Errorf("%d calls, %s", len(m.asked), a.Ending)
	}
}

func TestPersonIsAnsweredByTheDeadline(t *testing.T) {
	hung := func(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] { return hang(ctx, "I think") }
	slow := tool{agent.Spec{Name: "slow", Effect: agent.Effectful, Timeout: time.Hour}, func(ctx context.Context, _ agent.Invocation) (agent.Result, error) {
		<-ctx.Done()
		return agent.Result{}, ctx.Err()
	}}
	deaf := tool{agent.Spec{Name: "deaf", Effect: agent.Read, Timeout: time.Hour}, func(context.Context, agent.Invocation) (agent.Result, error) {
		time.Sleep(2 * time.Hour)
		return agent.Result{}, nil
	}}
	models := map[string]func(context.Context, agent.Request) iter.Seq2[agent.Delta, error]{
		"a model that hangs for ever": hung,
		"a tool that hangs": func(_ context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
			if len(r.Tools) == 0 {
				return say("It hung.")
			}
			return use(call("1", "slow", `{}`), call("2", "slow", `{"n":2}`))
		},
		"a tool that hears nothing": func(_ context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
			if len(r.Tools) == 0 {
				return say("It hung.")
			}
			return use(call("1", "deaf", `{}`))
		},
	}
	for name, answer := range models {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := agent.New(agent.Config{Model: &model{answer: answer}, Budgets: agent.Budgets{Idle: time.Hour}})
				begun := time.Now()
				a, err := l.Run(t.Context(), turn("x", slow, deaf), agent.Hooks{})
				took := time.Since(begun)
				if err != nil || a.Ending != agent.Budgeted {
					t.Errorf("%s, %v", a.Ending, err)
				}
				if took > 10*time.Minute+2*time.Second {
					t.Errorf("took %s", took)
				}
				wellFormed(t, a.Messages)
				l.Wait()
			})
		})
	}
}

func TestSilentModelCountsAsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		m := &model{answer: func(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
			if tries++; tries == 1 {
				return hang(ctx, "The answer is f")
			}
			return say("The answer is forty-two.")
		}}
		a := run(t, m, turn("x"), agent.Hooks{})
		if a.Text != "The answer is forty-two." || tries != 2 {
			t.Errorf("%q after %d tries", a.Text, tries)
		}
	})
}

func TestStopEndsModelAndTool(t *testing.T) {
	for _, where := range []string{"model", "tool"} {
		t.Run("in the "+where, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			wait := tool{agent.Spec{Name: "wait", Effect: agent.Effectful}, func(ctx context.Context, _ agent.Invocation) (agent.Result, error) {
				stop()
				<-ctx.Done()
				return agent.Result{}, ctx.Err()
			}}
			m := &model{answer: func(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
				if where == "tool" {
					return use(call("1", "wait", `{}`), call("2", "wait", `{"n":2}`))
				}
				stop()
				return hang(ctx, "")
			}}
			j := &journal{}
			l := agent.New(agent.Config{Model: m})
			if a, err := l.Run(ctx, turn("x", wait), agent.Hooks{Record: j.record}); err == nil {
				t.Fatalf("answered %q", a.Text)
			}
			l.Wait()
			for _, e := range j.all(t) {
				if e.Ended != nil {
					t.Errorf("the interrupted call was recorded as ended: %q", e.Ended.Text)
				}
			}
		})
	}
}

func TestEffectThatEndsDuringStopIsRecorded(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	send := tool{agent.Spec{Name: "send", Effect: agent.Effectful}, func(context.Context, agent.Invocation) (agent.Result, error) {
		stop()
		return agent.Result{Text: "sent", Origin: chat.Self}, nil
	}}
	j := &journal{}
	_, err := agent.New(agent.Config{Model: always(use(call("1", "send", `{}`)))}).Run(ctx, turn("x", send), agent.Hooks{Record: j.record})
	if err == nil {
		t.Fatal("the turn went on after the stop")
	}
	last := j.all(t)[len(j.entries)-1]
	if last.Ended == nil || last.Ended.Text != "sent" {
		t.Errorf("last entry is %+v", last)
	}
}

func TestATurnsOwnTokensAndModelHold(t *testing.T) {
	usual, own := &model{answer: digger}, &model{answer: digger}
	for _, tokens := range []int{150, 600, 2000, 5000} {
		own.asked = nil
		tn := turn("dig", echo("look", agent.Read, &tally{}))
		tn.Model, tn.Tokens = own, tokens
		a := runWith(t, agent.Config{Model: usual}, tn, agent.Hooks{})
		if used := a.Usage.Input + a.Usage.Output; a.Ending != agent.Budgeted || used > tokens {
			t.Errorf("%d tokens: %s after %d calls and %d tokens: %q", tokens, a.Ending, len(own.asked), used, a.Text)
		}
		for _, q := range own.asked {
			if q.MaxTokens < 1 || q.MaxTokens > tokens {
				t.Errorf("%d tokens: an answer may have %d", tokens, q.MaxTokens)
			}
		}
	}
	if len(usual.asked) > 0 {
		t.Errorf("the loop's model was asked %d times", len(usual.asked))
	}
}
