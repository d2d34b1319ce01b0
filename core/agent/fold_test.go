package agent_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/chat"
)

// talk is a history of turns of about a hundred tokens each.
func talk(turns int) []agent.Message {
	var msgs []agent.Message
	for n := range turns {
		msgs = append(msgs,
			agent.Message{Role: agent.User, Text: "<recalled>\nblock\n</recalled>"},
			agent.Message{Role: agent.User, Text: fmt.Sprintf("question %d %s", n, strings.Repeat("word ", 30)), Origin: chat.Member},
			agent.Message{Role: agent.Assistant, Calls: []agent.Call{call(fmt.Sprintf("h%d", n), "look", `{}`)}},
			agent.Message{Role: agent.ToolRole, Results: []agent.Outcome{{ID: fmt.Sprintf("h%d", n), Name: "look", Text: "seen"}}},
			agent.Message{Role: agent.Assistant, Text: fmt.Sprintf("answer %d %s", n, strings.Repeat("word ", 30)), Origin: chat.Member},
		)
	}
	return msgs
}

// summing answers requests for a summary by one function, others by another.
func summing(summary, other func() iter.Seq2[agent.Delta, error]) *model {
	return &model{answer: func(_ context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
		if strings.HasPrefix(r.Prefix, "You sum up") {
			return summary()
		}
		return other()
	}}
}

func whole(text string) func() iter.Seq2[agent.Delta, error] {
	return func() iter.Seq2[agent.Delta, error] { return say(text) }
}

func TestLongHistoryIsFoldedBeforeTheTurn(t *testing.T) {
	tn := turn("and now?")
	tn.History = talk(40)
	var lost, saved []agent.Message
	j := &journal{}
	m := summing(whole("They counted questions."), whole("Now this."))
	a := runWith(t, agent.Config{Model: m, Window: 4000, Answer: 200}, tn, agent.Hooks{
		Record: j.record,
		Losing: func(_ context.Context, dropped []agent.Message) { lost = dropped },
	})
	if a.Text != "Now this." || a.Compacted == nil || len(m.asked) != 2 {
		t.Fatalf("%q after %d calls, compacted to %d messages", a.Text, len(m.asked), len(a.Compacted))
	}
	mustContain(t, a.Compacted[0].Text, "They counted questions.", "as data")
	saved = a.Compacted[1:]
	if len(lost)+len(saved) != len(tn.History) || len(saved) < 5 {
		t.Errorf("%d lost, %d kept of %d", len(lost), len(saved), len(tn.History))
	}
	if !cmp.Equal(saved, tn.History[len(lost):]) || saved[0].Role != agent.User {
		t.Error("the newest turns were not kept whole")
	}
	wellFormed(t, append(a.Compacted, a.Messages...))
	if a.Calls != 2 || a.Usage.Input != 20 {
		t.Errorf("the summary was not booked: %d calls, %+v", a.Calls, a.Usage)
	}

	again := turn("and now?")
	again.History, again.Resume = tn.History, j.all(t)[:2]
	m2 := summing(whole("Another summary."), whole("Now this."))
	b := runWith(t, agent.Config{Model: m2, Window: 4000, Answer: 200}, again, agent.Hooks{})
	if !cmp.Equal(a.Compacted, b.Compacted) || len(m2.asked) != 1 {
		t.Errorf("the resumed turn summed up again: %d calls", len(m2.asked))
	}
}

func TestSummaryThatFailsIsReplacedByADigest(t *testing.T) {
	failures := map[string]func() iter.Seq2[agent.Delta, error]{
		"error":   func() iter.Seq2[agent.Delta, error] { return failing(agent.ModelTransient) },
		"empty":   whole(""),
		"refused": func() iter.Seq2[agent.Delta, error] { return sayStop("I won", agent.StopRefused) },
	}
	for name, failure := range failures {
		t.Run(name, func(t *testing.T) {
			tn := turn("and now?")
			tn.History = talk(40)
			a := runWith(t, agent.Config{Model: summing(failure, whole("Now this.")), Window: 4000, Answer: 200}, tn, agent.Hooks{})
			if a.Text != "Now this." || a.Compacted == nil {
				t.Fatalf("%q, compacted %v", a.Text, a.Compacted != nil)
			}
			mustContain(t, a.Compacted[0].Text, "Person: question 2", "You: answer 2")
			if strings.Contains(a.Compacted[0].Text, "block") {
				t.Error("the digest holds the program's own blocks")
			}
		})
	}
}

func TestTooLongIsCompactedAndTriedAgain(t *testing.T) {
	for refusals := 1; refusals <= 4; refusals++ {
		t.Run(fmt.Sprintf("refused %d times", refusals), func(t *testing.T) {
			left := refusals
			m := summing(whole("Summary."), func() iter.Seq2[agent.Delta, error] {
				if left--; left >= 0 {
					return failing(agent.ModelTooLong)
				}
				return say("It fits.")
			})
			tn := turn("x")
			tn.History = talk(40)
			a := runWith(t, agent.Config{Model: m, Window: 16_000}, tn, agent.Hooks{})
			want := agent.Answered
			if refusals > 2 {
				want = agent.Broken
			}
			if a.Ending != want {
				t.Errorf("%s: %q", a.Ending, a.Text)
			}
			if kept := len(a.Compacted); refusals > 1 && kept != 1 || refusals == 1 && kept < 2 {
				t.Errorf("%d messages left", kept)
			}
		})
	}
}

func TestLongResultsOfTheTurnMakeWay(t *testing.T) {
	page := tool{agent.Spec{Name: "page", Effect: agent.Read}, func(_ context.Context, in agent.Invocation) (agent.Result, error) {
		return agent.Result{Text: strings.Repeat("long text ", 1000)}, nil
	}}
	n := 0
	m := &model{answer: func(_ context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
		if n++; n > 8 {
			return say("Read all.")
		}
		c := call("", "page", fmt.Sprintf(`{"n":%d}`, n))
		return deltas(agent.Delta{Call: &c}, agent.Delta{Stop: agent.StopCalls})
	}}
	a := runWith(t, agent.Config{Model: m, Window: 10_000, Answer: 500}, turn("read", page), agent.Hooks{})
	if a.Text != "Read all." {
		t.Fatalf("%s: %q", a.Ending, a.Text)
	}
	for n, q := range m.asked {
		size := 0
		for _, msg := range q.Messages {
			for _, o := range msg.Results {
				size += len(o.Text)
			}
		}
		if size/4 > 10_000 {
			t.Errorf("request %d has about %d tokens", n, size/4)
		}
	}
	wellFormed(t, a.Messages)
}

func TestUsageCorrectsTheEstimate(t *testing.T) {
	dense := func() iter.Seq2[agent.Delta, error] {
		return deltas(agent.Delta{Text: "ok"}, agent.Delta{Stop: agent.StopEnd, Usage: &agent.Usage{Input: 1 << 20}})
	}
	m := summing(whole("Summary."), dense)
	l := agent.New(agent.Config{Model: m, Window: 10_000, Answer: 500})
	tn := turn("x")
	tn.History = talk(40)
	first, err := l.Run(t.Context(), tn, agent.Hooks{})
	if err != nil || first.Compacted != nil {
		t.Fatalf("%v, compacted %v", err, first.Compacted != nil)
	}
	second, err := l.Run(t.Context(), tn, agent.Hooks{})
	if err != nil || second.Compacted == nil {
		t.Errorf("%v, not compacted although the provider counts three times as much", err)
	}
}
