package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"talaria/core/skill/manifest"
)

// skillsCheckCommand tells how skills come through the reader that imports them.
func skillsCheckCommand() command {
	var jsonl bool
	return command{
		name: "skills check", args: "[PATH...]", help: "Check skills, each a SKILL.md or a folder with one.",
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
			for _, path := range args {
				answer, err := checkSkill(path)
				if err != nil {
					return usageError{fmt.Errorf("skills check: %w", err)}
				}
				tellChecked(p.out, path, answer)
			}
			return nil
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

// checkSkill reads a skill. An error is about the path alone.
func checkSkill(path string) (checked, error) {
	_, m, messages, err := manifest.Load(path)
	out := checked{Result: manifest.Worst(messages), Name: m.Name, Description: m.Description, Messages: []string{}}
	for _, message := range messages {
		out.Messages = append(out.Messages, message.Text)
	}
	if errors.Is(err, manifest.ErrRefused) {
		err = nil // that is an answer
	}
	return out, err
}

// tellChecked writes the answer for people.
func tellChecked(w io.Writer, path string, c checked) {
	name := c.Name
	if name == "" {
		name = "-"
	}
	fmt.Fprintf(w, "%-6s  %s  (%s)\n", c.Result, name, path)
	for _, message := range c.Messages {
		fmt.Fprintf(w, "        %s.\n", message)
	}
}
