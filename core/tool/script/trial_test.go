package script_test

import (
	"strings"
	"testing"

	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/core/tool/script"
)

// tested is a skill of one script with tests as its front matter has them.
func tested(text string, tests ...manifest.Test) manifest.Bundle {
	front := manifest.Fields{Name: "count-lines", Description: "Count lines.", Permissions: manifest.Permissions{Scripts: true}, Tests: tests}
	return manifest.Bundle{manifest.MainFile: manifest.Compose(front), "scripts/a.sh": []byte(text)}
}

func TestDeclaredTestsAreRun(t *testing.T) {
	onEachLayer(t, func(t *testing.T, sandbox string) {
		trials, err := runner(sandbox, limits()).Try(t.Context(), tested(`[ "$1" != bad ] && echo "$# $1" || { echo broken >&2; exit 2; }`,
			manifest.Test{Script: "scripts/a.sh", Args: []string{"a b", "c"}, Expect: "2 a b"},
			manifest.Test{Script: "scripts/a.sh", Expect: "many"},
			manifest.Test{Script: "scripts/a.sh", Args: []string{"bad"}},
			manifest.Test{Script: "scripts/b.sh"},
		))
		if err != nil || len(trials) != 4 {
			t.Fatal(trials, err)
		}
		for n, want := range []string{"", `does not contain "many"`, "status 2. broken", "no script"} {
			if got := trials[n].Fault; (got == "") != (want == "") || !strings.Contains(got, want) {
				t.Errorf("%d: %q", n, got)
			}
		}
	})
}

func TestNumberOfTestsIsBounded(t *testing.T) {
	tests := make([]manifest.Test, script.MaxTrials+4)
	for n := range tests {
		tests[n].Script = "scripts/none.sh"
	}
	if trials, err := runner(script.Auto, limits()).Try(t.Context(), tested("", tests...)); err != nil || len(trials) != script.MaxTrials {
		t.Errorf("%d trials, %v", len(trials), err)
	}
}

func TestProposalsAreTried(t *testing.T) {
	candidate := func(text string) skill.Candidate {
		files := tested(text, manifest.Test{Script: "scripts/a.sh", Expect: "fine"})
		m, _, err := files.Manifest("count-lines")
		if err != nil {
			t.Fatal(err)
		}
		return skill.Candidate{Files: files, Manifest: m, Permissions: skill.Permissions{Scripts: true}}
	}
	onEachLayer(t, func(t *testing.T, sandbox string) {
		r := runner(sandbox, limits())
		for text, want := range map[string]skill.Severity{
			"echo fine": skill.Note, "echo bad": skill.Block, "exit 1": skill.Block, "#!/usr/bin/perl": skill.Warn,
		} {
			found, err := r.Check(t.Context(), candidate(text))
			if err != nil || len(found) != 1 || found[0].Severity != want {
				t.Errorf("%s: %v, %v", text, found, err)
			}
		}
		if found, err := script.New(script.Config{Sandbox: sandbox, Limits: limits()}).Check(t.Context(), candidate("exit 1")); len(found) > 0 || err != nil {
			t.Errorf("where scripts are off: %v, %v", found, err)
		}
	})
	found, err := runner("none", limits()).Check(t.Context(), candidate("echo fine"))
	if err != nil || len(found) != 1 || !strings.Contains(found[0].Message, "were not run") {
		t.Errorf("without a sandbox: %v, %v", found, err)
	}
}
