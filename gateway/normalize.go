package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"

	"talaria/adapters/inbound"
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

// normalizers are the pure inbound halves of the adapters that exist.
var normalizers = map[string]func(line []byte) (any, error){
	"telegram": telegram.Normalize,
}

// unavailable is the answer for a platform whose adapter does not exist yet.
// It is an answer and no error, so that a file of mixed events can be replayed.
type unavailable struct {
	inbound.Answer
	Error string `json:"error"`
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
	var r struct{ ID, Platform string }
	if err := decode(line, &r); err != nil {
		return nil, err
	}
	if normalize, ok := normalizers[r.Platform]; ok {
		return normalize(line)
	}
	if r.Platform != "slack" && r.Platform != "discord" {
		return nil, fmt.Errorf("platform %q is none of slack, discord, telegram", r.Platform)
	}
	empty := inbound.Answer{ID: r.ID, Turns: []inbound.Turn{}, Ignored: []inbound.Ignored{}, Actions: []inbound.Action{}, Effects: []inbound.Effect{}}
	return unavailable{empty, "platform " + r.Platform + " is not available in this version"}, nil
}
