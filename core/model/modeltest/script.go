package modeltest

import (
	"strings"
	"sync/atomic"
	"time"
)

// Script answers requests. Calls may overlap.
type Script func(Request) Answer

// Steps gives the answers one after the other, to whoever asks. A request
// after the last one is answered with ScriptOver.
func Steps(answers ...Answer) Script {
	var next atomic.Int64
	return func(Request) Answer {
		n := int(next.Add(1))
		if n > len(answers) {
			return Answer{Fault: ScriptOver}
		}
		return answers[n-1]
	}
}

// Always gives the same answer to everybody.
func Always(a Answer) Script { return func(Request) Answer { return a } }

// Echo answers "echo: " and the newest text of the user.
func Echo() Script {
	return func(r Request) Answer { return Text("echo: ", r.LastUser()) }
}

// Answer is what the server does for one request. The zero Answer is a
// well-formed answer without text.
type Answer struct {
	Text     []string // pieces, one event each
	Thinking string   // before the text, with a signature that must come back; Anthropic only
	Calls    []Call   // without an ID it gets one
	Split    int      // most characters of arguments in an event; zero: no limit
	Stop     Stop     // zero: Done, or Tools if there are Calls
	Usage    Usage

	Delay time.Duration // before the first byte
	Gap   time.Duration // between events

	Fault      Fault  // an error status in place of an answer
	RetryAfter string // header with Fault

	Break Break // spoils a streamed answer
	After int   // the number of events that come before it

	Raw  []byte // sent as it is, in place of all the above but Delay and Break Cut
	Type string // content type of Raw; empty: text/event-stream
}

// Usage counts tokens. Input includes the cached ones, as OpenAI counts.
type Usage struct {
	Input, CacheRead, CacheWrite, Output int
}

// Stop is why an answer ends.
type Stop string

// The reasons.
const (
	Done    Stop = "done"
	Tools   Stop = "tools"
	Length  Stop = "length"
	Refused Stop = "refused"
)

// Break is how a streamed answer goes wrong.
type Break string

// The breaks.
const (
	Cut   Break = "cut"   // the connection closes
	End   Break = "end"   // the body ends in good order, the answer does not
	Stall Break = "stall" // nothing more comes until the client leaves
	Event Break = "event" // an error event: the vendor is overloaded
)

// Fault is an error status that a vendor documents.
type Fault string

// The faults.
const (
	Unauthorized Fault = "unauthorized"
	RateLimited  Fault = "rate limited"
	OutOfQuota   Fault = "out of quota"
	Overloaded   Fault = "overloaded"
	ServerError  Fault = "server error"
	TooLong      Fault = "too long"
	Invalid      Fault = "invalid"
	// ScriptOver is no vendor's: the script has no answer left. It is a 400,
	// so that nobody tries again.
	ScriptOver Fault = "script over"
)

// Text is an answer of text in pieces.
func Text(pieces ...string) Answer { return Answer{Text: pieces} }

// Use is an answer that calls tools.
func Use(calls ...Call) Answer { return Answer{Calls: calls} }

// Huge is an answer of so many bytes of text in pieces of 64 KB.
func Huge(bytes int) Answer {
	const piece = 64 << 10
	var a Answer
	for ; bytes > 0; bytes -= piece {
		a.Text = append(a.Text, strings.Repeat("x", min(bytes, piece)))
	}
	return a
}

func (a Answer) stop() Stop {
	switch {
	case a.Stop != "":
		return a.Stop
	case len(a.Calls) > 0:
		return Tools
	default:
		return Done
	}
}

// pieces cuts arguments into what one event carries.
func (a Answer) pieces(args string) []string {
	if a.Split <= 0 {
		return []string{args}
	}
	var out []string
	runes := []rune(args)
	for len(runes) > 0 {
		n := min(a.Split, len(runes))
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}
