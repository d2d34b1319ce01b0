package briefing

import (
	"context"
	"errors"
	"fmt"

	"talaria/core/chat"
	"talaria/core/tool"
	"talaria/core/tool/script"
)

// errNoScripts: what a skill was authorised for does not hold its scripts.
var errNoScripts = errors.New("it was not approved to run scripts; its permissions have to ask for them")

// scripts runs those of the shelf's skills, nil where they are off.
func (s *shelf) scripts(r *script.Runner) tool.Scripts {
	if r == nil || !r.Enabled() {
		return nil
	}
	return &scripts{shelf: s, runner: r}
}

// scripts implements tool.Scripts for one turn.
type scripts struct {
	shelf  *shelf
	runner *script.Runner
}

// Run looks the skill up afresh: one that was disabled a moment ago runs
// nothing.
func (s *scripts) Run(ctx context.Context, name, file string, args []string) (script.Result, chat.Origin, error) {
	v, files, err := s.shelf.all.library.Files(ctx, s.shelf.who, name)
	if err != nil {
		return script.Result{}, chat.Self, err
	}
	if !v.Permissions.Scripts {
		return script.Result{}, chat.Self, fmt.Errorf("run a script of %q: %w", name, errNoScripts)
	}
	origin, err := s.shelf.origin(ctx, v)
	if err != nil {
		return script.Result{}, chat.Self, err
	}
	res, err := s.runner.Run(ctx, script.Job{Files: files, Script: file, Args: args})
	if err != nil {
		return script.Result{}, chat.Self, fmt.Errorf("run a script of %q: %w", name, err)
	}
	return res, origin, nil
}
