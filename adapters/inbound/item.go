package inbound

import "talaria/core/chat"

// Reason says why an adapter hands nothing over of a raw event. What is handed
// over may still come to nothing, for a person.Reason.
type Reason string

// The reasons, as logs and replays write them.
const (
	OwnMessage   Reason = "own_message"
	OtherBot     Reason = "addressed_to_other_bot" // a command with another bot's suffix
	Elsewhere    Reason = "addressed_elsewhere"    // a reply to another bot
	Unchanged    Reason = "edit_without_change"
	Deleted      Reason = "deleted"
	System       Reason = "system_message"
	Anonymous    Reason = "anonymous_sender"
	Unsupported  Reason = "unsupported_update"
	UnknownPress Reason = "unknown_callback"
	Ping         Reason = "ping"
)

// Item is what one raw event comes to.
type Item struct {
	// Event is handed to the chat.Handler if Reason is empty.
	Event chat.Event
	// Reason is set where the adapter itself drops the event.
	Reason Reason
	// Concerns is the dedupe key of the message that an edit is about.
	Concerns string
	// Group names the album whose parts are merged into one event.
	Group string
	// ToOtherBot says that it replies to another bot: it is for that one,
	// unless this one is mentioned too.
	ToOtherBot bool
	// Effects are what must happen whatever becomes of the event.
	Effects []Effect
}

// Drop is an Item of which nothing is handed over.
func Drop(r Reason) Item { return Item{Reason: r} }

// Effect is something that must happen beside turns and actions. Which keys
// are set depends on Type.
type Effect struct {
	Type  string `json:"type"`
	ID    string `json:"id,omitempty"`
	Chat  string `json:"chat,omitempty"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
	Key   string `json:"dedupe_key,omitempty"`
	Text  string `json:"text,omitempty"`
	About string `json:"about,omitempty"`
	Value int    `json:"value,omitempty"`
}

// AnswerCallback is the effect that the press id must be answered.
func AnswerCallback(id string) Effect { return Effect{Type: "answer_callback", ID: id} }

// DeferWithin is the effect that an interaction must be acknowledged within
// ms milliseconds.
func DeferWithin(ms int) Effect { return Effect{Type: "defer_within_ms", Value: ms} }

// Pong is the effect that an endpoint's ping must be answered.
func Pong() Effect { return Effect{Type: "pong"} }
