//go:build !linux || !(amd64 || arm64)

package script

import (
	"context"
	"errors"
	"os"
)

var errPlatform = errors.New("scripts need Linux on amd64 or arm64")

func (r *Runner) probe(context.Context, Layer) error { return errPlatform }

func (r *Runner) start(context.Context, Layer, string, []string) (Result, error) {
	return Result{}, errPlatform
}

// Enter fails: there is no sandbox to enter on this platform.
func Enter([]string) error { return errPlatform }

func runsAs() (user int, other bool) { return os.Getuid(), false }
