package curate

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/lesson"
	"talaria/core/learning/reflect"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/core/trace"
	"talaria/storage"
)

//go:embed prompt_improve.md
var promptImprove string

// ErrNoBetter: no better text was found. It is wrapped with the reason.
var ErrNoBetter = errors.New("no change is proposed")

// Improve writes a better text for a skill, from its failed uses, for whoever
// asked for it to propose. It returns ErrNoBetter where there is none.
func (c *Curator) Improve(ctx context.Context, r skill.Ref) (skill.Proposal, error) {
	s, err := c.cfg.Upkeep.Skill(ctx, r.At(0))
	if err != nil {
		return skill.Proposal{}, err
	}
	if !s.Live() {
		return skill.Proposal{}, skill.ErrDisabled
	}
	one, err := c.subject(ctx, s)
	if err != nil {
		return skill.Proposal{}, err
	}
	lim := c.cfg.Limits
	return c.improved(ctx, s, len(one.Uses) >= lim.Rewritten && success(one.Uses) < lim.Prune)
}

// improved is the proposal of a better text.
func (c *Curator) improved(ctx context.Context, s skill.Skill, rewrite bool) (skill.Proposal, error) {
	if c.cfg.Model == nil {
		return skill.Proposal{}, fmt.Errorf("%w: there is no model to write it", ErrNoBetter)
	}
	files, _, err := c.cfg.Upkeep.Bundle(ctx, s.Ref.At(0))
	if err != nil {
		return skill.Proposal{}, err
	}
	d := document{Name: s.Name, Text: string(files[manifest.MainFile]), Rewrite: rewrite}
	pr := skill.Proposal{Ref: s.Ref.At(0), Base: s.Hash, ByAgent: true, Origin: chat.Member}
	if err := c.evidence(ctx, s, &d, &pr); err != nil {
		return skill.Proposal{}, err
	}
	if len(d.Failed) == 0 && !(rewrite && len(d.Succeeded) > 0) {
		return skill.Proposal{}, fmt.Errorf("%w: nothing is kept any more of tasks in which %s failed", ErrNoBetter, s.Name)
	}
	said, err := c.ask(ctx, s.Scope, d)
	if ctx.Err() != nil {
		return skill.Proposal{}, ctx.Err()
	}
	if err != nil {
		return skill.Proposal{}, fmt.Errorf("%w: %w", ErrNoBetter, err)
	}
	if strings.TrimSpace(said.Text) == "" || said.Text == d.Text {
		return skill.Proposal{}, fmt.Errorf("%w: %s", ErrNoBetter, said.Reason)
	}
	if why := unlearnable(d.Text, said.Text); why != "" {
		return skill.Proposal{}, fmt.Errorf("%w: what was written is %s", ErrNoBetter, why)
	}
	pr.Files, pr.Reason = maps.Clone(files), said.Reason
	pr.Files[manifest.MainFile] = []byte(said.Text)
	return pr, nil
}

// document is what a model is shown.
type document struct {
	Name      string           `json:"name"`
	Text      string           `json:"text"`
	Rewrite   bool             `json:"rewrite"`
	Failed    []reflect.Digest `json:"failed"`
	Succeeded []reflect.Digest `json:"succeeded,omitempty"`
}

// rewritten is what a model answers.
type rewritten struct {
	Reason string `json:"reason"`
	Text   string `json:"text"`
}

// evidence adds the uses, the latest first, to the document, and to the
// proposal where they come from.
func (c *Curator) evidence(ctx context.Context, s skill.Skill, d *document, pr *skill.Proposal) error {
	const looked = 60
	uses, err := c.cfg.Upkeep.Uses(ctx, s.Ref, looked)
	if err != nil {
		return err
	}
	for _, u := range uses {
		to := &d.Failed
		if u.Success {
			to = &d.Succeeded
		}
		if len(*to) >= c.cfg.Limits.Shown || u.Success && !d.Rewrite {
			continue
		}
		t, o, ok, err := c.task(ctx, s.Scope, u)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		*to = append(*to, reflect.DigestOf(t, o, c.cfg.Limits.WholeSteps))
		pr.Provenance = append(pr.Provenance, occasion(t, c.cfg.Model.Name()))
		for _, step := range t.Steps {
			pr.Origin = chat.Worst(pr.Origin, step.Origin)
		}
	}
	return nil
}

// occasion is a task as what something comes from; model wrote it, if one did.
func occasion(t trace.Task, model string) skill.Provenance {
	return skill.Provenance{
		Task: t.ID, Place: t.Place.String(), People: slices.DeleteFunc(t.People(), func(id person.ID) bool { return id == "" }),
		Model: model, At: t.Last(),
	}
}

// task reads the trace of a use. What was done in somebody's direct
// conversation is not read for a skill that others see, nor for a place's skill
// what was done in another place, which subscribed to it.
func (c *Curator) task(ctx context.Context, s skill.Scope, u skill.Use) (trace.Task, learning.Observed, bool, error) {
	place, ok := chat.ParseAddress(u.Place)
	if !ok || s.Kind == skill.Space && place.Place() != s.Place {
		return trace.Task{}, learning.Observed{}, false, nil
	}
	at := person.ShardOf(place)
	t, err := trace.Get(ctx, c.cfg.Store, at, u.Task)
	var o learning.Observed
	if err == nil {
		o, err = learning.ObservationOf(ctx, c.cfg.Store, at, u.Task)
	}
	if errors.Is(err, storage.ErrNotFound) {
		return trace.Task{}, o, false, nil
	}
	return t.Value, o, err == nil && t.Value.Direct == (s.Kind == skill.Person), err
}

// ask has the model write.
func (c *Curator) ask(ctx context.Context, s skill.Scope, d document) (rewritten, error) {
	var out rewritten
	body := &bytes.Buffer{}
	if err := json.NewEncoder(body).Encode(d); err != nil {
		return out, err
	}
	text := strings.ReplaceAll(strings.TrimSpace(body.String()), "</skill", `<\/skill`)
	var answer strings.Builder
	var used agent.Usage
	var failed error
	for delta, err := range c.cfg.Model.Stream(ctx, agent.Request{
		Prefix: promptImprove, MaxTokens: c.cfg.Limits.Answer, Session: "improve/" + d.Name,
		Messages: []agent.Message{{Role: agent.User, Text: "<skill>\n" + text + "\n</skill>", Origin: chat.External}},
	}) {
		if err != nil {
			failed = err
			break
		}
		answer.WriteString(delta.Text)
		if delta.Usage != nil {
			used = *delta.Usage
		}
	}
	if c.cfg.Spent != nil {
		c.cfg.Spent(s, used)
	}
	if failed != nil {
		return out, failed
	}
	from, to := strings.IndexByte(answer.String(), '{'), strings.LastIndexByte(answer.String(), '}')
	if from < 0 || to < from || json.Unmarshal([]byte(answer.String()[from:to+1]), &out) != nil {
		return out, errors.New("the model's answer can't be read")
	}
	return out, nil
}

// unlearnable says of what class the first new line is that must not be
// learned, whatever a model made of it.
func unlearnable(before, after string) lesson.Class {
	known := map[string]bool{}
	for line := range strings.Lines(before) {
		known[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(after) {
		if line = strings.TrimSpace(line); !known[line] {
			if why := lesson.Refuse(line); why != "" {
				return why
			}
		}
	}
	return ""
}
