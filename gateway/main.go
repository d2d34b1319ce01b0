// Command talaria is a bot that a team talks to in Slack, Discord, Telegram and
// the terminal, and the tools of those who run it.
//
// This package parses, turns signals into a context and returns an exit code;
// one file holds one command. Nothing deeper knows of arguments, signals or
// the process. What a command does is in the packages below.
//
// # Decisions
//
// The command line is read with the standard library. A library that calls
// methods by their names makes the linker keep every exported method of the
// whole program: with kong the binary was 76 MB and not 41, and 8 MB more of
// it were in memory.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"talaria/adapters/console"
	"talaria/gateway/config"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1 // also where something is refused
	exitUsage  = 2 // bad usage, configuration or input
)

// commands are all commands, the default one first.
func commands() []command {
	return []command{
		serveCommand(), chatCommand(), doctorCommand(), statusCommand(), healthCommand(),
		storeCheckCommand(), storeBackupCommand(), storeRestoreCommand(), storeLiveCommand(),
		jobsParseCommand(), jobsListCommand(), jobsShowCommand(), jobsPauseCommand(), jobsResumeCommand(), jobsRunCommand(), jobsDeleteCommand(), jobsSetCommand(),
		setupSlackCommand(), setupDiscordCommand(), setupTelegramCommand(),
		skillsCommand(), journeyCommand(), curveCommand(), skillsCheckCommand(), skillsScanCommand(), skillsPatchCommand(), skillsMatchCommand(), skillsSimilarCommand(), skillsIndexCommand(),
		tracesListCommand(), tracesShowCommand(), tracesExportCommand(),
		reflectionListCommand(), reflectionShowCommand(), reflectionTriggerCommand(),
		renderCommand(), normalizeCommand(), searchCommand(), versionCommand(), sandboxExecCommand(),
	}
}

// process is what a command may use of its surroundings.
type process struct {
	in         io.Reader
	out        io.Writer
	err        io.Writer
	environ    []string
	configPath string
	interrupts *interrupts
	logLines   *console.LogWriter // the log, where it comes to the terminal of the conversation
}

// errReported: the command failed and has told why.
var errReported = errors.New("failed")

// errMisused: the command was not understood and has told how it is used.
var errMisused = errors.New("not understood")

func main() {
	ctx, interrupts, stop := listen()
	p := &process{in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Environ(), interrupts: interrupts}
	code := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// run parses the arguments, runs the command and returns the exit code.
func (p *process) run(ctx context.Context, args []string) int {
	c, args, err := parse(commands(), p, args)
	if errors.Is(err, flag.ErrHelp) {
		return exitDone
	}
	if err == nil {
		err = c.run(ctx, p, args)
	}
	return p.code(err)
}

// code tells an error to the person and makes an exit code of it.
func (p *process) code(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errReported):
		return exitFailed
	case errors.Is(err, errMisused):
		return exitUsage
	}
	fmt.Fprintln(p.err, "talaria: "+helped(err).Error())
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
