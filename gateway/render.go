package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strings"

	"talaria/adapters/markdown"
)

// renderCommand previews an answer.
func renderCommand() command {
	var jsonl bool
	var platform string
	return command{
		name: "render", args: "[FILE]", help: "Preview how an answer in Markdown looks on a platform.",
		flags: func(f *flag.FlagSet) {
			f.BoolVar(&jsonl, "jsonl", false, "read lines of {id, platform, markdown}, write lines of {id, parts}")
			f.StringVar(&platform, "platform", "terminal", "slack, discord, telegram or terminal")
		},
		run: func(_ context.Context, p *process, args []string) error {
			if jsonl {
				return eachLine(p.in, p.out, renderLine)
			}
			return preview(p, platform, args)
		},
	}
}

type renderRequest struct {
	ID       json.RawMessage `json:"id"`
	Platform string          `json:"platform"`
	Markdown string          `json:"markdown"`
}

type renderAnswer struct {
	ID    json.RawMessage `json:"id"`
	Parts []markdown.Part `json:"parts"`
}

// preview renders a file for people.
func preview(p *process, platform string, args []string) error {
	text, err := p.input(args)
	if err != nil {
		return err
	}
	if platform == "terminal" {
		fmt.Fprintln(p.out, markdown.Terminal(string(text), false))
		return nil
	}
	parts, err := markdown.Render(platform, string(text))
	if err != nil {
		return usageError{err}
	}
	for n, part := range parts {
		fmt.Fprintf(p.out, "--- message %d of %d, %d units ---\n%s\n", n+1, len(parts), part.Units, part.Text)
		for _, e := range part.Entities {
			fmt.Fprintln(p.out, strings.TrimSpace(fmt.Sprintf("    %s at %d, %d long %s%s", e.Type, e.Offset, e.Length, e.URL, e.Language)))
		}
		if part.File != nil {
			fmt.Fprintf(p.out, "--- file %s ---\n%s\n", part.File.Name, part.File.Text)
		}
	}
	return nil
}

func renderLine(line []byte) (any, error) {
	var r renderRequest
	if err := decode(line, &r); err != nil {
		return nil, err
	}
	parts, err := markdown.Render(r.Platform, r.Markdown)
	if err != nil {
		return nil, err
	}
	if parts == nil {
		parts = []markdown.Part{}
	}
	return renderAnswer{r.ID, parts}, nil
}
