package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"talaria/adapters/console"
	"talaria/core/skill/manifest"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/gateway/control"
)

// skillsCommand is /skills in the shell.
func skillsCommand() command {
	return command{
		name: "skills", args: "[--as PERSON] [--at PLACE] [VERB ...]", raw: true, run: runSkills,
		help: "What /skills does in chat, here: list, show, approve NAME, rollback NAME, ...; import [--approve] PATH takes in a folder,\n" +
			"a ZIP or a Hermes home, export NAME DIR writes a skill's files.",
		more: `
Verbs, explained by "talaria skills help":
  see:     list, search, show, diff, history, pending, digest, audit
  decide:  approve, reject, edit, rollback, undo
  keep:    disable, enable, pin, unpin, archive, restore, cleanup
  share:   share, publish, adopt, subscribe
  change:  config, improve
  move:    import, export, brought
`,
	}
}

// runSkills is /skills with two verbs that reach the machine's files.
func runSkills(ctx context.Context, p *process, args []string) error {
	t, err := typedOf("skills", args)
	if err != nil {
		return usageError{fmt.Errorf("skills: %w", err)}
	}
	words := strings.Fields(t.Line)[1:]
	switch {
	case len(words) > 0 && words[0] == "import":
		return importSkills(ctx, p, t, args)
	case len(words) == 3 && words[0] == "export":
		return exportSkill(ctx, p, t, words[1], words[2])
	}
	return typed("skills")(ctx, p, args)
}

// importSkills has the bot read a path of this machine.
func importSkills(ctx context.Context, p *process, t app.Typed, args []string) error {
	rest := args[slices.Index(args, "import")+1:]
	t.Approve = slices.Contains(rest, "--approve")
	rest = slices.DeleteFunc(slices.Clone(rest), func(a string) bool { return a == "--approve" })
	later, err := typedOf("", rest) // --as and --at may also stand behind the verb
	if err != nil || len(rest) == 0 {
		return usageError{errors.Join(errors.New("skills import: [--approve] [--as PERSON] [--at PLACE] DIR, FILE or ZIP"), err)}
	}
	path := strings.TrimSpace(later.Line)
	if later.As.Platform != "" {
		t.As = later.As
	}
	if later.At.Chat != "" {
		t.At = later.At
	}
	if t.Import, err = filepath.Abs(path); err != nil {
		return usageError{fmt.Errorf("skills import: %w", err)}
	}
	if _, err := os.Stat(t.Import); err != nil {
		return usageError{fmt.Errorf("skills import: %w", err)}
	}
	cfg, err := p.load()
	if err != nil {
		return err
	}
	a, err := ask(ctx, cfg, t)
	if err != nil {
		return err
	}
	return p.show(a)
}

// exportSkill writes the files of a skill into a folder of its name below dir.
func exportSkill(ctx context.Context, p *process, t app.Typed, name, dir string) error {
	cfg, err := p.load()
	if err != nil {
		return err
	}
	t.Line = "skills export " + name
	a, err := ask(ctx, cfg, t)
	if err != nil {
		return err
	}
	if len(a.Files) != 1 {
		return p.show(a)
	}
	f := a.Files[0]
	files := manifest.Bundle{manifest.MainFile: f.Data}
	if strings.HasSuffix(f.Name, ".zip") {
		if files, _, _, err = manifest.ReadZip(bytes.NewReader(f.Data), int64(len(f.Data))); err != nil {
			return err
		}
	}
	to := filepath.Join(dir, strings.TrimSuffix(strings.TrimSuffix(f.Name, ".zip"), ".md"))
	if err := files.WriteTo(to); err != nil {
		return err
	}
	fmt.Fprintln(p.out, "written: "+to)
	return nil
}

// journeyCommand and curveCommand are /journey and /curve in the shell; with
// --json they give the payloads alone.
func journeyCommand() command {
	return command{
		name: "journey", args: "[--as PERSON] [--at PLACE] [--json | delete ID | edit ID TEXT]", raw: true, run: typed("journey"),
		help: "What was learned, as a graph.",
	}
}

func curveCommand() command {
	return command{
		name: "curve", args: "[--as PERSON] [--at PLACE] [--json]", raw: true, run: typed("curve"),
		help: "How work of each kind goes over time.",
	}
}

// typed runs a chat command by its name, in the running bot or, where none
// runs, in a bot that takes no messages meanwhile.
func typed(name string) func(ctx context.Context, p *process, args []string) error {
	return func(ctx context.Context, p *process, args []string) error {
		t, err := typedOf(name, args)
		if err != nil {
			return usageError{fmt.Errorf("%s: %w", name, err)}
		}
		cfg, err := p.load()
		if err != nil {
			return err
		}
		a, err := ask(ctx, cfg, t)
		if err == nil && a.Outcome == app.Done && name != "skills" && slices.Contains(args, "--json") {
			_, err = fmt.Fprintln(p.out, a.Markdown) // a payload for programs
			return err
		}
		if err != nil {
			return err
		}
		return p.show(a)
	}
}

// typedOf reads --as and --at, and takes the rest as the command's own.
func typedOf(name string, args []string) (t app.Typed, err error) {
	var as config.Person
	var at config.Place
	for len(args) > 1 && err == nil && (args[0] == "--as" || args[0] == "--at") {
		if args[0] == "--as" {
			err = as.UnmarshalText([]byte(args[1]))
		} else {
			err = at.UnmarshalText([]byte(args[1]))
		}
		args = args[2:]
	}
	t.As, t.At = as.Identity, at.Address
	t.Line = strings.Join(append([]string{name}, args...), " ")
	return t, err
}

func ask(ctx context.Context, cfg config.Config, t app.Typed) (app.Answer, error) {
	c, err := control.Dial(ctx, cfg.Storage.Socket())
	if err == nil {
		defer c.Close()
		var answer app.Answer
		err := c.Call(ctx, control.Typed, t, &answer)
		return answer, err
	}
	if !errors.Is(err, control.ErrNotRunning) {
		return app.Answer{}, err
	}
	a, err := app.New(ctx, app.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return app.Answer{}, err
	}
	answer, err := a.Command(ctx, t)
	return answer, errors.Join(err, a.Close())
}

// show prints an answer, and writes the files that came with it into the
// present folder. A refusal is told where errors are.
func (p *process) show(a app.Answer) error {
	text := console.Text(inShell(strings.TrimSpace(a.Markdown)), p.stdin() == terminal)
	switch a.Outcome {
	case app.Refused:
		fmt.Fprintln(p.err, text)
		return errReported
	case app.Misused:
		fmt.Fprintln(p.err, text)
		return errMisused
	}
	fmt.Fprintln(p.out, text)
	for _, f := range a.Files {
		file, err := os.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return fmt.Errorf("write what came with the answer: %w", err)
		}
		_, err = file.Write(f.Data)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		fmt.Fprintln(p.out, "written: "+f.Name)
	}
	return nil
}

// quoted is the start of a chat command that has a form in the shell.
var quoted = regexp.MustCompile("`/(skills|journey|curve)\\b")

// inShell writes the commands that an answer advises as they are typed in the
// shell. What it shows in a block stands as it is.
func inShell(md string) string {
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(md) {
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(mark) >= 3:
			fence = mark
		case fence != "" && strings.TrimSpace(line) == fence:
			fence = ""
		case fence == "":
			line = quoted.ReplaceAllString(line, "`talaria $1")
		}
		out.WriteString(line)
	}
	return out.String()
}
