package script_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talaria/core/tool/script"
)

// refuses asserts that nothing runs and that it is said why.
func refuses(t *testing.T, sandbox string) {
	t.Helper()
	r := runner(sandbox, limits())
	if layer, err := r.Layer(t.Context()); !errors.Is(err, script.ErrRefused) {
		t.Errorf("layer %q, error %v", layer, err)
	}
	_, err := r.Run(t.Context(), script.Job{Files: skillOf("scripts/a.sh", "echo ran"), Script: "scripts/a.sh"})
	if !errors.Is(err, script.ErrRefused) {
		t.Errorf("error %v", err)
	}
}

func TestWithoutASandboxNothingRuns(t *testing.T) {
	t.Run("no such layer", func(t *testing.T) { refuses(t, "none") })
	t.Run("no bwrap", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		refuses(t, string(script.Bubblewrap))
	})
	t.Run("a bwrap that starts and holds nothing", func(t *testing.T) {
		dir := t.TempDir()
		open := "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done; shift\nexec \"$@\"\n"
		if err := os.WriteFile(filepath.Join(dir, "bwrap"), []byte(open), 0o755); err != nil {
			t.Fatal(err)
		}
		for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
			if err := os.Chmod(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("PATH", dir)
		refuses(t, string(script.Bubblewrap))
	})
}

func TestOffMeansOff(t *testing.T) {
	r := script.New(script.Config{Sandbox: script.Auto, Limits: limits()})
	if _, err := r.Run(t.Context(), script.Job{Files: skillOf("scripts/a.sh", "echo"), Script: "scripts/a.sh"}); !errors.Is(err, script.ErrOff) {
		t.Errorf("error %v", err)
	}
}

func TestScriptsOfEachLanguageRun(t *testing.T) {
	onEachLayer(t, func(t *testing.T, sandbox string) {
		r := runner(sandbox, limits())
		for name, text := range map[string]string{
			"scripts/a.sh":   "echo \"got $1 and $2\"",
			"scripts/b.bash": "x=(\"$@\"); echo \"got ${x[0]} and ${x[1]}\"",
			"scripts/c.py":   "import sys, json\nprint('got', sys.argv[1], 'and', sys.argv[2])",
			"scripts/d.js":   "console.log('got', process.argv[2], 'and', process.argv[3])",
			"scripts/e":      "#!/usr/bin/env python3\nimport sys\nprint(f'got {sys.argv[1]} and {sys.argv[2]}')",
			"scripts/f.txt":  "#!/bin/bash -eu\necho \"got $1 and $2\"",
		} {
			if res := run(t, r, name, text, "a b", "$(id)"); !res.OK() || res.Stdout != "got a b and $(id)\n" {
				t.Errorf("%s: %+v", name, res)
			}
		}
	})
}

func TestScriptWorksInItsFolder(t *testing.T) {
	onEachLayer(t, func(t *testing.T, sandbox string) {
		r := runner(sandbox, limits())
		files := skillOf("scripts/a.sh", "cat references/x.txt >copy.txt && (sort copy.txt | tr a-z A-Z; echo low >&2; pwd; exit 3)")
		files["references/x.txt"] = []byte("b\na\n")
		res, err := r.Run(t.Context(), script.Job{Files: files, Script: "scripts/a.sh"})
		dir, found := strings.CutPrefix(res.Stdout, "A\nB\n")
		if err != nil || !found || res.Stderr != "low\n" || res.Code != 3 || res.OK() {
			t.Errorf("%+v, %v", res, err)
		}
		if _, err := os.Stat(strings.TrimSpace(dir)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the folder %q is still there", dir)
		}
	})
}

