package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"talaria/core/agent"
	"talaria/core/person"
)

// Set is what all turns share. Its fields do not change once it is in use.
type Set struct {
	Policy Policy
	Web    *http.Client     // egress.Guest; without it nothing is fetched
	Hosts  []string         // may be fetched from without a yes; "*.example.com" stands for all below
	Now    func() time.Time // nil: time.Now
}

// Binding is what belongs to one turn. A nil handle leaves its tools out.
type Binding struct {
	Principal person.Principal
	Message   string         // platform id of the turn's message
	Zone      *time.Location // the person's; nil: UTC
	Memory    Memory
	Searcher  Searcher
	Files     *Files
	// More are tools from elsewhere, bound to the same principal. They pass the
	// same gate.
	More []agent.Tool
	// Asker keeps requests for a person's yes; without it they are refused.
	Asker Asker
	// Approved is the Digest of the one call that was said yes to, once.
	Approved string
	Skills   Skills
	Author   Author
	Scripts  Scripts // nil also where the operator has not turned scripts on
	// Schedules is nil within a job's own run: jobs make no jobs.
	Schedules Schedules
	// Beyond reports whether a call goes beyond what the skills whose bodies are
	// in the prompt were authorised for: then it takes the person's own yes. Nil
	// where no skill can be.
	Beyond func(s agent.Spec, in agent.Invocation) bool
}

// Gate has the form of agent.Turn.Allow.
type Gate func(ctx context.Context, s agent.Spec, args json.RawMessage) error

// Bind returns the tools of one turn, those that policy denies left out, and
// the gate that each of their calls has to pass.
func (s *Set) Bind(b Binding) ([]agent.Tool, Gate) {
	var tools []agent.Tool
	consent := &yes{digest: b.Approved}
	for _, t := range append(s.builtin(b), b.More...) {
		d := s.decide(b, t.Spec())
		if d == Deny {
			continue
		}
		tools = append(tools, &guard{Tool: t, binding: b, yes: consent, ask: d == Ask})
	}
	gate := func(_ context.Context, spec agent.Spec, _ json.RawMessage) error {
		if s.decide(b, spec) == Deny {
			return fmt.Errorf("%w: %s", errDenied, spec.Name)
		}
		return nil
	}
	return tools, gate
}

var errDenied = errors.New("neither the person's rights nor the rules here permit this tool")

func (s *Set) decide(b Binding, spec agent.Spec) Decision {
	return s.Policy.Decide(b.Principal, spec)
}

// builtin makes the tools of this package whose handles there are, always in
// the same order, since their list is part of what providers cache.
func (s *Set) builtin(b Binding) []agent.Tool {
	now := s.Now
	if now == nil {
		now = time.Now
	}
	tools := []agent.Tool{&clock{now: now, zone: b.Zone}}
	if b.Memory != nil {
		tools = append(tools, &remember{b.Memory, b.Message})
	}
	if b.Searcher != nil {
		tools = append(tools, &sessionSearch{b.Searcher})
	}
	if b.Files != nil {
		tools = append(tools, &filesList{b.Files}, &filesRead{b.Files}, &filesWrite{b.Files})
	}
	if b.Skills != nil {
		tools = append(tools, &skillView{b.Skills}, &skillsSearch{b.Skills})
	}
	if b.Scripts != nil {
		tools = append(tools, &skillRun{b.Scripts})
	}
	if b.Author != nil {
		tools = append(tools, &skillManage{b.Author})
	}
	if b.Schedules != nil {
		tools = append(tools, &scheduleCreate{b.Schedules}, &scheduleList{b.Schedules}, &scheduleCancel{b.Schedules})
	}
	if s.Web != nil {
		tools = append(tools, &fetch{client: s.Web, open: s.Hosts, linked: map[string]bool{}})
	}
	return tools
}

// Names are the names of all tools of this package, in the order that models
// get them in: what an operator's rules can be about. Nothing is called.
func Names() []string {
	var names []string
	for _, t := range new(Set).builtin(Binding{
		Memory: struct{ Memory }{}, Searcher: struct{ Searcher }{}, Files: &Files{}, Skills: struct{ Skills }{},
		Author: struct{ Author }{}, Schedules: struct{ Schedules }{}, Scripts: struct{ Scripts }{},
	}) {
		names = append(names, t.Spec().Name)
	}
	return append(names, fetchTool) // which takes a client
}

// decode reads arguments, which the loop has checked for the required ones.
func decode[T any](in agent.Invocation) (T, error) {
	var v T
	if err := json.Unmarshal(in.Args, &v); err != nil {
		return v, fmt.Errorf("the arguments do not fit: %w", err)
	}
	return v, nil
}
