package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"

	"talaria/adapters/discord"
	"talaria/adapters/inbound"
	"talaria/adapters/slack"
	"talaria/adapters/telegram"
	"talaria/gateway/replay"
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
			return replayFile(p, platform, args)
		},
	}
}

// normalizers are the pure inbound halves of the adapters.
var normalizers = map[string]func() inbound.Normalizer{
	"slack":    slack.Normalizer,
	"discord":  discord.Normalizer,
	"telegram": telegram.Normalizer,
}

// replayFile replays a file for people.
func replayFile(p *process, platform string, args []string) error {
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
	normalizer, ok := normalizers[r.Platform]
	if !ok {
		return nil, fmt.Errorf("platform %q is none of slack, discord, telegram", r.Platform)
	}
	answer, err := replay.Line(line, normalizer())
	if err != nil {
		return nil, err
	}
	return answer, nil
}
