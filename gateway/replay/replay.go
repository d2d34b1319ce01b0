package replay

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"talaria/adapters/inbound"
	"talaria/core/chat"
	"talaria/core/person"
)

// Line replays a Request in JSON.
func Line(line []byte, n inbound.Normalizer) (Answer, error) {
	var r Request
	if err := json.Unmarshal(line, &r); err != nil {
		return Answer{}, fmt.Errorf("read recorded events: %w", err)
	}
	return Replay(r, n), nil
}

// Replay says what the events of r come to, given what r says is known.
func Replay(r Request, n inbound.Normalizer) Answer {
	p := replay{n: n, memory: newMemory(r.Context), answer: Answer{
		ID: r.ID, Turns: []Turn{}, Ignored: []Ignored{}, Actions: []Action{}, Effects: []inbound.Effect{},
	}}
	for _, g := range group(r, n) {
		p.take(g)
	}
	return p.answer
}

type replay struct {
	n      inbound.Normalizer
	memory *memory
	answer Answer
}

func (p *replay) take(g gathered) {
	p.answer.Effects = append(p.answer.Effects, g.Effects...)
	if reason := p.decide(g.Item); reason != "" {
		for _, i := range g.indices {
			p.answer.Ignored = append(p.answer.Ignored, Ignored{i, reason})
		}
	}
}

// What adapters drop by themselves in the live product.
const (
	unsupported = person.Reason(inbound.Unsupported)
	elsewhere   = person.Reason(inbound.Elsewhere)
)

// decide carries out what is decided on the item, and returns the reason if
// that means nothing.
func (p *replay) decide(item inbound.Item) person.Reason {
	if item.Reason != "" {
		return person.Reason(item.Reason)
	}
	e := item.Event
	place := p.n.Chat(e.Address)
	d := person.Decide(e, p.memory.of(item, place))
	switch {
	case d.Do == person.Upkeep:
		p.upkeep(e)
		return cmp.Or(d.Reason, unsupported)
	case d.Do == person.Tell:
		p.effect(inbound.Effect{Type: "tell_user", About: string(d.Reason), Chat: place})
		return d.Reason
	case d.Do == person.Replace:
		p.effect(inbound.Effect{Type: "replace_queued", Key: item.Concerns, Text: e.Text})
		return ""
	case d.Do == person.Serve:
		return p.serve(item, d)
	case e.Kind == chat.Migrate:
		return person.SystemMessage // both halves of a migration say it
	case d.Reason == person.SpaceClosed:
		return person.NotAddressed // in a place that the input leaves out
	}
	return d.Reason
}

func (p *replay) serve(item inbound.Item, d person.Decision) person.Reason {
	e := item.Event
	heard := d.Addressed == chat.Ambient || d.Addressed == chat.ByThread
	switch {
	case item.ToOtherBot && heard:
		return elsewhere
	case e.Kind == chat.Message, e.Kind == chat.Command:
		p.memory.keep(e.Keys...)
		p.turn(e, e.Key(), d.Addressed)
	case e.Kind == chat.Edit:
		p.memory.keep(item.Concerns)
		p.turn(e, item.Concerns, d.Addressed)
	case e.Kind == chat.Press:
		p.memory.keep(e.Keys...)
		p.press(e)
	default:
		return unsupported
	}
	return ""
}

func (p *replay) press(e chat.Event) {
	p.answer.Actions = append(p.answer.Actions, Action{
		Kind: "button", User: e.Author.Identity.ID, Chat: p.n.Chat(e.Address), Message: e.Message,
		Action: e.Press.Action, Token: e.Press.Token, Key: e.Key(),
	})
}

// upkeep does what is nobody's request.
func (p *replay) upkeep(e chat.Event) {
	switch {
	case e.Kind == chat.Migrate:
		p.memory.keep(e.Keys...)
		p.effect(inbound.Effect{Type: "migrate_chat", From: p.n.Chat(e.Migrate.From), To: p.n.Chat(e.Migrate.To)})
	case e.Kind == chat.Leave && e.Author.Self:
		p.effect(inbound.Effect{Type: "target_dead", Chat: p.n.Chat(e.Address)})
	}
}

func (p *replay) effect(e inbound.Effect) { p.answer.Effects = append(p.answer.Effects, e) }

func (p *replay) turn(e chat.Event, key string, by chat.Addressed) {
	t := Turn{
		User: e.Author.Identity.ID, Chat: p.n.Chat(e.Address), Thread: e.Address.Thread, Text: e.Text,
		Direct: e.Direct, AddressedBy: by, Attachments: []chat.Attachment{},
		Forwarded: e.Forwarded, Key: key,
	}
	if e.Command != nil {
		t.Command = &chat.CommandCall{Name: e.Command.Name, Args: strings.TrimSpace(e.Command.Args)}
	}
	t.Attachments = append(t.Attachments, e.Attachments...)
	if e.Quoted != nil {
		t.Quoted = &Quoted{User: e.Quoted.User, Text: e.Quoted.Text}
	}
	p.answer.Turns = append(p.answer.Turns, t)
}
