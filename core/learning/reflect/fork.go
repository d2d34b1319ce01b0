package reflect

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/core/trace"
)

// The prompts. What memory asks is who this is and what holds here; what
// skills ask is how this kind of work is done.
var (
	//go:embed prompt.md
	promptBoth string
	//go:embed prompt_memory.md
	promptMemory string
	//go:embed prompt_skills.md
	promptSkills string
)

// allowed are the tools that a review has. All others are refused, whatever
// the turn had.
var allowed = []string{"memory", skill.ViewTool, "skills_search", tool.SkillManage}

var errRefused = errors.New("a review has the tools of memory and skills alone")

// duration is how long one review may take.
const duration = 5 * time.Minute

// fork has a model review a digest, with wishes for hands. The usage is told
// also beside an error.
func (r *Reviewer) fork(ctx context.Context, t trace.Task, d Digest, w *wishes) (s said, refused []string, used agent.Usage, err error) {
	document, err := d.document()
	if err != nil {
		return s, nil, used, err
	}
	loop := agent.New(agent.Config{
		Model: r.cfg.Model, Answer: r.cfg.MaxTokens, Log: r.cfg.Log,
		Budgets: agent.Budgets{Calls: r.cfg.MaxIterations, Tokens: r.cfg.MaxInputTokens, Duration: duration},
	})
	defer loop.Wait()
	tools, gate := new(tool.Set).Bind(tool.Binding{Principal: w.who, Memory: w, Author: w, Skills: r.cfg.Skills(w.who)})
	guard := &guard{gate: gate}
	count := func(_ context.Context, entries ...agent.Entry) error {
		for _, e := range entries {
			if e.Usage != nil {
				used = used.Plus(*e.Usage)
			}
		}
		return nil
	}
	answer, err := loop.Run(ctx, agent.Turn{
		ID: "review/" + t.ID, Session: "review/" + t.Session, Prefix: prompt(w.who.Direct, d),
		Input: agent.Message{Role: agent.User, Text: document, Origin: worst(t)}, Tools: tools, Allow: guard.allow,
	}, agent.Hooks{Record: count})
	if err != nil {
		return s, guard.refused, used, err
	}
	if answer.Ending == agent.Broken {
		return s, guard.refused, used, fmt.Errorf("the review broke off: %s", answer.Text)
	}
	s, err = parse(answer.Text)
	return s, guard.refused, used, err
}

// prompt is the prefix of a review: about memory alone where no skill may
// come of the task and none was in use, else about both.
func prompt(direct bool, d Digest) string {
	parts := []string{promptBoth, promptMemory}
	if d.Gate.Pass || len(d.Skills) > 0 {
		parts = append(parts, promptSkills)
	}
	if !direct {
		parts = append(parts, "The place is shared: keep nothing that is about one person alone.")
	}
	return strings.Join(parts, "\n")
}

// worst is the worst origin of what a task saw.
func worst(t trace.Task) chat.Origin {
	o := chat.Member
	for _, s := range t.Steps {
		o = chat.Worst(o, s.Origin)
	}
	return o
}

// guard is the gate of a review. It remembers what it refused.
type guard struct {
	gate    tool.Gate
	mu      sync.Mutex
	refused []string
}

func (g *guard) allow(ctx context.Context, s agent.Spec, args json.RawMessage) error {
	if slices.Contains(allowed, s.Name) {
		return g.gate(ctx, s, args)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refused = append(g.refused, s.Name)
	return errRefused
}
