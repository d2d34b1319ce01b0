package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/skill/edit"
)

//go:embed skill_manage.md
var skillManageDescription string

// SkillManage is the name of the tool that proposes skills and changes of them.
const SkillManage = "skill_manage"

// Author takes what a turn proposes about skills. The handle is bound to the
// turn's principal; doing the same again is harmless.
type Author interface {
	// Propose takes changes of one skill in, and says in words for the model
	// what became of them.
	Propose(ctx context.Context, w SkillWish) (string, error)
	// Archive puts a skill away, where the author may, and says so.
	Archive(ctx context.Context, name, reason string) (string, error)
}

// SkillWish is what a model wants of a skill.
type SkillWish struct {
	Name    string
	Reason  string
	Changes []edit.Change
	Origin  chat.Origin // the worst of what the model had seen
}

type skillManage struct{ author Author }

func (t *skillManage) Spec() agent.Spec {
	return agent.Spec{
		Name: SkillManage, Description: skillManageDescription, Effect: agent.Idempotent, Permission: "skills", Timeout: 30 * time.Second,
		Schema: json.RawMessage(`{"type":"object","required":["name","reason"],"properties":{
			"name":{"type":"string","description":"the skill's name, kebab-case"},
			"reason":{"type":"string","description":"why, in one sentence; people read it when they decide"},
			"archive":{"type":"boolean","description":"put the skill away instead of changing it"},
			"changes":{"type":"array","items":{"type":"object","required":["action"],"properties":{
				"action":{"type":"string","enum":["create","edit","patch","write_file","remove_file"]},
				"file":{"type":"string","description":"for write_file, remove_file and patch; below references/, templates/, scripts/ or assets/"},
				"content":{"type":"string","description":"the whole text, for create, edit and write_file"},
				"old":{"type":"string","description":"for patch: the piece to replace, as it stands there, with enough around it to be the only one"},
				"new":{"type":"string","description":"for patch: what to put there"},
				"all":{"type":"boolean","description":"for patch: every place"}}}}}}`),
	}
}

func (t *skillManage) Call(ctx context.Context, in agent.Invocation) (agent.Result, error) {
	args, err := decode[struct {
		Name, Reason string
		Archive      bool
		Changes      []edit.Change
	}](in)
	if err != nil {
		return agent.Result{}, err
	}
	var done string
	switch {
	case strings.TrimSpace(args.Reason) == "":
		err = errors.New("the reason is empty")
	case args.Archive && len(args.Changes) > 0:
		err = errors.New("either archive the skill or change it")
	case args.Archive:
		done, err = t.author.Archive(ctx, args.Name, args.Reason)
	default:
		done, err = t.author.Propose(ctx, SkillWish{args.Name, args.Reason, args.Changes, chat.Worst(chat.Member, in.Context)})
	}
	return agent.Result{Text: done, Origin: chat.Self}, err
}
