package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"

	"talaria/adapters/discord"
	"talaria/adapters/slack"
	"talaria/adapters/telegram"
)

// normalizeCommand replays recorded events.
func normalizeCommand() command {
	var jsonl bool
	var platform string
	return command{
		name: "normalize", args: "[FILE]", help: "Replay a JSON list of recorded platform events and see what they come to.",
		flags: func(f *flag.FlagSet) {
			f.BoolVar(&jsonl, "jsonl", false, "read lines of {id, platform, context, events}, write lines of {id, turns, ignored, actions, effects}")
			f.StringVar(&platform, "platform", "telegram", "slack, discord or telegram")
		},
		run: func(_ context.Context, p *process, args []string) error {
			if jsonl {
				return eachLine(p.in, p.out, normalizeLine)
			}
			return replay(p, platform, args)
		},
	}
}

// normalizers are the pure inbound halves of the adapters.
var normalizers = map[string]func(line []byte) (any, error){
	"slack":    slack.Normalize,
	"discord":  discord.Normalize,
	"telegram": telegram.Normalize,
}

// replay replays a file for people.
func replay(p *process, platform string, args []string) error {
	events, err := p.input(args)
	if err != nil {
		return err
	}
	if !json.Valid(events) {
		return usageError{fmt.Errorf("the events are no JSON list")}
	}
	line, err := json.Marshal(map[string]any{"id": "", "platform": platform, "events": json.RawMessage(events)})
	if err != nil {
		return fmt.Errorf("encode events: %w", err)
	}
	answer, err := normalizeLine(line)
	if err != nil {
		return usageError{err}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(answer); err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	_, err = p.out.Write(text.Bytes())
	return err
}

func normalizeLine(line []byte) (any, error) {
	var r struct{ Platform string }
	if err := decode(line, &r); err != nil {
		return nil, err
	}
	normalize, ok := normalizers[r.Platform]
	if !ok {
		return nil, fmt.Errorf("platform %q is none of slack, discord, telegram", r.Platform)
	}
	return normalize(line)
}
