package script

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"talaria/core/skill/manifest"
)

// Layer is what keeps a script in.
type Layer string

// The layers, the stronger first.
const (
	Bubblewrap Layer = "bwrap"
	Landlock   Layer = "landlock"
)

// Auto in place of a layer stands for the strongest that holds.
const Auto = "auto"

// Command is the hidden word that the program is started with to become a
// script; its arguments go to Enter.
const Command = "sandbox-exec"

var (
	// ErrOff is returned while scripts are not enabled.
	ErrOff = errors.New("scripts are off here; an operator can turn them on with tools.scripts.enabled")
	// ErrRefused is wrapped where no sandbox holds on this machine.
	ErrRefused = errors.New("no sandbox holds on this machine, so no script is run")
	// ErrInvalid is wrapped where a script or its arguments can't be run as they
	// are.
	ErrInvalid = errors.New("this can't be run")
)

// Limits bound one run. All must be positive.
type Limits struct {
	Time      time.Duration // by the clock
	CPU       time.Duration // of all processes together, whole seconds
	Memory    int64         // bytes, of all processes together
	Processes int           // threads count too
	Files     int           // that each process may have open
	Disk      int64         // bytes in its folder
	Output    int           // bytes of each stream that are kept
}

// Config says whether and how scripts run.
type Config struct {
	Enabled bool
	Sandbox string // Auto or a Layer
	Limits  Limits
	Log     *slog.Logger
}

// Job is one script of a skill.
type Job struct {
	Files  manifest.Bundle
	Script string // its path in Files, below "scripts/"
	Args   []string
}

// End is why a run ended, in words for people.
type End string

// The ends of a run.
const (
	Exited     End = "exited"
	OutOfTime  End = "out of time"
	OutOfCPU   End = "out of processor time"
	OutOfSpace End = "out of disk space"
	OutOfRoom  End = "out of memory"
	TooMany    End = "too many processes"
)

// Result is what came of a run. Its texts are foreign.
type Result struct {
	End            End
	Code           int // exit status; 128 and the signal's number where one ended it
	Stdout, Stderr string
	Truncated      bool // there was more output than is kept
	Layer          Layer
	Took           time.Duration
}

// OK reports whether the script ended by itself and well.
func (r Result) OK() bool { return r.End == Exited && r.Code == 0 }

// maxRuns bounds how many scripts run at once; others wait.
const maxRuns = 4

// Runner runs scripts.
type Runner struct {
	config Config
	slots  chan struct{}

	mu    sync.Mutex
	layer Layer // the one that was found to hold
}

// New returns a runner. Nothing is started yet.
func New(c Config) *Runner { return &Runner{config: c, slots: make(chan struct{}, maxRuns)} }

// Enabled reports whether the operator wants scripts to run.
func (r *Runner) Enabled() bool { return r.config.Enabled }

// Layer is the layer that holds, by trying. The error wraps ErrRefused where
// none does. What was found to hold is not tried again.
func (r *Runner) Layer(ctx context.Context) (Layer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.layer != "" {
		return r.layer, nil
	}
	var why []error
	for _, layer := range []Layer{Bubblewrap, Landlock} {
		if r.config.Sandbox != Auto && r.config.Sandbox != string(layer) {
			continue
		}
		err := r.probe(ctx, layer)
		if err == nil {
			r.layer = layer
			return layer, nil
		}
		if ctx.Err() != nil {
			return "", fmt.Errorf("try the sandbox %s: %w", layer, context.Cause(ctx))
		}
		why = append(why, fmt.Errorf("%s: %w", layer, err))
	}
	return "", fmt.Errorf("%w (%w)", ErrRefused, errors.Join(why...))
}

// Run runs a script to its end. That it fails, or is too much, is no error but
// in the Result.
func (r *Runner) Run(ctx context.Context, j Job) (Result, error) {
	if !r.config.Enabled {
		return Result{}, ErrOff
	}
	argv, err := j.argv()
	if err != nil {
		return Result{}, err
	}
	layer, err := r.Layer(ctx)
	if err != nil {
		return Result{}, err
	}
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return Result{}, fmt.Errorf("wait for other scripts: %w", context.Cause(ctx))
	}
	return r.inBox(ctx, layer, j.Files, argv)
}

// inBox runs a command in a new folder with these files.
func (r *Runner) inBox(ctx context.Context, layer Layer, files manifest.Bundle, argv []string) (Result, error) {
	dir, err := newBox(files)
	if err != nil {
		return Result{}, fmt.Errorf("make a folder for the script: %w", err)
	}
	res, err := r.start(ctx, layer, dir, argv)
	if e := removeBox(dir); e != nil {
		r.config.Log.ErrorContext(ctx, "folder of a script left behind", "dir", dir, "err", e)
	}
	res.Layer = layer
	return res, err
}

// clean makes output text.
func clean(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
