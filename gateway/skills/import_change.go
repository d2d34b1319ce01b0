package skills

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"talaria/core/skill"
	"talaria/core/skill/brought"
	"talaria/core/skill/edit"
	"talaria/core/skill/foreign"
	"talaria/core/skill/manifest"
	"talaria/gateway/command"
)

// changes offers the changes that waited for somebody's approval. A new skill
// and a change of one in force become drafts; the others wait for the person's
// word.
func (in *importing) changes(ctx context.Context, home foreign.Home) error {
	for _, c := range home.Pending {
		if err := in.box().Keep(ctx, brought.Changes, c.ID, c); err != nil {
			return err
		}
	}
	waiting, err := in.box().Changes(ctx) // settled ones are not offered again
	if err != nil {
		return err
	}
	for _, c := range waiting {
		if c.About != "skills" {
			in.did("the pending change %s of memory (%s) waits for your yes: `/skills brought`", command.Plain(c.ID), command.Clipped(cmp.Or(c.Summary, c.Action), 100))
			continue
		}
		why, err := in.change(ctx, c.Pending)
		if err == nil && why == "" {
			err = in.box().Settle(ctx, brought.Changes, c.Key, "a draft")
		}
		if err != nil {
			return err
		}
		if why != "" {
			in.odd("The pending change %s (%s) is no draft yet: %s; /skills brought offers it again", c.ID, cmp.Or(c.Summary, c.Action), why)
		}
	}
	return nil
}

// pendingSkill is how a home writes a change of a skill down.
type pendingSkill struct {
	Payload struct {
		Action  string `json:"action"`
		Name    string `json:"name"`
		Content string `json:"content"`
		File    string `json:"file_path"`
		Text    string `json:"file_content"`
		Old     string `json:"old_string"`
		New     string `json:"new_string"`
		All     bool   `json:"replace_all"`
	} `json:"payload"`
}

// change proposes a pending change, or says why it can't.
func (in *importing) change(ctx context.Context, c foreign.Pending) (string, error) {
	var record pendingSkill
	if err := json.Unmarshal(c.Record, &record); err != nil {
		return "it can't be read", nil
	}
	p := record.Payload
	name, _ := manifest.Slug(p.Name)
	var before manifest.Bundle
	have, err := in.desk.library.Find(ctx, in.who, name)
	switch {
	case err == nil && have.InForce > 0:
		if before, err = in.desk.library.Bundle(ctx, in.who, have.At(have.InForce)); err != nil {
			return "", err
		}
	case err == nil:
		return "the skill itself waits for a decision", nil
	case !errors.Is(err, skill.ErrNotFound):
		return "", err
	}
	next, err := edit.Apply(before, []edit.Change{{
		Action: edit.Action(p.Action), File: p.File, Content: p.Content + p.Text, Old: p.Old, New: p.New, All: p.All,
	}})
	if err != nil {
		return err.Error(), nil
	}
	r, err := in.propose(ctx, name, next, true)
	if why := refusal(ctx, err); why != "" {
		return err.Error(), nil
	}
	if err == nil {
		err = in.tell(ctx, r.Ref)
	}
	if err == nil {
		in.did("`%s`: the change that waited there is a draft, as it was (%s)", code(name), command.Clipped(cmp.Or(c.Summary, c.Action), 100))
	}
	return "", err
}
