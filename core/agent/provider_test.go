package agent_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	chain "talaria/core/model"
	"talaria/core/model/anthropic"
	"talaria/core/model/modeltest"
	"talaria/core/model/openai"
)

// TestConversationsPassTheProvidersChecks runs whole turns over both wire
// formats, against an endpoint that refuses a malformed history.
func TestConversationsPassTheProvidersChecks(t *testing.T) {
	script := func() modeltest.Script {
		return modeltest.Steps(
			modeltest.Use(modeltest.Call{ID: "a", Name: "look", Args: `{"n":1}`}, modeltest.Call{ID: "a", Name: "send", Args: `not json`}, modeltest.Call{ID: "b", Name: "nosuch", Args: `{}`}),
			modeltest.Answer{Text: strings.SplitAfter("half an answer to what was asked", " "), Break: modeltest.Cut, After: 5},
			modeltest.Use(modeltest.Call{ID: "a", Name: "send", Args: `{"n":2}`}),
			modeltest.Text(""),
			modeltest.Text("That is what I have."),
		)
	}
	for _, format := range []string{"openai", "anthropic"} {
		t.Run(format, func(t *testing.T) {
			s := modeltest.Start(script(), modeltest.Options{})
			t.Cleanup(s.Close)
			m := openai.New(openai.Config{Name: "m", BaseURL: s.URL() + "/v1"})
			if format == "anthropic" {
				m = anthropic.New(anthropic.Config{Name: "m", BaseURL: s.URL()})
			}
			linked := chain.NewChain(slog.New(slog.DiscardHandler), chain.Policy{Backoff: time.Millisecond}, m)
			tn := turn("do it", echo("look", agent.Read, &tally{}), echo("send", agent.Effectful, &tally{}))
			tn.Block = "<recalled>\nnothing\n</recalled>"
			said := []agent.Message{{Role: agent.User, Text: "quickly", Origin: chat.Member}}
			a := runWith(t, agent.Config{Model: linked, Budgets: agent.Budgets{Calls: 4}}, tn, agent.Hooks{
				Steer: func() []agent.Message { defer func() { said = nil }(); return said },
			})
			if refused := s.Refusals(); len(refused) > 0 {
				t.Errorf("refused: %s", strings.Join(refused, "\n"))
			}
			if a.Ending != agent.Budgeted || a.Text != "That is what I have." {
				t.Errorf("%s: %q", a.Ending, a.Text)
			}
			wellFormed(t, a.Messages)
			for _, m := range a.Messages {
				if data, err := json.Marshal(m); err != nil || strings.Contains(string(data), "half an") {
					t.Errorf("%s, %v", data, err)
				}
			}
		})
	}
}
