package openai

import (
	"crypto/rand"
	"encoding/json"
	"errors"

	sdk "github.com/sashabaranov/go-openai"

	"talaria/core/agent"
	"talaria/core/model/wire"
)

// answer gathers a streamed answer.
type answer struct {
	endpoint *wire.Endpoint
	begun    bool
	text     string // not yet taken
	size     int
	calls    calls
	finish   sdk.FinishReason
	refused  bool
	usage    *agent.Usage
}

// Finish reasons beyond the vendor's own, as other endpoints send them.
const (
	finishError     = "error"                        // OpenRouter: the provider behind it failed
	finishResources = "insufficient_system_resource" // DeepSeek: interrupted
)

// chunk is what an event holds: a piece of an answer, or an error.
type chunk struct {
	sdk.ChatCompletionStreamResponse
	Error json.RawMessage `json:"error"`
}

// add takes an event in. Chunks without a choice are common: the one with the
// usage, and some vendors' first one.
func (a *answer) add(data []byte) error {
	var chunk chunk
	if err := json.Unmarshal(data, &chunk); err != nil {
		return err
	}
	if len(chunk.Error) > 0 && string(chunk.Error) != "null" {
		return a.endpoint.Fault(0, data)
	}
	a.begun = true
	if u := chunk.Usage; u != nil {
		a.usage = &agent.Usage{Input: u.PromptTokens, Output: u.CompletionTokens}
		if u.PromptTokensDetails != nil {
			a.usage.CacheRead = u.PromptTokensDetails.CachedTokens
		}
	}
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue // one was asked for
		}
		a.take(choice.Delta)
		switch choice.FinishReason {
		case "", sdk.FinishReasonNull:
		case finishError, finishResources:
			return a.endpoint.Error(agent.ModelTransient, errors.New("the provider broke the answer off"))
		default:
			a.finish = choice.FinishReason
		}
	}
	if a.size > wire.MaxAnswer {
		return a.endpoint.Error(agent.ModelInvalid, errors.New("an answer of over 10 MB"))
	}
	return nil
}

func (a *answer) take(d sdk.ChatCompletionStreamChoiceDelta) {
	a.text += d.Content + d.Refusal
	a.refused = a.refused || d.Refusal != ""
	a.size += len(d.Content) + len(d.Refusal)
	for _, c := range d.ToolCalls {
		a.calls.add(c)
		a.size += len(c.Function.Name) + len(c.Function.Arguments)
	}
	if d.FunctionCall != nil { // the name this had before tools
		a.calls.add(sdk.ToolCall{Function: *d.FunctionCall})
		a.size += len(d.FunctionCall.Arguments)
	}
}

// takeText returns the text that came since it was last asked.
func (a *answer) takeText() string {
	text := a.text
	a.text = ""
	return text
}

// end yields what follows the text: calls, usage and the reason, or that the
// answer is not whole.
func (a *answer) end(yield func(agent.Delta, error) bool) {
	switch {
	case !a.begun:
		yield(agent.Delta{}, a.endpoint.Error(agent.ModelSetUp, errors.New("the answer holds no event of this format")))
		return
	case a.finish == "":
		yield(agent.Delta{}, a.endpoint.Error(agent.ModelCut, errors.New("the stream ended without a finish reason")))
		return
	}
	calls := a.calls.whole(a.finish == sdk.FinishReasonLength)
	for _, c := range calls {
		if !yield(agent.Delta{Call: &c}, nil) {
			return
		}
	}
	yield(agent.Delta{Usage: a.usage, Stop: a.stop(len(calls))}, nil)
}

// stop goes by what came more than by the reason's name: several servers say
// "stop" after tool calls.
func (a *answer) stop(calls int) agent.Stop {
	switch {
	case a.finish == sdk.FinishReasonLength:
		return agent.StopLength
	case a.finish == sdk.FinishReasonContentFilter, a.refused:
		return agent.StopRefused
	case calls > 0:
		return agent.StopCalls
	default:
		return agent.StopEnd
	}
}

// calls gathers tool calls in the order in which they began.
type calls []*call

type call struct {
	index    int
	id, name string
	args     []byte
}

// unnumbered is the index of calls from servers that give none.
const unnumbered = -1

// add takes a piece in. The index says which call it belongs to, except that
// some servers number every call 0, or none, and tell them apart by id.
func (cs *calls) add(piece sdk.ToolCall) {
	index := unnumbered
	if piece.Index != nil {
		index = *piece.Index
	}
	c := cs.find(index, piece.ID)
	if c == nil {
		c = &call{index: index}
		*cs = append(*cs, c)
	}
	if c.id == "" {
		c.id = piece.ID
	}
	if c.name == "" {
		c.name = piece.Function.Name
	}
	c.args = append(c.args, piece.Function.Arguments...)
}

// find returns the newest call with the index, unless the id says that
// another one begins.
func (cs calls) find(index int, id string) *call {
	for i := len(cs) - 1; i >= 0; i-- {
		c := cs[i]
		if c.index != index {
			continue
		}
		if id != "" && c.id != "" && c.id != id {
			return nil
		}
		return c
	}
	return nil
}

// whole returns the calls, each with an id of its own. After the length limit
// struck, only those whose arguments are complete.
func (cs calls) whole(cut bool) []agent.Call {
	var out []agent.Call
	seen := map[string]bool{}
	for _, c := range cs {
		if c.name == "" || (cut && !json.Valid(c.args)) {
			continue
		}
		if c.id == "" || seen[c.id] {
			c.id = "call_" + rand.Text()
		}
		seen[c.id] = true
		if len(c.args) == 0 {
			c.args = []byte("{}")
		}
		out = append(out, agent.Call{ID: c.id, Name: c.name, Args: c.args})
	}
	return out
}