func TestWhatCanNotRunIsToldWhy(t *testing.T) {
	r := runner(script.Auto, limits())
	for _, c := range []struct {
		name, text, script, why string
		args                    []string
	}{
		{"scripts/a.sh", "", "scripts/b.sh", "scripts/a.sh", nil},
		{"scripts/a.sh", "", "SKILL.md", "no script", nil},
		{"scripts/a.pl", "#!/usr/bin/perl\n", "scripts/a.pl", "perl", nil},
		{"scripts/a", "echo", "scripts/a", "names no interpreter", nil},
		{"scripts/a", "#!", "scripts/a", "interpreter", nil},
		{"scripts/a", "#!/usr/bin/env -S sh -c", "scripts/a", "interpreter", nil},
		{"scripts/a", "#!/bin/sh --rcfile=/x", "scripts/a", "short flags", nil},
		{"scripts/a.sh", "", "scripts/a.sh", "zero byte", []string{"a\x00b"}},
		{"scripts/a.sh", "", "scripts/a.sh", "arguments", make([]string, 65)},
		{"scripts/a.sh", "", "scripts/a.sh", "arguments", []string{strings.Repeat("x", 40<<10)}},
	} {
		_, err := r.Run(t.Context(), script.Job{Files: skillOf(c.name, c.text), Script: c.script, Args: c.args})
		if !errors.Is(err, script.ErrInvalid) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s %q: %v", c.script, c.text, err)
		}
	}
}

// TestTooMuchIsEnded also shows that nothing is left of it: the run returns only
// when its processes are gone.
func TestTooMuchIsEnded(t *testing.T) {
	onEachLayer(t, func(t *testing.T, sandbox string) {
		for name, c := range map[string]struct {
			text   string
			change func(*script.Limits)
			end    script.End
		}{
			"time":      {"sleep 600", func(l *script.Limits) { l.Time = 300 * time.Millisecond }, script.OutOfTime},
			"processor": {"while :; do :; done", func(l *script.Limits) { l.CPU = time.Second }, script.OutOfCPU},
			"processor of many": {"for i in 1 2 3 4; do (while :; do :; done) & done; wait",
				func(l *script.Limits) { l.CPU = time.Second }, script.OutOfCPU},
			"disk":           {"i=0; while :; do head -c 1000000 /dev/zero >f$i; i=$((i+1)); done", nil, script.OutOfSpace},
			"memory of many": {"for i in 1 2 3 4 5 6; do python3 -c \"x = b'x' * 60000000; import time; time.sleep(600)\" & done; wait", nil, script.OutOfRoom},
		} {
			l := limits()
			if c.change != nil {
				c.change(&l)
			}
			if res := run(t, runner(sandbox, l), "scripts/a.sh", c.text); res.End != c.end || res.OK() {
				t.Errorf("%s: %+v", name, res)
			}
		}
	})
}

func TestOutputIsBounded(t *testing.T) {
	onEachLayer(t, func(t *testing.T, sandbox string) {
		res := run(t, runner(sandbox, limits()), "scripts/a.sh", "head -c 30000000 /dev/zero; head -c 300000 /dev/zero >&2; exit 4")
		if len(res.Stdout) != 16<<10 || len(res.Stderr) != 16<<10 || !res.Truncated || res.Code != 4 {
			t.Errorf("%d and %d bytes, truncated %v, status %d", len(res.Stdout), len(res.Stderr), res.Truncated, res.Code)
		}
	})
}

func TestInterruptedRunEndsAtOnce(t *testing.T) {
	onEachLayer(t, func(t *testing.T, sandbox string) {
		r := runner(sandbox, limits())
		if _, err := r.Layer(t.Context()); err != nil {
			t.Fatal(err)
		}
		stop := errors.New("stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(200*time.Millisecond, func() { cancel(stop) })
		_, err := r.Run(ctx, script.Job{Files: skillOf("scripts/a.sh", "sleep 600"), Script: "scripts/a.sh"})
		if !errors.Is(err, stop) {
			t.Errorf("error %v", err)
		}
	})
}

// TestALayerIsTriedHoweverLittleTimeScriptsHave: a limit that no process can
// start within ends the script, and is no sign that there is no sandbox.
func TestALayerIsTriedHoweverLittleTimeScriptsHave(t *testing.T) {
	onEachLayer(t, func(t *testing.T, sandbox string) {
		l := limits()
		l.Time = time.Nanosecond
		if res := run(t, runner(sandbox, l), "scripts/a.sh", "echo hello"); res.End != script.OutOfTime {
			t.Errorf("%+v", res)
		}
	})
}
