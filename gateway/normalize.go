package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"talaria/adapters/inbound"
	"talaria/adapters/telegram"
)

// normalizeCommand replays recorded events.
type normalizeCommand struct {
	JSONL    bool   `name:"jsonl" help:"Read lines of {id, platform, context, events} and write lines of {id, turns, ignored, actions, effects}."`
	Platform string `help:"slack, discord or telegram." default:"telegram"`
	File     string `arg:"" optional:"" help:"File with a JSON list of the platform's events; else standard input."`
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

// Run replays a file for people, or lines for programs.
func (c normalizeCommand) Run(p *process) error {
	if c.JSONL {
		return eachLine(p.in, p.out, normalizeLine)
	}
	events, err := p.input(c.File)
	if err != nil {
		return err
	}
	if !json.Valid(events) {
		return usageError{fmt.Errorf("the events are no JSON list")}
	}
	line, err := json.Marshal(map[string]any{"id": "", "platform": c.Platform, "events": json.RawMessage(events)})
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
