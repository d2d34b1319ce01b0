package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/chat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// model answers each request by a function, and keeps the requests.
type model struct {
	answer func(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error]
	mu     sync.Mutex
	asked  []agent.Request
}

func (m *model) Name() string { return "test" }

func (m *model) Stream(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	m.mu.Lock()
	m.asked = append(m.asked, r)
	m.mu.Unlock()
	return m.answer(ctx, r)
}

// script is a model that goes through answers in order.
func script(answers ...iter.Seq2[agent.Delta, error]) *model {
	var mu sync.Mutex
	next := 0
	return &model{answer: func(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
		mu.Lock()
		defer mu.Unlock()
		next++
		if next > len(answers) {
			return failing(agent.ModelTransient)
		}
		return answers[next-1]
	}}
}

// always is a model that gives the same answer for ever.
func always(a iter.Seq2[agent.Delta, error]) *model {
	return &model{answer: func(context.Context, agent.Request) iter.Seq2[agent.Delta, error] { return a }}
}

func deltas(ds ...agent.Delta) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		for _, d := range ds {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// say is a whole answer in two pieces.
func say(text string) iter.Seq2[agent.Delta, error] { return sayStop(text, agent.StopEnd) }

func sayStop(text string, stop agent.Stop) iter.Seq2[agent.Delta, error] {
	half := len(text) / 2
	return deltas(agent.Delta{Text: text[:half]}, agent.Delta{Text: text[half:]},
		agent.Delta{Stop: stop, Usage: &agent.Usage{Input: 10, Output: 5}})
}

// use is a message with calls.
func use(calls ...agent.Call) iter.Seq2[agent.Delta, error] {
	var ds []agent.Delta
	for _, c := range calls {
		ds = append(ds, agent.Delta{Call: &c})
	}
	return deltas(append(ds, agent.Delta{Stop: agent.StopCalls, Usage: &agent.Usage{Input: 10, Output: 5}})...)
}

func failing(kind agent.ModelErrorKind) iter.Seq2[agent.Delta, error] { return broken("", kind) }

// broken is a stream that fails after some text.
func broken(text string, kind agent.ModelErrorKind) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		if text != "" && !yield(agent.Delta{Text: text}, nil) {
			return
		}
		yield(agent.Delta{}, &agent.ModelError{Kind: kind, Model: "test", Err: errors.New("scripted")})
	}
}

// hang is a stream that says something and then nothing more.
func hang(ctx context.Context, text string) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		if text != "" && !yield(agent.Delta{Text: text}, nil) {
			return
		}
		<-ctx.Done()
		yield(agent.Delta{}, ctx.Err())
	}
}

func call(id, name, args string) agent.Call {
	return agent.Call{ID: id, Name: name, Args: json.RawMessage(args)}
}

// tool is a tool made of a function.
type tool struct {
	spec agent.Spec
	do   func(ctx context.Context, in agent.Invocation) (agent.Result, error)
}

func (t tool) Spec() agent.Spec { return t.spec }

func (t tool) Call(ctx context.Context, in agent.Invocation) (agent.Result, error) {
	return t.do(ctx, in)
}

// echo returns its arguments and counts its runs by invocation.
func echo(name string, effect agent.Effect, runs *tally) tool {
	return tool{agent.Spec{Name: name, Effect: effect}, func(_ context.Context, in agent.Invocation) (agent.Result, error) {
		runs.add(name + " " + in.ID)
		return agent.Result{Text: name + " did " + string(in.Args), Origin: chat.TrustedTool}, nil
	}}
}

type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (t *tally) add(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	t.counts[what]++
}

// journal keeps entries the way the store does: as JSON.
type journal struct {
	mu      sync.Mutex
	entries [][]byte
	refuse  func(e agent.Entry) error
}

func (j *journal) record(_ context.Context, entries ...agent.Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range entries {
		if j.refuse != nil {
			if err := j.refuse(e); err != nil {
				return err
			}
		}
		data, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("encode entry: %w", err)
		}
		j.entries = append(j.entries, data)
	}
	return nil
}

// first returns the first n entries, read back.
func (j *journal) first(t *testing.T, n int) []agent.Entry {
	t.Helper()
	out := make([]agent.Entry, n)
	for i, data := range j.entries[:n] {
		if err := json.Unmarshal(data, &out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func (j *journal) all(t *testing.T) []agent.Entry { return j.first(t, len(j.entries)) }

func turn(text string, tools ...agent.Tool) agent.Turn {
	return agent.Turn{
		ID: "t1", Session: "s1", Prefix: "You are a test.", Spoken: text,
		Input: agent.Message{Role: agent.User, Text: text, Origin: chat.Member}, Tools: tools,
	}
}

func run(t *testing.T, m agent.Model, tn agent.Turn, h agent.Hooks) agent.Answer {
	t.Helper()
	return runWith(t, agent.Config{Model: m}, tn, h)
}

func runWith(t *testing.T, c agent.Config, tn agent.Turn, h agent.Hooks) agent.Answer {
	t.Helper()
	l := agent.New(c)
	a, err := l.Run(t.Context(), tn, h)
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	l.Wait()
	return a
}

// outcomes are all tool results in an answer's messages.
func outcomes(a agent.Answer) []agent.Outcome {
	var out []agent.Outcome
	for _, m := range a.Messages {
		out = append(out, m.Results...)
	}
	return out
}

func mustContain(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q does not contain %q", text, p)
		}
	}
}

// wellFormed checks the rules that providers hold a conversation to.
func wellFormed(t *testing.T, msgs []agent.Message) {
	t.Helper()
	seen := map[string]bool{}
	for n, m := range msgs {
		var want, have []string
		if n > 0 {
			for _, c := range msgs[n-1].Calls {
				want = append(want, c.ID)
			}
		}
		for _, o := range m.Results {
			have = append(have, o.ID)
		}
		if !slices.Equal(want, have) {
			t.Errorf("message %d answers calls %q, asked for were %q", n, have, want)
		}
		for _, c := range m.Calls {
			if seen[c.ID] || c.ID == "" || !json.Valid(c.Args) {
				t.Errorf("message %d has the call %q with arguments %q", n, c.ID, c.Args)
			}
			seen[c.ID] = true
		}
		if m.Role == agent.Assistant && m.Text == "" && len(m.Calls) == 0 {
			t.Errorf("message %d is empty", n)
		}
	}
}
