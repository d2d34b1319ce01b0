// Command talaria is a bot that a team talks to in Slack, Discord, Telegram and
// the terminal, and the tools of those who run it.
//
// This package parses, turns signals into a context and returns an exit code;
// one file holds one command. Nothing deeper knows of arguments, signals or
// the process. What a command does is in the packages below.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"talaria/gateway/config"
)

// Exit codes.
const (
	exitDone   = 0 // also where an answer is "no"
	exitFailed = 1
	exitUsage  = 2 // bad usage, configuration or input
)

// commands is the command line.
type commands struct {
	Config string `help:"Configuration file; else $TALARIA_CONFIG, else config.toml if there is one." placeholder:"FILE"`

	Serve     serveCommand     `cmd:"" default:"withargs" help:"Run the bot (the default)."`
	Chat      chatCommand      `cmd:"" help:"Talk to the bot here: in the terminal, or line by line through a pipe."`
	Doctor    doctorCommand    `cmd:"" help:"Look for what is wrong and say what to do."`
	Status    statusCommand    `cmd:"" help:"What the running bot is doing."`
	Health    healthCommand    `cmd:"" help:"Is the running bot ready? For container health checks."`
	Store     storeCommand     `cmd:"" help:"Check, back up and restore the store."`
	Render    renderCommand    `cmd:"" help:"Preview how an answer looks on a platform."`
	Normalize normalizeCommand `cmd:"" help:"Replay recorded platform events and see what they come to."`
	Search    searchCommand    `cmd:"" help:"Try the session search on a file."`
	Version   versionCommand   `cmd:"" help:"Print the version."`
}

// process is what a command may use of its surroundings.
type process struct {
	in         io.Reader
	out        io.Writer
	err        io.Writer
	environ    []string
	configPath string
	interrupts *interrupts
}

// usageError is a mistake of whoever called the command.
type usageError struct{ error }

// errReported: the command failed and has told why.
var errReported = errors.New("failed")

func main() {
	ctx, interrupts, stop := listen()
	p := &process{in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Environ(), interrupts: interrupts}
	code := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// run parses the arguments, runs the command and returns the exit code.
func (p *process) run(ctx context.Context, args []string) int {
	var c commands
	helped := false
	parser, err := kong.New(&c, kong.Name("talaria"), kong.Writers(p.out, p.err),
		kong.Description("A team's bot that learns from its work."),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Exit(func(int) { helped = true }))
	if err != nil {
		return p.code(err)
	}
	call, err := parser.Parse(args)
	if helped {
		return exitDone
	}
	if err != nil {
		return p.code(usageError{err})
	}
	p.configPath = c.Config
	return p.code(call.Run(p))
}

// code tells an error to the person and makes an exit code of it.
func (p *process) code(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errReported):
		return exitFailed
	}
	fmt.Fprintln(p.err, "talaria: "+err.Error())
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*config.Error](err); ok {
		return exitUsage
	}
	return exitFailed
}

// load reads the configuration and tells its warnings.
func (p *process) load() (config.Config, error) {
	cfg, warnings, err := config.Load(p.configFile(), p.environ)
	for _, w := range warnings {
		fmt.Fprintln(p.err, "talaria: warning: "+w.String())
	}
	return cfg, err
}

// configFile is the file that the caller or the environment names, if any.
func (p *process) configFile() string {
	if p.configPath != "" {
		return p.configPath
	}
	return config.Variable(config.PathVariable, p.environ)
}
