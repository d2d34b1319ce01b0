package modeltest

import "net/http"

// Format is a vendor's wire format.
type Format string

// The formats.
const (
	OpenAI    Format = "openai"
	Anthropic Format = "anthropic"
)

// Request is a valid request that the server got, the same for both formats.
type Request struct {
	N         int // counts the requests to this server from 1, refused ones not
	Format    Format
	Header    http.Header
	Body      []byte
	Model     string
	System    string
	Tools     []string
	Messages  []Message
	MaxTokens int
	Stream    bool
	usage     bool // OpenAI: a usage chunk was asked for
}

// Message is one message of a request. Tool results are messages of their own
// or part of a user's, as the format has it.
type Message struct {
	Role     string
	Text     string
	Images   int
	Calls    []Call
	Results  []Result
	Thinking []string
}

// Call is a tool call. Args is JSON text, or whatever a bad model writes.
type Call struct {
	ID, Name, Args string
}

// Result is what the client says came of a Call.
type Result struct {
	ID, Text string
	Failed   bool // Anthropic only
}

// LastUser is the newest text of the user.
func (r Request) LastUser() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if m := r.Messages[i]; m.Role == "user" && m.Text != "" {
			return m.Text
		}
	}
	return ""
}

// Results are the tool results that the newest messages bring.
func (r Request) Results() []Result {
	var results []Result
	for i := len(r.Messages) - 1; i >= 0 && len(r.Messages[i].Results) > 0; i-- {
		results = append(append([]Result(nil), r.Messages[i].Results...), results...)
	}
	return results
}
