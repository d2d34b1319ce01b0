package anthropic

import (
	"encoding/json"
	"errors"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"

	"talaria/core/agent"
	"talaria/core/model/wire"
)

// answer gathers a streamed answer.
type answer struct {
	endpoint *wire.Endpoint
	model    string
	blocks   []*block
	size     int
	usage    agent.Usage
	reason   sdk.StopReason
	begun    bool
	whole    bool // message_stop came
}

// block is one content block as far as it has come.
type block struct {
	index     int64
	kind      string
	id, name  string
	text      strings.Builder // of text or thinking
	args      []byte
	initial   string // arguments that came with the start, from servers that do not stream them
	signature string
	data      string
}

// add takes an event in and returns the visible text that it brings.
func (a *answer) add(e sdk.MessageStreamEventUnion) (string, error) {
	visible := ""
	switch e.Type {
	case "message_start":
		a.begun = true
		u := e.Message.Usage
		a.count(u.InputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens, u.OutputTokens)
	case "content_block_start":
		visible = a.start(e)
	case "content_block_delta":
		visible = a.delta(e.Index, e.Delta)
	case "message_delta":
		a.reason = e.Delta.StopReason
		u := e.Usage
		a.count(u.InputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens, u.OutputTokens)
	case "message_stop":
		a.whole = a.begun
	}
	if a.size > wire.MaxAnswer {
		return "", a.endpoint.Error(agent.ModelInvalid, errors.New("an answer of over 10 MB"))
	}
	return visible, nil
}

// count takes cumulative counts in; later events leave out what has not
// changed. The vendor counts cached tokens beside the input, the agent within.
func (a *answer) count(input, read, write, output int64) {
	if input+read+write > 0 {
		a.usage = agent.Usage{Input: int(input + read + write), CacheRead: int(read), CacheWrite: int(write), Output: a.usage.Output}
	}
	a.usage.Output = max(a.usage.Output, int(output))
}

func (a *answer) start(e sdk.MessageStreamEventUnion) string {
	c := e.ContentBlock
	b := &block{index: e.Index, kind: c.Type, id: c.ID, name: c.Name, signature: c.Signature, data: c.Data}
	if c.Type == "tool_use" {
		b.initial = c.JSON.Input.Raw()
	}
	b.text.WriteString(c.Text + c.Thinking)
	a.size += b.text.Len() + len(b.initial) + len(b.data)
	a.blocks = append(a.blocks, b)
	return c.Text
}

func (a *answer) delta(index int64, d sdk.MessageStreamEventUnionDelta) string {
	b := a.find(index)
	if b == nil {
		return ""
	}
	a.size += len(d.Text) + len(d.Thinking) + len(d.PartialJSON) + len(d.Signature)
	switch d.Type {
	case "text_delta":
		b.text.WriteString(d.Text)
		return d.Text
	case "thinking_delta":
		b.text.WriteString(d.Thinking)
	case "signature_delta":
		b.signature += d.Signature
	case "input_json_delta":
		b.args = append(b.args, d.PartialJSON...)
	}
	return ""
}

func (a *answer) find(index int64) *block {
	for i := len(a.blocks) - 1; i >= 0; i-- {
		if a.blocks[i].index == index {
			return a.blocks[i]
		}
	}
	return nil
}

// end yields what follows the text: calls, usage, thinking and the reason, or
// that the answer is not whole.
func (a *answer) end(yield func(agent.Delta, error) bool) {
	switch {
	case !a.begun:
		yield(agent.Delta{}, a.endpoint.Error(agent.ModelSetUp, errors.New("the answer holds no event of this format")))
		return
	case !a.whole:
		yield(agent.Delta{}, a.endpoint.Error(agent.ModelCut, errors.New("the stream ended without message_stop")))
		return
	}
	calls := a.calls()
	for _, c := range calls {
		if !yield(agent.Delta{Call: &c}, nil) {
			return
		}
	}
	yield(agent.Delta{Usage: &a.usage, Stop: a.stop(len(calls)), Opaque: keep(a.model, a.blocks, calls)}, nil)
}

// calls are the tool calls, after the length limit struck only the complete
// ones.
func (a *answer) calls() []agent.Call {
	var out []agent.Call
	for _, b := range a.blocks {
		if b.kind != "tool_use" {
			continue
		}
		args := b.args
		if len(args) == 0 {
			args = []byte(b.initial)
		}
		if len(args) == 0 {
			args = []byte("{}")
		}
		if a.length() && !json.Valid(args) {
			continue
		}
		out = append(out, agent.Call{ID: b.id, Name: b.name, Args: args})
	}
	return out
}

func (a *answer) length() bool {
	return a.reason == sdk.StopReasonMaxTokens || a.reason == sdk.StopReasonModelContextWindowExceeded
}

func (a *answer) stop(calls int) agent.Stop {
	switch {
	case a.length():
		return agent.StopLength
	case a.reason == sdk.StopReasonRefusal:
		return agent.StopRefused
	case calls > 0:
		return agent.StopCalls
	default:
		return agent.StopEnd
	}
}
