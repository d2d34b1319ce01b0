package main

import (
	"context"
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"

	"talaria/adapters/console"
	"talaria/core/chat"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/gateway/wording"
)

// chatCommand talks to the bot here, whatever platforms are configured.
func chatCommand() command {
	return command{name: "chat", help: "Talk to the bot here: in the terminal, or line by line through a pipe, each line a message.", run: converse}
}

// converse returns after the last answer to the last line, or when the person
// leaves.
func converse(ctx context.Context, p *process, _ []string) error {
	cfg, err := p.load()
	if err != nil {
		return err
	}
	cfg.Adapters = config.Default().Adapters
	log := p.logger(cfg)
	return run(ctx, app.Options{Config: cfg, Log: log, Console: p.console(cfg, log)})
}

// input is what standard input is.
type input int

const (
	nothing  input = iota // no input ever comes, as in a container
	lines                 // a pipe or a file
	terminal              // a person
)

// stdin tells what standard input is.
func (p *process) stdin() input {
	f, ok := p.in.(*os.File)
	if !ok {
		return lines
	}
	if p.out == io.Writer(os.Stdout) && f == os.Stdin && console.Supported() {
		return terminal
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return nothing
	}
	return lines
}

// console makes the console's adapter: a terminal's for a person, a pipe's
// for everything else.
func (p *process) console(cfg config.Config, log *slog.Logger) func(func(context.Context) error, app.Blobs) chat.Adapter {
	return func(idle func(context.Context) error, blobs app.Blobs) chat.Adapter {
		o := console.Options{Idle: idle, OpenBlob: blobs, Folder: cfg.Storage.Local(), Log: log, Language: locale(p.environ)}
		if p.stdin() != terminal {
			return console.NewPipe(p.in, p.out, o)
		}
		say := wording.ForLocale(o.Language).Text
		return console.NewTerminal(console.TerminalOptions{
			Options:    o,
			Interrupts: p.interrupts.want(),
			LogLines:   p.logLines,
			Greeting:   say("Talaria. /help lists what I can do; Ctrl-C stops an answer, Ctrl-D leaves."),
			Say:        say,
		})
	}
}

// logger is the program's log. At a terminal only warnings are shown: the log
// would stand between the lines of the conversation, where the terminal has it on
// lines of its own.
func (p *process) logger(cfg config.Config) *slog.Logger {
	if p.stdin() == terminal && cfg.Log.Level == config.Default().Log.Level {
		cfg.Log.Level = "warn"
	}
	if p.stdin() == terminal && p.err == io.Writer(os.Stderr) && term.IsTerminal(int(os.Stderr.Fd())) {
		p.logLines = console.NewLogWriter(p.err)
		return newLogger(cfg, p.logLines)
	}
	return newLogger(cfg, p.err)
}
