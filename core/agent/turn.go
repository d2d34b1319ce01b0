package agent

import (
	"context"
	"encoding/json"
	"time"

	"talaria/core/chat"
)

// Turn is one message up to its final answer, as the loop gets it.
type Turn struct {
	ID      string
	Session string // opaque cache key for the provider
	Prefix  string // the frozen prefix; byte-stable for the session
	History []Message
	// Block is delimited data (matching skills, recalled memories) that goes
	// just before the newest message. It becomes part of the history, so that
	// the bytes before a later message never change.
	Block  string
	Input  Message
	Spoken string // the author's own words, without quotes, files and forwards
	Tools  []Tool
	// Allow is the gate that every call passes: nil lets it run, an error is
	// told to the model. A nil Allow lets everything run.
	Allow func(ctx context.Context, s Spec, args json.RawMessage) error
	Model Model // answers this turn; nil: the loop's
	// Tokens is the most that the turn may use, input and output together;
	// zero: the loop's budget alone. Unlike that one, it holds for the
	// concluding call and for summaries too.
	Tokens int
	// Resume holds the entries that an earlier run of this turn recorded.
	// Finished calls are not run again; an effect under way is told to the
	// model as of unknown outcome.
	Resume []Entry
	// Words puts what the loop itself tells the person, a format of package fmt,
	// into their language; nil leaves it in English.
	Words func(english string, args ...any) string
}

// Entry is one exact step of a turn, recorded before it is used. Exactly one
// field is set, but for those that stand beside another.
type Entry struct {
	Begun   *Begun        `json:"begun,omitempty"`   // first entry: the turn as it was put together
	Folded  *Folded       `json:"folded,omitempty"`  // old history made way
	Model   *Message      `json:"model,omitempty"`   // the model's whole message
	Usage   *Usage        `json:"usage,omitempty"`   // beside Model and Folded
	Ending  Ending        `json:"ending,omitempty"`  // beside Model, where it is the answer
	Started *Call         `json:"started,omitempty"` // a call that is not Read is about to run
	Ended   *Outcome      `json:"ended,omitempty"`   // what it came to
	Steered *Message      `json:"steered,omitempty"` // the author's words taken in at a tool boundary
	Files   []chat.Upload `json:"files,omitempty"`   // beside Ended
	Ask     *Ask          `json:"ask,omitempty"`     // beside Ended
	At      time.Time     `json:"at,omitzero"`       // when it was recorded, where whoever records it says so
}

// Begun keeps what the turn was put together from, so that a resumed turn
// sends the model the very same bytes.
type Begun struct {
	Prefix string  `json:"prefix"`
	Block  string  `json:"block,omitempty"`
	Input  Message `json:"input"`
}

// Folded replaces the oldest messages of the history by a summary of them.
type Folded struct {
	Messages int     `json:"messages"` // how many, counted from the oldest
	Summary  Message `json:"summary"`
}

// Hooks connect a running turn to its surroundings. Nil hooks do nothing.
type Hooks struct {
	// Record keeps entries before they are used; its error ends the turn.
	Record func(ctx context.Context, entries ...Entry) error
	// Show gets the visible answer as far as it has come (always from its
	// beginning). It is called for every delta and must return at once.
	Show func(text string)
	// Progress tells of a call that begins, with a short label for people.
	Progress func(label string)
	// Steer returns, once each, messages that the turn's author sent since.
	// It is asked at every tool boundary. In a resumed turn it may return again
	// what was taken in before.
	Steer func() []Message
	// Losing is offered the messages that compaction is about to drop, before
	// it does; what matters in them may be saved to memory.
	Losing func(ctx context.Context, dropped []Message)
}

// Ending is how a turn ended.
type Ending string

// The endings.
const (
	Answered Ending = "answered"
	Asked    Ending = "asked"  // a person's yes is needed; see Answer.Ask
	Budgeted Ending = "budget" // a budget ran out; the answer is the grace call's
	Broken   Ending = "failed" // no answer could be had; Text says so in plain words
)

// Answer is what a turn came to. Text is never empty, except with Asked.
type Answer struct {
	Text     string // Markdown
	Files    []chat.Upload
	Ask      *Ask
	Ending   Ending
	Messages []Message // what joins the history: block and input, steps, answer
	// Compacted, if not nil, replaces the history that the turn began with.
	Compacted []Message
	Usage     Usage
	Model     string // the model that gave the answer
	Calls     int    // model calls
	Tools     int    // tool calls
	Failures  int    // of them failed
}
