package model_test

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/model"
	"talaria/core/model/modeltest"
)

// fake is a model that does one step after the other, the last one for ever,
// and notes when it was asked.
type fake struct {
	name  string
	steps []step
	asked []time.Duration
	begin time.Time
}

// step says text, then fails or ends.
type step struct {
	text  string
	err   error
	after time.Duration // before anything
}

func (f *fake) Name() string { return f.name }

func (f *fake) Stream(ctx context.Context, _ agent.Request) iter.Seq2[agent.Delta, error] {
	f.asked = append(f.asked, time.Since(f.begin))
	s := f.steps[min(len(f.asked), len(f.steps))-1]
	return func(yield func(agent.Delta, error) bool) {
		if s.after > 0 {
			select {
			case <-time.After(s.after):
			case <-ctx.Done():
				yield(agent.Delta{}, context.Cause(ctx))
				return
			}
		}
		if !yield(agent.Delta{Usage: &agent.Usage{Input: 1}}, nil) {
			return
		}
		if s.text != "" && !yield(agent.Delta{Text: s.text}, nil) {
			return
		}
		if s.err != nil {
			yield(agent.Delta{}, s.err)
			return
		}
		yield(agent.Delta{Stop: agent.StopEnd}, nil)
	}
}

func fails(k agent.ModelErrorKind, retryAfter time.Duration) step {
	return step{err: &agent.ModelError{Kind: k, Model: "x", RetryAfter: retryAfter, Err: errors.New("scripted")}}
}

func says(text string) step { return step{text: text} }

// chainOf makes a chain of fakes named a, b, c.
func chainOf(p model.Policy, steps ...[]step) (*model.Chain, []*fake) {
	var fakes []*fake
	var models []agent.Model
	for i, s := range steps {
		f := &fake{name: string(rune('a' + i)), steps: s, begin: time.Now()}
		fakes, models = append(fakes, f), append(models, f)
	}
	return model.NewChain(slog.New(slog.DiscardHandler), p, models[0], models[1:]...), fakes
}

func TestChain(t *testing.T) {
	cut := step{text: "The answ", err: &agent.ModelError{Kind: agent.ModelCut, Model: "x", Err: errors.New("scripted")}}
	down, auth := fails(agent.ModelTransient, 0), fails(agent.ModelAuth, 0)
	cases := []struct {
		name  string
		steps [][]step
		text  string
		kind  agent.ModelErrorKind // of the error; -1: none
		asked []int
	}{
		{"the first answers", [][]step{{says("hi")}, {says("no")}}, "hi", -1, []int{1, 0}},
		{"once down, then up", [][]step{{down, says("hi")}, {says("no")}}, "hi", -1, []int{2, 0}},
		{"cut before the first word", [][]step{{fails(agent.ModelCut, 0), says("hi")}}, "hi", -1, []int{2}},
		{"down for good", [][]step{{down}, {says("hi")}}, "hi", -1, []int{3, 1}},
		{"no rights", [][]step{{auth}, {says("hi")}}, "hi", -1, []int{1, 1}},
		{"limited for a moment", [][]step{{fails(agent.ModelRateLimited, 2*time.Second), says("hi")}, {says("no")}}, "hi", -1, []int{2, 0}},
		{"limited for an hour", [][]step{{fails(agent.ModelRateLimited, time.Hour)}, {says("hi")}}, "hi", -1, []int{1, 1}},
		{"limited without a time", [][]step{{fails(agent.ModelRateLimited, 0)}, {says("hi")}}, "hi", -1, []int{3, 1}},
		{"two of three fail", [][]step{{auth}, {down}, {says("hi")}}, "hi", -1, []int{1, 3, 1}},
		{"all fail", [][]step{{auth}, {down}}, "", agent.ModelTransient, []int{1, 3}},
		{"cut amid the words", [][]step{{cut, says("no")}, {says("no")}}, "The answ", agent.ModelCut, []int{1, 0}},
		{"too long is the agent's business", [][]step{{fails(agent.ModelTooLong, 0)}, {says("no")}}, "", agent.ModelTooLong, []int{1, 0}},
		{"refused as it is", [][]step{{fails(agent.ModelInvalid, 0)}, {says("no")}}, "", agent.ModelInvalid, []int{1, 0}},
		{"slow to fail", [][]step{{{after: 29800 * time.Millisecond, err: down.err}}, {says("hi")}}, "hi", -1, []int{1, 1}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				chain, fakes := chainOf(model.Policy{}, c.steps...)
				g := modeltest.Gather(chain.Stream(t.Context(), agent.Request{}))
				var asked []int
				for _, f := range fakes {
					asked = append(asked, len(f.asked))
				}
				if diff := cmp.Diff(c.asked, asked); diff != "" || g.Text != c.text {
					t.Errorf("got %q, %v; asked (-want +got):\n%s", g.Text, g.Err, diff)
				}
				fault, failed := errors.AsType[*agent.ModelError](g.Err)
				if failed != (c.kind >= 0) || failed && fault.Kind != c.kind {
					t.Errorf("got the error %v, want kind %d", g.Err, c.kind)
				}
			})
		})
	}
}

func TestChainWaitsLongerEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chain, fakes := chainOf(model.Policy{Tries: 4, Backoff: time.Second}, []step{fails(agent.ModelTransient, 0)})
		modeltest.Gather(chain.Stream(t.Context(), agent.Request{}))
		asked := fakes[0].asked
		for i, most := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
			if wait := asked[i+1] - asked[i]; wait < most/2-1 || wait > most {
				t.Errorf("wait %d was %s, want %s to %s", i+1, wait, most/2, most)
			}
		}
	})
}

func TestChainNeverAsksBeforeRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chain, fakes := chainOf(model.Policy{}, []step{fails(agent.ModelRateLimited, 7*time.Second), fails(agent.ModelRateLimited, time.Minute), says("hi")})
		first := modeltest.Gather(chain.Stream(t.Context(), agent.Request{}))
		second := modeltest.Gather(chain.Stream(t.Context(), agent.Request{})) // must not ask at all
		for _, g := range []modeltest.Gathered{first, second} {
			fault, ok := errors.AsType[*agent.ModelError](g.Err)
			if !ok || fault.Kind != agent.ModelRateLimited || fault.RetryAfter != time.Minute {
				t.Errorf("got %v", g.Err)
			}
		}
		time.Sleep(55 * time.Second)
		if g := modeltest.Gather(chain.Stream(t.Context(), agent.Request{})); g.Text != "hi" {
			t.Errorf("got %q, %v", g.Text, g.Err)
		}
		if diff := cmp.Diff([]time.Duration{0, 7 * time.Second, 67 * time.Second}, fakes[0].asked); diff != "" {
			t.Errorf("asked at (-want +got):\n%s", diff)
		}
	})
}

func TestChainLetsAFailedModelRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chain, fakes := chainOf(model.Policy{Rest: time.Minute}, []step{fails(agent.ModelAuth, 0), says("a again")}, []step{says("b")})
		ask := func() string { return modeltest.Gather(chain.Stream(t.Context(), agent.Request{})).Text }
		got := []string{ask(), ask()}
		time.Sleep(time.Minute)
		got = append(got, ask())
		if diff := cmp.Diff([]string{"b", "b", "a again"}, got); diff != "" || len(fakes[0].asked) != 2 {
			t.Errorf("asked a %d times, answers (-want +got):\n%s", len(fakes[0].asked), diff)
		}
	})
}

func TestChainStopsWithItsContext(t *testing.T) {
	cause := errors.New("the user said stop")
	for name, s := range map[string]step{"while it waits": fails(agent.ModelTransient, 0), "while a model is asked": {after: time.Hour}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				chain, fakes := chainOf(model.Policy{Backoff: 8 * time.Second}, []step{s}, []step{says("no")})
				ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, cause)
				defer cancel()
				g := modeltest.Gather(chain.Stream(ctx, agent.Request{}))
				if !errors.Is(g.Err, cause) || len(fakes[1].asked) != 0 || time.Since(fakes[0].begin) > 2*time.Second {
					t.Errorf("got %v after %s", g.Err, time.Since(fakes[0].begin))
				}
			})
		})
	}
}

func TestChainStopsWhenNobodyListens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chain, fakes := chainOf(model.Policy{}, []step{says("hi")}, []step{says("no")})
		for range chain.Stream(t.Context(), agent.Request{}) {
			break
		}
		if len(fakes[0].asked) != 1 || len(fakes[1].asked) != 0 || chain.Name() != "a" {
			t.Errorf("asked %d and %d times", len(fakes[0].asked), len(fakes[1].asked))
		}
	})
}
