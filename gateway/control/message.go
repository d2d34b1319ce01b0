package control

import (
	"encoding/json"
	"errors"
	"fmt"
)

// maxMessage is the largest request or answer in bytes. What is larger (a
// backup) goes through a file that the request names.
const maxMessage = 4 << 20

// The errors of Dial and Listen.
var (
	// ErrNotRunning: nobody listens on the socket.
	ErrNotRunning = errors.New("no running Talaria")
	// ErrInUse: another process listens on it already.
	ErrInUse = errors.New("another Talaria has the control socket")
	// ErrStranger: the process at the other end is of another user.
	ErrStranger = errors.New("the control socket belongs to another user")
)

// Request is what is asked.
type Request struct {
	Verb string          `json:"verb"`
	Args json.RawMessage `json:"args,omitempty"`
}

// Decode fills v from the arguments.
func (r Request) Decode(v any) error {
	if err := json.Unmarshal(r.Args, v); err != nil {
		return fmt.Errorf("arguments of %s: %w", r.Verb, err)
	}
	return nil
}

// answer is what comes back: a result, or an error.
type answer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// RefusedError is an error of the running process, as it told it.
type RefusedError struct{ Verb, Text string }

// Error implements error.
func (e *RefusedError) Error() string { return e.Verb + ": " + e.Text }
