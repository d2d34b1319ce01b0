package inbound

import (
	"encoding/json"
	"fmt"
	"slices"

	"talaria/core/chat"
)

// Normalizer is one platform's pure part.
type Normalizer interface {
	// Normalize says what one raw event comes to. It never fails: what can't
	// be read is dropped with a reason.
	Normalize(raw json.RawMessage, known Knowledge) Item
	// Merge makes one event of the parts of a group, in order of arrival.
	Merge(parts []chat.Event) chat.Event
	// Chat is how the platform's chats are written in an Answer.
	Chat(a chat.Address) string
}

// Request is one line of input: events of one platform in order of arrival.
type Request struct {
	ID       string            `json:"id"`
	Platform string            `json:"platform"`
	Context  Knowledge         `json:"context"`
	Events   []json.RawMessage `json:"events"`
}

// Answer is one line of output: what the events of a Request came to.
type Answer struct {
	ID      string    `json:"id"`
	Turns   []Turn    `json:"turns"`
	Ignored []Ignored `json:"ignored"`
	Actions []Action  `json:"actions"`
	Effects []Effect  `json:"effects"`
}

// Turn is a message or command that is handed to the agent.
type Turn struct {
	User        string            `json:"user"`
	Chat        string            `json:"chat"`
	Thread      string            `json:"thread"`
	Text        string            `json:"text"`
	Direct      bool              `json:"is_dm"`
	AddressedBy chat.Addressed    `json:"addressed_by"`
	Attachments []chat.Attachment `json:"attachments"`
	Command     *chat.CommandCall `json:"command"`
	Quoted      *Quoted           `json:"quoted"`
	Forwarded   bool              `json:"forwarded"`
	Key         string            `json:"dedupe_key"`
}

// Quoted is the message that a turn replies to or forwards.
type Quoted struct {
	User string `json:"user"`
	Text string `json:"text"`
}

// Ignored names an event, by its index, that came to nothing.
type Ignored struct {
	Event  int    `json:"event"`
	Reason Reason `json:"reason"`
}

// Action is a pressed button.
type Action struct {
	Kind    string `json:"kind"`
	User    string `json:"user"`
	Chat    string `json:"chat"`
	Message string `json:"message"`
	Action  string `json:"action"`
	Token   string `json:"token"`
	Key     string `json:"dedupe_key"`
}

// ReplayLine replays a Request in JSON.
func ReplayLine(line []byte, n Normalizer) (Answer, error) {
	var r Request
	if err := json.Unmarshal(line, &r); err != nil {
		return Answer{}, fmt.Errorf("read recorded events: %w", err)
	}
	return Replay(r, n), nil
}

// Replay says what the events of r come to, given what r says is known.
func Replay(r Request, n Normalizer) Answer {
	p := replay{n: n, gate: newGate(r.Context), answer: Answer{
		ID: r.ID, Turns: []Turn{}, Ignored: []Ignored{}, Actions: []Action{}, Effects: []Effect{},
	}}
	for _, g := range group(r, n) {
		p.take(g)
	}
	return p.answer
}

// gathered is one event with the indices of the raw events it was made of.
type gathered struct {
	Item
	parts   []chat.Event
	indices []int
}

func (g gathered) holds(message string) bool {
	return slices.ContainsFunc(g.parts, func(e chat.Event) bool { return e.Message == message })
}

// group normalises all events and merges the parts of each album where its
// first part stands.
func group(r Request, n Normalizer) []gathered {
	var all []gathered
	albums := map[string]int{}
	for i, raw := range r.Events {
		item := n.Normalize(raw, r.Context)
		at, known := albums[item.Group]
		switch {
		case item.Group == "" || !known:
			albums[item.Group] = len(all)
			all = append(all, gathered{item, []chat.Event{item.Event}, []int{i}})
		case all[at].holds(item.Event.Message):
			all = append(all, gathered{Item: Drop(Duplicate), indices: []int{i}})
		default:
			all[at].parts = append(all[at].parts, item.Event)
			all[at].indices = append(all[at].indices, i)
		}
	}
	for i, g := range all {
		if len(g.parts) > 1 {
			all[i].Event = n.Merge(g.parts)
		}
	}
	return all
}

type replay struct {
	n      Normalizer
	gate   *gate
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

// decide carries the item out and returns the reason if that means nothing.
func (p *replay) decide(item Item) Reason {
	e := item.Event
	switch {
	case item.Reason != "":
		return item.Reason
	case e.Kind == chat.Message, e.Kind == chat.Command:
		return p.message(item)
	case e.Kind == chat.Edit:
		return p.edit(item)
	case e.Kind == chat.Press:
		return p.press(e)
	case e.Kind == chat.Migrate:
		return p.migrate(e)
	case e.Kind == chat.Leave && e.Author.Self:
		p.effect(Effect{Type: "target_dead", Chat: p.n.Chat(e.Address)})
		return System
	case e.Kind == chat.Join, e.Kind == chat.Leave:
		return System
	case e.Kind == chat.Delete:
		return Deleted
	}
	return Unsupported
}

func (p *replay) message(item Item) Reason {
	addressed, reason := p.gate.message(item, p.n.Chat(item.Event.Address))
	switch {
	case reason == Stale:
		p.effect(Effect{Type: "tell_user", About: "stale", Chat: p.n.Chat(item.Event.Address)})
		return reason
	case reason != "":
		return reason
	}
	p.turn(item.Event, item.Event.Key(), addressed)
	return ""
}

func (p *replay) edit(item Item) Reason {
	addressed, waits, reason := p.gate.edit(item, p.n.Chat(item.Event.Address))
	switch {
	case reason != "":
		return reason
	case waits:
		p.effect(Effect{Type: "replace_queued", Key: item.Concerns, Text: item.Event.Text})
	default:
		p.turn(item.Event, item.Concerns, addressed)
	}
	return ""
}

func (p *replay) press(e chat.Event) Reason {
	if !p.gate.first(e.Keys) {
		return Duplicate
	}
	p.answer.Actions = append(p.answer.Actions, Action{
		Kind: "button", User: e.Author.Identity.ID, Chat: p.n.Chat(e.Address), Message: e.Message,
		Action: e.Press.Action, Token: e.Press.Token, Key: e.Key(),
	})
	return ""
}

// migrate does what both halves of a migration say once.
func (p *replay) migrate(e chat.Event) Reason {
	if p.gate.first(e.Keys) {
		p.effect(Effect{Type: "migrate_chat", From: p.n.Chat(e.Migrate.From), To: p.n.Chat(e.Migrate.To)})
	}
	return System
}

func (p *replay) effect(e Effect) { p.answer.Effects = append(p.answer.Effects, e) }

func (p *replay) turn(e chat.Event, key string, by chat.Addressed) {
	t := Turn{
		User: e.Author.Identity.ID, Chat: p.n.Chat(e.Address), Thread: e.Address.Thread, Text: e.Text,
		Direct: e.Direct, AddressedBy: by, Attachments: []chat.Attachment{}, Command: e.Command,
		Forwarded: e.Forwarded, Key: key,
	}
	t.Attachments = append(t.Attachments, e.Attachments...)
	if e.Quoted != nil {
		t.Quoted = &Quoted{User: e.Quoted.User, Text: e.Quoted.Text}
	}
	p.answer.Turns = append(p.answer.Turns, t)
}
