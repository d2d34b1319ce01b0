package agent

import (
	"context"
	"encoding/json"
	"time"

	"talaria/core/chat"
)

// Tool is something the model can have done. A Tool is bound to the turn's
// principal when it is made: nothing in a call says whose data to use.
type Tool interface {
	Spec() Spec
	// Call does it. An error is told to the model as a failed outcome (its
	// text must hold no secret); it never ends the turn. The Origin of the
	// Result beside an error is that of the error's text. Calls of one turn may
	// overlap if the Spec's Effect is Read. When ctx ends, Call returns soon;
	// the turn does not wait for it longer than a second.
	Call(ctx context.Context, in Invocation) (Result, error)
}

// Spec describes a tool to the model and to the dispatcher.
type Spec struct {
	Name        string          // [a-z][a-z0-9_]{0,63}
	Description string          // for the model
	Schema      json.RawMessage // JSON Schema of the arguments, an object
	Effect      Effect
	Permission  string        // what the caller's rights and a skill's permissions must contain; empty: nothing
	Timeout     time.Duration // zero: the dispatcher's default
	Output      int           // most bytes of a result; zero: the dispatcher's default
}

// Effect is what a call does to the world.
type Effect string

// The effects.
const (
	Read       Effect = "read"       // nothing: may run beside others and again
	Idempotent Effect = "idempotent" // the same call twice is as good as once
	Effectful  Effect = "effect"     // never run again when it may have happened
)

// Invocation is one call.
type Invocation struct {
	ID   string          // unique and the same when a turn is resumed: an idempotency key
	Args json.RawMessage // valid JSON object, checked against the schema's required fields
	// Context is the worst origin of what the model has seen in this turn: a
	// tool that keeps or sends text takes it as that text's origin.
	Context chat.Origin
	// Spoken is the author's own words of this turn, for tools that must
	// know whether a person said something themselves.
	Spoken string
}

// Result is what came of a call.
type Result struct {
	Text   string
	Origin chat.Origin
	Files  []chat.Upload // to be sent with the answer
	// Ask means that nothing was done and a person's yes is needed first. The
	// turn ends with a card; the press runs the same call as its own turn.
	Ask *Ask
}

// Ask is a question for a person's yes, bound to the exact arguments.
type Ask struct {
	Question string // Markdown, shown whole
	Token    string // reference to the stored request
}
