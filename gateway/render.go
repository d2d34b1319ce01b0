package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"talaria/adapters/markdown"
)

// renderCommand previews an answer.
type renderCommand struct {
	JSONL    bool   `name:"jsonl" help:"Read lines of {id, platform, markdown} and write lines of {id, parts}."`
	Platform string `help:"slack, discord, telegram or terminal." default:"terminal"`
	File     string `arg:"" optional:"" help:"Markdown file; else standard input."`
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

// Run renders a file for people, or lines for programs.
func (c renderCommand) Run(p *process) error {
	if c.JSONL {
		return eachLine(p.in, p.out, renderLine)
	}
	text, err := p.input(c.File)
	if err != nil {
		return err
	}
	if c.Platform == "terminal" {
		fmt.Fprintln(p.out, markdown.Terminal(string(text), false))
		return nil
	}
	parts, err := markdown.Render(c.Platform, string(text))
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
