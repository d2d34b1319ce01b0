package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/tool/script"
)

//go:embed skill_run.md
var skillRunDescription string

// SkillRun is the name of the tool that runs scripts of skills.
const SkillRun = "skill_run"

// Scripts runs scripts of skills. The handle is bound to the turn's principal.
type Scripts interface {
	// Run runs a script of a skill that may be used now and may run scripts.
	// The origin is that of the skill, as far as nobody has approved it.
	Run(ctx context.Context, name, file string, args []string) (script.Result, chat.Origin, error)
}

type skillRun struct{ scripts Scripts }

// maxScript is the longest that a script may be allowed to run.
const maxScript = 10 * time.Minute

func (t *skillRun) Spec() agent.Spec {
	return agent.Spec{
		Name: SkillRun, Description: skillRunDescription, Effect: agent.Effectful, Permission: "scripts", Timeout: maxScript + time.Minute, Output: maxSkill,
		Schema: json.RawMessage(`{"type":"object","required":["name","script"],"properties":{
			"name":{"type":"string","description":"the skill's name"},
			"script":{"type":"string","description":"path of the script in it, such as scripts/count.py"},
			"args":{"type":"array","items":{"type":"string"},"description":"its arguments, one by one; no shell reads them"}}}`),
	}
}

func (t *skillRun) Call(ctx context.Context, in agent.Invocation) (agent.Result, error) {
	args, err := decode[struct {
		Name, Script string
		Args         []string
	}](in)
	if err != nil {
		return agent.Result{}, err
	}
	res, origin, err := t.scripts.Run(ctx, args.Name, args.Script, args.Args)
	if err != nil {
		return agent.Result{}, err
	}
	// It may print what it was told, so it is as foreign as the turn.
	return agent.Result{Text: report(res), Origin: chat.Worst(chat.TrustedTool, origin, in.Context)}, nil
}

// report is a run for the model.
func report(r script.Result) string {
	var b strings.Builder
	switch {
	case r.End != script.Exited:
		fmt.Fprintf(&b, "[the script was ended: %s]\n", r.End)
	case r.Code != 0:
		fmt.Fprintf(&b, "[the script failed with status %d]\n", r.Code)
	}
	b.WriteString(r.Stdout)
	if r.Stderr != "" {
		b.WriteString("\n[messages of the script]\n" + r.Stderr)
	}
	if r.Truncated {
		b.WriteString("\n[there was more output; it was left out]")
	}
	if strings.TrimSpace(b.String()) == "" {
		return "[the script ended well and printed nothing]"
	}
	return strings.TrimSpace(b.String())
}
