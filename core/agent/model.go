package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"talaria/core/chat"
)

// Model is a language model, or something that stands in for one.
type Model interface {
	// Name is the model's name for people and for the books.
	Name() string
	// Stream answers a request piece by piece. It ends after a Delta with a
	// Stop, or with an error, which is a *ModelError unless ctx ended. A
	// stream that ends without either is a fault of the provider package:
	// providers turn a cut stream into a ModelError of kind Cut. Stopping the
	// iteration early releases the connection. It does not retry.
	Stream(ctx context.Context, r Request) iter.Seq2[Delta, error]
}

// Request is one model call.
type Request struct {
	// Prefix is the system prompt: byte-stable for a session, so that
	// providers can have it cached together with Tools.
	Prefix    string
	Tools     []Spec
	Messages  []Message
	MaxTokens int    // of the answer; zero leaves it to the provider's default
	Session   string // opaque; the same for all calls of a session, for cache routing
}

// Role is who speaks in a Message.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool" // Results only
)

// Message is one entry of a conversation as the model sees it.
type Message struct {
	Role    Role        `json:"role"`
	Text    string      `json:"text,omitempty"`
	Images  []Image     `json:"images,omitempty"`  // User only
	Calls   []Call      `json:"calls,omitempty"`   // Assistant only
	Results []Outcome   `json:"results,omitempty"` // ToolRole only, one for each of the calls before
	Origin  chat.Origin `json:"origin,omitempty"`
	// Opaque is what the provider wants back unchanged with this message (a
	// signed chain of thought). It is of no meaning to anybody else and is
	// dropped when another provider answers.
	Opaque json.RawMessage `json:"opaque,omitempty"`
}

// Image is a picture shown to the model.
type Image struct {
	MIME string `json:"mime"`
	Data []byte `json:"data"`
}

// Call is a tool call that the model asks for.
type Call struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"` // as the model wrote it; may be no valid JSON
}

// Outcome is what a call came to, as the model is told.
type Outcome struct {
	ID     string      `json:"id"`
	Name   string      `json:"name"`
	Text   string      `json:"text"`
	Failed bool        `json:"failed,omitempty"`
	Origin chat.Origin `json:"origin"`
}

// Delta is a piece of an answer. Text comes in pieces; a Call comes whole.
// Usage may come once or more, each replacing the one before. The last Delta
// of a whole answer has Stop set.
type Delta struct {
	Text   string
	Call   *Call
	Usage  *Usage
	Stop   Stop
	Opaque json.RawMessage
}

// Stop is why an answer ended.
type Stop string

// The reasons.
const (
	StopEnd     Stop = "end"     // the model was done
	StopCalls   Stop = "calls"   // it waits for tool results
	StopLength  Stop = "length"  // the output limit was reached
	StopRefused Stop = "refused" // the provider's or the model's own policy
)

// Usage counts tokens.
type Usage struct {
	Input      int `json:"input"`       // all input, cached or not
	CacheRead  int `json:"cache_read"`  // of Input, read from the provider's cache
	CacheWrite int `json:"cache_write"` // of Input, written to it
	Output     int `json:"output"`
}

// Plus adds two counts.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Input + v.Input, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite, u.Output + v.Output}
}

// ModelErrorKind is what a failed model call means.
type ModelErrorKind int

// The kinds.
const (
	ModelInvalid     ModelErrorKind = iota // the request was refused as it is; also: garbage came back
	ModelAuth                              // key or rights; needs a person
	ModelRateLimited                       // not before RetryAfter
	ModelTransient                         // unreachable, overloaded, 5xx, timed out
	ModelTooLong                           // the context window is exceeded: compact and try again
	ModelCut                               // the stream broke off; what came is not an answer
	ModelSetUp                             // no such model, or no such endpoint at this address; needs a person
	ModelUnpaid                            // credit or quota is used up; needs a person, waiting does not help
)

var modelErrorNames = [...]string{
	"invalid request or answer", "not authorised", "rate limited", "unavailable", "context too long", "answer cut off",
	"set up wrongly", "out of credit or quota",
}

// String returns the kind's name.
func (k ModelErrorKind) String() string { return modelErrorNames[k] }

// ModelError is the error of a model call. Its text holds no secret.
type ModelError struct {
	Kind       ModelErrorKind
	Model      string
	RetryAfter time.Duration
	Err        error
}

// Error implements error.
func (e *ModelError) Error() string { return fmt.Sprintf("model %s: %s: %v", e.Model, e.Kind, e.Err) }

// Unwrap returns the cause.
func (e *ModelError) Unwrap() error { return e.Err }

// Remedy is what whoever runs the program does about it. The keys of the model's
// settings stand in it as key writes them: nil leaves their names.
func (e *ModelError) Remedy(key func(name string) string) string {
	if key == nil {
		key = func(name string) string { return name }
	}
	switch e.Kind {
	case ModelAuth:
		return "correct " + key("api_key")
	case ModelUnpaid:
		return "see to the credit, the plan and the limits of spending of the account that " + key("api_key") + " belongs to"
	case ModelRateLimited:
		return "wait, or ask the provider for a higher limit"
	case ModelSetUp, ModelInvalid:
		return fmt.Sprintf("compare %s and %s with the provider's documentation", key("name"), key("base_url"))
	case ModelTooLong:
		return "choose another " + key("name") + ", with a larger context window"
	}
	return "see whether " + key("base_url") + " can be reached from here"
}
