package script

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"talaria/core/skill"
	"talaria/core/skill/manifest"
)

// MaxTrials is how many of a skill's tests are run; more are not.
const MaxTrials = 8

// Trial is what came of one of a skill's tests.
type Trial struct {
	Test   manifest.Test
	Result Result
	Fault  string // what is wrong, for people; empty: it is as it should be
}

// Try runs the tests that a skill declares. It returns none for a skill without
// tests, and an error only where tests can't be run at all here: see ErrOff and
// ErrRefused. All together may take as long as two runs.
func (r *Runner) Try(ctx context.Context, files manifest.Bundle) ([]Trial, error) {
	m, _, err := files.Manifest("")
	if err != nil {
		return nil, fmt.Errorf("read the skill: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 2*r.config.Limits.Time)
	defer cancel()
	var out []Trial
	for _, test := range m.Tests[:min(len(m.Tests), MaxTrials)] {
		t := Trial{Test: test}
		t.Result, err = r.Run(ctx, Job{Files: files, Script: test.Script, Args: test.Args})
		switch {
		case errors.Is(err, ErrInvalid):
			t.Fault = err.Error()
		case errors.Is(err, context.DeadlineExceeded):
			t.Fault = "there was no time left for it"
		case err != nil:
			return out, err
		default:
			t.Fault = t.Result.fault(test)
		}
		out = append(out, t)
	}
	return out, nil
}

func (r Result) fault(test manifest.Test) string {
	const most = 200
	said := strings.Join(strings.Fields(r.Stderr), " ")
	if runes := []rune(said); len(runes) > most {
		said = "..." + string(runes[len(runes)-most:])
	}
	switch {
	case r.End != Exited:
		return "it was ended: " + string(r.End)
	case r.Code != 0:
		return strings.TrimSpace(fmt.Sprintf("it ended with status %d. %s", r.Code, said))
	case !strings.Contains(r.Stdout, test.Expect):
		return fmt.Sprintf("its output does not contain %q", test.Expect)
	}
	return ""
}

// Check runs the declared tests of skills that ask for scripts, as one of the
// library's checks. A test that came to its end and failed blocks: the skill does
// not do what it says itself. One that did not warns, since that may be this
// machine's fault; where nothing runs, the card says that nothing was tried.
func (r *Runner) Check(ctx context.Context, c skill.Candidate) ([]skill.Finding, error) {
	if !r.Enabled() || !c.Permissions.Scripts || len(c.Manifest.Tests) == 0 {
		return nil, nil
	}
	const name = "test run"
	trials, err := r.Try(ctx, c.Files)
	if errors.Is(err, ErrRefused) {
		return []skill.Finding{{Check: name, Severity: skill.Note, Message: "its tests were not run: " + ErrRefused.Error()}}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("run the skill's tests: %w", err)
	}
	var out []skill.Finding
	for _, t := range trials {
		if t.Fault == "" {
			continue
		}
		severity := skill.Warn
		if t.Result.End == Exited {
			severity = skill.Block
		}
		out = append(out, skill.Finding{Check: name, Severity: severity, File: t.Test.Script, Message: t.Fault})
	}
	if len(out) == 0 {
		out = append(out, skill.Finding{Check: name, Severity: skill.Note, Message: fmt.Sprintf("its tests passed in the sandbox (%d)", len(trials))})
	}
	return out, nil
}
