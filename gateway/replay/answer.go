package replay

import (
	"talaria/adapters/inbound"
	"talaria/core/chat"
	"talaria/core/person"
)

// Answer is one line of output: what the events of a Request came to.
type Answer struct {
	ID      string           `json:"id"`
	Turns   []Turn           `json:"turns"`
	Ignored []Ignored        `json:"ignored"`
	Actions []Action         `json:"actions"`
	Effects []inbound.Effect `json:"effects"`
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
	Event  int           `json:"event"`
	Reason person.Reason `json:"reason"`
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
