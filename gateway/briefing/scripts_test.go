package briefing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/core/tool/script"
)

// TestMain plays the program: it becomes a script where it is asked to.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == script.Command {
		fmt.Fprintln(os.Stderr, script.Enter(os.Args[2:]))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// library has one skill.
type library struct {
	Library
	skill    skill.Skill
	revision skill.Revision
	err      error
}

func (l library) Files(context.Context, person.Principal, string) (skill.Skill, manifest.Bundle, error) {
	return l.skill, manifest.Bundle{"scripts/a.sh": []byte("echo \"$# $1\"")}, l.err
}

func (l library) Revision(context.Context, person.Principal, skill.Ref) (skill.Revision, error) {
	return l.revision, nil
}

func onShelf(l library, enabled bool) *scripts {
	// The kernel counts processes by user, and other tests' scripts that fork without
	// end may run as the same one: the limit leaves room for them.
	r := script.New(script.Config{Enabled: enabled, Sandbox: script.Auto, Log: slog.New(slog.DiscardHandler), Limits: script.Limits{
		Time: time.Minute, CPU: 10 * time.Second, Memory: 64 << 20, Processes: 200, Files: 32, Disk: 1 << 20, Output: 1 << 10,
	}})
	out, _ := (&shelf{all: newSkills(Config{Library: l})}).scripts(r).(*scripts)
	return out
}

func TestScriptOfASkillRuns(t *testing.T) {
	l := library{skill: skill.Skill{Permissions: skill.Permissions{Scripts: true}}, revision: skill.Revision{Grant: &skill.Grant{By: "p1"}, Origin: chat.External}}
	s := onShelf(l, true)
	res, origin, err := s.Run(t.Context(), "count-lines", "scripts/a.sh", []string{"a b", "c"})
	if _, none := s.runner.Layer(t.Context()); none != nil { // a machine that no sandbox holds on
		if !errors.Is(err, script.ErrRefused) {
			t.Errorf("error %v", err)
		}
		return
	}
	if err != nil || res.Stdout != "2 a b\n" || origin != chat.Member {
		t.Errorf("%+v from %v, %v", res, origin, err)
	}
}

func TestScriptsOfOtherSkillsDoNot(t *testing.T) {
	for name, l := range map[string]library{
		"permission": {},
		"disabled":   {err: skill.ErrDisabled},
	} {
		_, _, err := onShelf(l, true).Run(t.Context(), "x", "scripts/a.sh", nil)
		if err == nil || l.err != nil && !errors.Is(err, l.err) || l.err == nil && !strings.Contains(err.Error(), "not approved") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestThereAreNoScriptsWhereTheyAreOff(t *testing.T) {
	if onShelf(library{}, false) != nil {
		t.Error("there are")
	}
}
