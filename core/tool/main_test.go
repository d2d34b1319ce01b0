package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var member = person.Principal{Person: "p1", Role: person.Member, Direct: true}

func noon() time.Time { return time.Date(2030, 3, 4, 12, 0, 0, 0, time.UTC) }

// bound finds one tool among those of a binding.
func bound(t *testing.T, s *tool.Set, b tool.Binding, name string) agent.Tool {
	t.Helper()
	tools, _ := s.Bind(b)
	for _, one := range tools {
		if one.Spec().Name == name {
			return one
		}
	}
	t.Fatalf("there is no tool %q", name)
	return nil
}

func invoke(t *testing.T, one agent.Tool, args string, in agent.Invocation) (agent.Result, error) {
	t.Helper()
	in.Args = json.RawMessage(args)
	return one.Call(t.Context(), in)
}

// probe is a tool that counts its calls.
type probe struct {
	spec  agent.Spec
	calls int
}

func (p *probe) Spec() agent.Spec { return p.spec }

func (p *probe) Call(context.Context, agent.Invocation) (agent.Result, error) {
	p.calls++
	return agent.Result{Text: "done", Origin: chat.TrustedTool}, nil
}

// asker keeps requests in memory.
type asker struct {
	requests []tool.Request
	fail     bool
}

func (a *asker) Ask(_ context.Context, r tool.Request) (string, error) {
	if a.fail {
		return "", errors.New("store unavailable")
	}
	a.requests = append(a.requests, r)
	return "tok", nil
}
