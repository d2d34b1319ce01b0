package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"talaria/core/text"
)

// command is one entry of the command line.
type command struct {
	name  string // its words, such as "store backup"
	args  string // usage of its arguments; those in brackets may be left out, after "..." more may come
	raw   bool   // what stands behind its name is its own affair, flags too, but for --help
	help  string // one line
	more  string // told by its own --help alone
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
	if !named && len(args) > 0 {
		if group := within(commands, args[0]); len(group) > 0 {
			return c, nil, p.family(group, args)
		}
	}
	f := flag.NewFlagSet(c.name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&p.configPath, "config", p.configPath, "configuration `FILE`; else $TALARIA_CONFIG, else config.toml if there is one")
	if c.flags != nil {
		c.flags(f)
	}
	if c.raw && (len(args) == 0 || args[0] != "--help" && args[0] != "-h") {
		if !c.inner {
			args = p.withoutConfig(args)
		}
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
			return c, nil, usageError{fmt.Errorf("there is no command %q; %s", args[0], elsewhere(commands, args[0]))}
		}
		positional, args = append(positional, args[0]), args[1:]
	}
}

// leading takes what people write before a command: the configuration's file,
// and the two words that every program is asked with.
func (p *process) leading(args []string) []string {
	switch {
	case len(args) == 0:
	case args[0] == "help":
		return append(args[1:len(args):len(args)], "--help")
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

// withoutConfig takes the configuration's file out of the words of a raw
// command, wherever it stands: no chat command has an argument of that name.
func (p *process) withoutConfig(args []string) (rest []string) {
	for n := 0; n < len(args); n++ {
		file, inOne := strings.CutPrefix(args[n], "--config=")
		switch {
		case inOne:
			p.configPath = file
		case args[n] == "--config" && n+1 < len(args):
			n++
			p.configPath = args[n]
		default:
			rest = append(rest, args[n])
		}
	}
	return rest
}

// within are the commands whose first word is word and which have others.
func within(commands []command, word string) (group []command) {
	for _, c := range commands {
		if strings.HasPrefix(c.name, word+" ") {
			group = append(group, c)
		}
	}
	return group
}

// family lists the commands that begin alike: that is help where no more was
// written, and says what there is where something else was.
func (p *process) family(group []command, args []string) error {
	if len(args) > 1 && args[1] != "--help" && args[1] != "-h" {
		var names []string
		for _, c := range group {
			names = append(names, c.name)
		}
		return usageError{fmt.Errorf("there is no command %q; there are %s", args[0]+" "+args[1], strings.Join(names, ", "))}
	}
	fmt.Fprintf(p.out, "Usage: talaria %s COMMAND\n\nCommands (each takes --help):\n", args[0])
	list(p.out, group)
	return flag.ErrHelp
}

// elsewhere says where somebody who typed the word of no command finds theirs.
func elsewhere(commands []command, typed string) string {
	var words []string
	for _, c := range commands {
		if word, _, _ := strings.Cut(c.name, " "); !c.inner {
			words = append(words, word)
		}
	}
	if meant := text.Nearest(typed, words); meant != "" {
		return "did you mean " + meant + "?"
	}
	return "see talaria --help"
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
		return usageError{fmt.Errorf("%s: %s is missing%s", c.name, most[len(args)], c.where(most[len(args)]))}
	}
	return nil
}

// where tells where an argument is found: an id is in the list of its kind.
func (c command) where(arg string) string {
	family, _, ok := strings.Cut(c.name, " ")
	if !ok || arg != "ID" {
		return ""
	}
	return fmt.Sprintf("; talaria %s list shows them", family)
}

// help describes a command, and all of them with the first.
func help(w io.Writer, commands []command, c command, f *flag.FlagSet) {
	fmt.Fprintf(w, "Usage: talaria %s\n%s\n%s", strings.TrimSpace(c.name+" [flags] "+c.args), c.help, c.more)
	if c.name == commands[0].name {
		fmt.Fprint(w, "\nCommands (each takes --help):\n")
		list(w, commands)
	}
	fmt.Fprint(w, "\nFlags:\n")
	f.VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "false" {
			text += " (default " + f.DefValue + ")"
		}
		row(w, strings.TrimSpace("--"+f.Name+" "+value), text)
	})
}

// list writes a line for each command that is not for the program itself.
func list(w io.Writer, commands []command) {
	for _, c := range commands {
		if !c.inner {
			row(w, strings.TrimSpace(c.name+" "+c.args), c.help)
		}
	}
}

// row writes a name and what it is, in two columns that a terminal of 80 has
// room for. A name that is wider than its column has a line of its own.
func row(w io.Writer, name, text string) {
	const first, second = 22, 54
	if len(name) > first {
		fmt.Fprintf(w, "  %s\n", name)
		name = ""
	}
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > second {
			fmt.Fprintf(w, "  %-*s %s\n", first, name, line)
			name, line = "", ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	fmt.Fprintf(w, "  %-*s %s\n", first, name, line)
}

// countVar defines a flag that takes a number from least up.
func countVar(f *flag.FlagSet, to *int, least int, name string, value int, usage string) {
	*to = value
	f.Var(&count{to, least}, name, usage)
}

// count is a number that something is counted by, and never below least.
type count struct {
	to    *int
	least int
}

// String implements flag.Value.
func (c *count) String() string {
	if c.to == nil {
		return ""
	}
	return strconv.Itoa(*c.to)
}

// Set implements flag.Value.
func (c *count) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < c.least {
		return fmt.Errorf("write a whole number, %d or more", c.least)
	}
	*c.to = n
	return nil
}
