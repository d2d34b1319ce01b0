package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"talaria/adapters/console"
	"talaria/core/skill/foreign"
	"talaria/core/skill/manifest"
)

// skillsCheckCommand tells how skills come through the reader that imports them.
func skillsCheckCommand() command {
	var jsonl bool
	return command{
		name: "skills check", args: "[PATH...]", help: "Check skills, each a SKILL.md, a folder with one or a ZIP of skills. Exits 1 if one is refused.",
		flags: func(f *flag.FlagSet) {
			f.BoolVar(&jsonl, "jsonl", false, "read lines of {id, path}, write lines of {id, result, name, description, messages}")
		},
		run: func(_ context.Context, p *process, args []string) error {
			switch {
			case jsonl:
				return eachLine(p.in, p.out, skillsCheckLine)
			case len(args) == 0:
				return usageError{errors.New("skills check: name a path, or --jsonl")}
			}
			return checkAll(p.out, args)
		},
	}
}

// checked is how a skill came through.
type checked struct {
	ID          json.RawMessage `json:"id"`
	Result      manifest.Level  `json:"result"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Messages    []string        `json:"messages"`
}

// skillsCheckLine answers one line of a program. A path that can't be read is an
// answer too: the lines behind it still count.
func skillsCheckLine(line []byte) (any, error) {
	var request struct {
		ID   json.RawMessage `json:"id"`
		Path string          `json:"path"`
	}
	if err := decode(line, &request); err != nil {
		return nil, err
	}
	if request.Path == "" {
		return nil, errors.New("path is missing")
	}
	answer, err := checkSkill(request.Path)
	if err != nil {
		answer.Result, answer.Messages = manifest.Refuse, append(answer.Messages, err.Error())
	}
	answer.ID = request.ID
	return answer, nil
}

// checkAll tells about every path. That one is refused is a failure.
func checkAll(w io.Writer, paths []string) error {
	var refused error
	for _, path := range paths {
		found, err := checkPath(path)
		if err != nil {
			return usageError{fmt.Errorf("skills check: %w", err)}
		}
		for _, f := range found {
			answer := answerOf(f.Manifest, f.Messages)
			tellChecked(w, f.Path, answer)
			if answer.Result == manifest.Refuse {
				refused = errReported
			}
		}
	}
	return refused
}

// checkPath reads the skills at a path: those of an archive, else one.
func checkPath(path string) ([]foreign.Found, error) {
	if isArchive(path) {
		return archived(path)
	}
	_, m, messages, err := manifest.Load(path)
	if errors.Is(err, manifest.ErrRefused) {
		err = nil // that is an answer
	}
	return []foreign.Found{{Path: path, Manifest: m, Messages: messages}}, err
}

// checkSkill reads the one skill at a path. An error is about the path alone.
func checkSkill(path string) (checked, error) {
	found, err := checkPath(path)
	if err == nil && len(found) > 1 {
		err = fmt.Errorf("%s holds %d skills, and this is about one", path, len(found))
	}
	if len(found) != 1 {
		return checked{Messages: []string{}}, err
	}
	return answerOf(found[0].Manifest, found[0].Messages), err
}

func answerOf(m manifest.Manifest, messages []manifest.Message) checked {
	out := checked{Result: manifest.Worst(messages), Name: m.Name, Description: m.Description, Messages: []string{}}
	for _, message := range messages {
		out.Messages = append(out.Messages, message.Text)
	}
	return out
}

// tellChecked writes the answer for people.
func tellChecked(w io.Writer, path string, c checked) {
	name := c.Name
	if name == "" {
		name = "-"
	}
	fmt.Fprintf(w, "%-6s  %s  (%s)\n", c.Result, console.Line(name), console.Line(path))
	for _, message := range c.Messages {
		fmt.Fprintf(w, "        %s.\n", console.Line(message))
	}
}
