package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// command is one entry of the command line.
type command struct {
	name  string // its words, such as "store backup"
	args  string // usage of its arguments; those in brackets may be left out, after "..." more may come
	raw   bool   // what stands behind its name is its own affair, flags too, but for --help
	help  string // one line
	inner bool   // for the program's own use, and not listed
	flags func(f *flag.FlagSet)
	run   func(ctx context.Context, p *process, args []string) error
}

// usageError is a mistake of whoever called the command.
type usageError struct{ error }

// parse finds the command that the arguments name, the first one if they name
// none, and binds its flags. Flags may stand before and behind arguments.
func parse(commands []command, p *process, args []string) (command, []string, error) {
	args = p.leading(args)
	c, args, named := find(commands, args)
	f := flag.NewFlagSet(c.name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&p.configPath, "config", p.configPath, "configuration `FILE`; else $TALARIA_CONFIG, else config.toml if there is one")
	if c.flags != nil {
		c.flags(f)
	}
	if c.raw && (len(args) == 0 || args[0] != "--help" && args[0] != "-h") {
		return c, args, nil
	}
	var positional []string
	for {
		if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
			help(p.out, commands, c, f)
			return c, nil, flag.ErrHelp
		} else if err != nil {
			return c, nil, usageError{fmt.Errorf("%s: %w", c.name, err)}
		}
		if args = f.Args(); len(args) == 0 {
			return c, positional, c.count(positional)
		}
		if !named {
			return c, nil, usageError{fmt.Errorf("there is no command %q; see talaria --help", args[0])}
		}
		positional, args = append(positional, args[0]), args[1:]
	}
}

// leading takes what people write before a command: the configuration's file,
// and the two words that every program is asked with.
func (p *process) leading(args []string) []string {
	switch {
	case len(args) == 0:
	case args[0] == "help" && len(args) == 1:
		return []string{"--help"}
	case args[0] == "--version" || args[0] == "-version":
		return []string{"version"}
	case strings.HasPrefix(args[0], "--config="):
		p.configPath = strings.TrimPrefix(args[0], "--config=")
		return args[1:]
	case args[0] == "--config" && len(args) > 2:
		p.configPath = args[1]
		return args[2:]
	}
	return args
}

// find returns the command with the longest name that the arguments begin
// with, and the other arguments; the default command where none is named.
func find(commands []command, args []string) (c command, rest []string, named bool) {
	best, words := commands[0], 0
	for _, c := range commands {
		name := strings.Fields(c.name)
		if len(name) > words && len(args) >= len(name) && slices.Equal(args[:len(name)], name) {
			best, words = c, len(name)
		}
	}
	return best, args[words:], words > 0
}

// count compares the arguments with what the command takes.
func (c command) count(args []string) error {
	most := strings.Fields(c.args)
	least := len(most) - strings.Count(c.args, "[")
	switch {
	case len(args) > len(most) && !strings.Contains(c.args, "..."):
		return usageError{fmt.Errorf("%s: unexpected %q; see talaria --help", c.name, args[len(most)])}
	case len(args) < least:
		return usageError{fmt.Errorf("%s: %s is missing", c.name, most[len(args)])}
	}
	return nil
}

// help describes a command, and all of them with the first.
func help(w io.Writer, commands []command, c command, f *flag.FlagSet) {
	fmt.Fprintf(w, "Usage: talaria %s\n%s\n", strings.TrimSpace(c.name+" [flags] "+c.args), c.help)
	if c.name == commands[0].name {
		fmt.Fprint(w, "\nCommands (each takes --help):\n")
		for _, c := range commands {
			if c.inner {
				continue
			}
			fmt.Fprintf(w, "  %-22s %s\n", strings.TrimSpace(c.name+" "+c.args), c.help)
		}
	}
	fmt.Fprint(w, "\nFlags:\n")
	f.VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "false" {
			text += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(w, "  %-22s %s\n", strings.TrimSpace("--"+f.Name+" "+value), text)
	})
}
