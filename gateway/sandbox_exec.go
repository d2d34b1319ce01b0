package main

import (
	"context"

	"talaria/core/tool/script"
)

// sandboxExecCommand is what the program starts itself with to become a script.
func sandboxExecCommand() command {
	return command{
		name: script.Command, raw: true, inner: true, help: "Become a script of a skill in its sandbox; for the program's own use.",
		run: func(_ context.Context, _ *process, args []string) error { return script.Enter(args) },
	}
}
