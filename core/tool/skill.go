package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/skill"
)

//go:embed skill_view.md
var skillViewDescription string

//go:embed skills_search.md
var skillsSearchDescription string

// Skills is what a turn may read of the library. The handle is bound to the
// turn's principal.
type Skills interface {
	// View reads a file of a skill that may be used now, its SKILL.md for "".
	View(ctx context.Context, name, file string) (SkillFile, error)
	// Search returns up to limit skills, the best first.
	Search(ctx context.Context, query string, limit int) ([]SkillHit, error)
}

// SkillFile is a file of a skill in force.
type SkillFile struct {
	Revision int
	Text     string
	Others   []string    // paths of the skill's other files
	Origin   chat.Origin // whose words these are, as far as nobody has approved them
}

// SkillHit is a skill that was found.
type SkillHit struct{ Name, Description string }

type skillView struct{ skills Skills }

func (t *skillView) Spec() agent.Spec {
	return agent.Spec{
		Name: skill.ViewTool, Description: skillViewDescription, Effect: agent.Read, Timeout: 10 * time.Second, Output: maxSkill,
		Schema: json.RawMessage(`{"type":"object","required":["name"],"properties":{
			"name":{"type":"string","description":"the skill's name, as listed"},
			"file":{"type":"string","description":"path of one of its files; left out: the skill itself"}}}`),
	}
}

// maxSkill is the most of a skill's file that a turn is given, in bytes.
const maxSkill = 48 << 10

func (t *skillView) Call(ctx context.Context, in agent.Invocation) (agent.Result, error) {
	args, err := decode[struct{ Name, File string }](in)
	if err != nil {
		return agent.Result{}, err
	}
	f, err := t.skills.View(ctx, args.Name, args.File)
	if err != nil {
		return agent.Result{}, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s", skill.InUse{Name: args.Name, Number: f.Revision}, f.Text)
	if len(f.Others) > 0 {
		fmt.Fprintf(&b, "\n\n[other files of this skill: %s]", strings.Join(f.Others, ", "))
	}
	return agent.Result{Text: b.String(), Origin: f.Origin}, nil
}

type skillsSearch struct{ skills Skills }

func (t *skillsSearch) Spec() agent.Spec {
	return agent.Spec{
		Name: "skills_search", Description: skillsSearchDescription, Effect: agent.Read, Timeout: 10 * time.Second,
		Schema: json.RawMessage(`{"type":"object","required":["query"],"properties":{
			"query":{"type":"string","description":"what is to be done, in a few words"}}}`),
	}
}

func (t *skillsSearch) Call(ctx context.Context, in agent.Invocation) (agent.Result, error) {
	args, err := decode[struct{ Query string }](in)
	if err != nil {
		return agent.Result{}, err
	}
	if strings.TrimSpace(args.Query) == "" {
		return agent.Result{}, errors.New("the query is empty")
	}
	const most = 8
	hits, err := t.skills.Search(ctx, args.Query, most)
	if err != nil {
		return agent.Result{}, fmt.Errorf("search skills: %w", err)
	}
	if len(hits) == 0 {
		return agent.Result{Text: "No skill fits.", Origin: chat.Self}, nil
	}
	var b strings.Builder
	for _, h := range hits {
		fmt.Fprintf(&b, "- %s: %s\n", h.Name, h.Description)
	}
	return agent.Result{Text: strings.TrimSpace(b.String()), Origin: chat.Member}, nil
}
