package reflect

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/skill"
	"talaria/core/text"
	"talaria/core/tool"
	"talaria/core/trace"
)

// The prompts. What memory asks is who this is and what holds here; what
// skills ask is how this kind of work is done. In the middle of a turn it is only
// noted what may become a skill; a deep review looks across tasks as well.
var (
	//go:embed prompt.md
	promptBoth string
	//go:embed prompt_memory.md
	promptMemory string
	//go:embed prompt_skills.md
	promptSkills string
	//go:embed prompt_midway.md
	promptMidway string
	//go:embed prompt_deep.md
	promptDeep string
)

// allowed are the tools that a review has. All others are refused, whatever
// the turn had.
var allowed = []string{"memory", skill.ViewTool, "skills_search", tool.SkillManage}

var errRefused = errors.New("a review has the tools of memory and skills alone")

// forked is what came of a fork, as far as it came.
type forked struct {
	said    said
	refused []string // tools that it wanted and did not get
	used    agent.Usage
}

// fork has a model review a digest, with wishes for hands. What it used is told
// also beside an error.
func (r *Reviewer) fork(ctx context.Context, t trace.Task, d Digest, w *wishes, midway bool) (f forked, err error) {
	document, err := d.document()
	if err != nil {
		return f, err
	}
	meter := &meter{Model: r.cfg.Model}
	defer func() { f.used = meter.used }()
	loop := agent.New(agent.Config{
		Model: meter, Answer: r.cfg.MaxTokens, Log: r.cfg.Log,
		Budgets: agent.Budgets{Calls: r.cfg.MaxIterations, Tokens: r.cfg.MaxInputTokens, Duration: r.cfg.MaxDuration},
	})
	defer loop.Wait()
	tools, gate := new(tool.Set).Bind(tool.Binding{Principal: w.who, Memory: w, Author: w, Skills: r.cfg.Skills(w.who)})
	tools = slices.DeleteFunc(tools, func(t agent.Tool) bool { return !slices.Contains(allowed, t.Spec().Name) })
	note := func(_ context.Context, entries ...agent.Entry) error {
		for _, e := range entries {
			f.refused = append(f.refused, unwanted(e.Model)...)
		}
		return nil
	}
	answer, err := loop.Run(ctx, agent.Turn{
		ID: "review/" + t.ID, Session: "review/" + t.Session, Prefix: r.prompt(w.who.Direct, midway, d),
		Input: agent.Message{Role: agent.User, Text: document, Origin: worst(t)}, Tools: tools, Allow: only(gate),
	}, agent.Hooks{Record: note})
	if err != nil {
		return f, err
	}
	if answer.Ending == agent.Broken {
		return f, fmt.Errorf("the review broke off: %s", answer.Text)
	}
	f.said, err = parse(answer.Text)
	return f, err
}

// unwanted are the tools that a message calls and no review has.
func unwanted(m *agent.Message) (names []string) {
	if m == nil {
		return nil
	}
	for _, c := range m.Calls {
		if !slices.Contains(allowed, c.Name) {
			names = append(names, text.Clip(c.Name, 64))
		}
	}
	return names
}

// prompt is the prefix of a review: about memory alone where no skill may
// come of the task and none was in use, else about both.
func (r *Reviewer) prompt(direct, midway bool, d Digest) string {
	parts := []string{promptBoth, promptMemory}
	if d.Gate.Pass || len(d.Skills) > 0 {
		parts = append(parts, strings.ReplaceAll(promptSkills, "{steps}", strconv.Itoa(r.cfg.SkillSteps)))
	}
	if midway {
		parts = append(parts, promptMidway)
	}
	if len(d.Earlier) > 0 {
		parts = append(parts, promptDeep)
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

// only is a gate that lets nothing through but what a review has, whatever the
// turn was given.
func only(gate tool.Gate) tool.Gate {
	return func(ctx context.Context, s agent.Spec, args json.RawMessage) error {
		if !slices.Contains(allowed, s.Name) {
			return errRefused
		}
		return gate(ctx, s, args)
	}
}

// meter counts what a model used. Of a call that was cut short, which tells
// nothing, it counts what it was given, at four characters to a token.
type meter struct {
	agent.Model
	used agent.Usage // the calls of a review do not overlap
}

// Stream implements agent.Model.
func (m *meter) Stream(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		told, over := false, false
		defer func() {
			if !told && !over {
				m.used = m.used.Plus(agent.Usage{Input: weight(r)})
			}
		}()
		for d, err := range m.Model.Stream(ctx, r) {
			if d.Usage != nil {
				told, m.used = true, m.used.Plus(*d.Usage)
			}
			over = over || d.Stop != ""
			if !yield(d, err) {
				return
			}
		}
	}
}

// weight is about how many tokens a request has.
func weight(r agent.Request) int {
	n := len(r.Prefix)
	for _, m := range r.Messages {
		n += len(m.Text)
		for _, o := range m.Results {
			n += len(o.Text)
		}
	}
	return n / 4
}
