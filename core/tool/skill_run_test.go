package tool_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/core/tool/script"
)

// scripts runs nothing and gives one result.
type scripts struct {
	result script.Result
	err    error
	asked  []string
}

func (s *scripts) Run(_ context.Context, name, file string, args []string) (script.Result, chat.Origin, error) {
	s.asked = append([]string{name, file}, args...)
	return s.result, chat.Member, s.err
}

func TestScriptIsRunWithItsArguments(t *testing.T) {
	s := &scripts{result: script.Result{End: script.Exited, Stdout: "3\n"}}
	run := bound(t, &tool.Set{}, tool.Binding{Principal: member, Scripts: s}, tool.SkillRun)
	res, err := invoke(t, run, `{"name":"count-lines","script":"scripts/a.sh","args":["x y","$(id)"]}`, agent.Invocation{})
	if err != nil || res.Text != "3" || res.Origin != chat.TrustedTool {
		t.Errorf("%+v, %v", res, err)
	}
	if diff := cmp.Diff([]string{"count-lines", "scripts/a.sh", "x y", "$(id)"}, s.asked); diff != "" {
		t.Error(diff)
	}
}

func TestHowAScriptEndedIsTold(t *testing.T) {
	for want, r := range map[string]script.Result{
		"failed with status 2":    {End: script.Exited, Code: 2, Stderr: "no such file"},
		"was ended: out of time":  {End: script.OutOfTime, Code: 137},
		"there was more output":   {End: script.Exited, Stdout: "x", Truncated: true},
		"printed nothing":         {End: script.Exited},
		"[messages of the script": {End: script.Exited, Stdout: "x", Stderr: "careful"},
	} {
		run := bound(t, &tool.Set{}, tool.Binding{Principal: member, Scripts: &scripts{result: r}}, tool.SkillRun)
		if res, err := invoke(t, run, `{"name":"a","script":"b"}`, agent.Invocation{}); err != nil || !strings.Contains(res.Text, want) {
			t.Errorf("want %q: %+v, %v", want, res, err)
		}
	}
}

func TestScriptThatCanNotRunIsAnError(t *testing.T) {
	run := bound(t, &tool.Set{}, tool.Binding{Principal: member, Scripts: &scripts{err: script.ErrRefused}}, tool.SkillRun)
	if _, err := invoke(t, run, `{"name":"a","script":"b"}`, agent.Invocation{}); !errors.Is(err, script.ErrRefused) {
		t.Errorf("error %v", err)
	}
}

// TestScriptsNeedAYes: a turn that saw foreign text, a policy that asks, and a
// skill in use that may not run scripts.
func TestScriptsNeedAYes(t *testing.T) {
	beyond := func(s agent.Spec, in agent.Invocation) bool { return !tool.Within(skill.Permissions{}, s, in) }
	ask := tool.Policy{{Tool: tool.SkillRun, Decision: tool.Ask}}
	for name, c := range map[string]struct {
		set     tool.Set
		binding tool.Binding
		in      agent.Invocation
	}{
		"foreign text": {in: agent.Invocation{Context: chat.External}},
		"policy":       {set: tool.Set{Policy: ask}},
		"skill in use": {binding: tool.Binding{Beyond: beyond}},
	} {
		s, a := &scripts{}, &asker{}
		c.binding.Principal, c.binding.Scripts, c.binding.Asker = member, s, a
		res, err := invoke(t, bound(t, &c.set, c.binding, tool.SkillRun), `{"name":"a","script":"b"}`, c.in)
		if err != nil || res.Ask == nil || len(a.requests) != 1 || s.asked != nil {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
}
