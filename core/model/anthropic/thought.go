package anthropic

import (
	"encoding/json"
	"slices"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"

	"talaria/core/agent"
	"talaria/core/model/wire"
)

// thought is what Message.Opaque holds: the order of an answer's blocks with
// its signed thinking, which the API wants back unchanged and in its place. It
// is of use to the model that had it only.
type thought struct {
	Provider string  `json:"provider"`
	Model    string  `json:"model"`
	Blocks   []piece `json:"blocks"`
}

const provider = "anthropic"

// piece is one block. Calls are kept by their id alone, for the message has
// them.
type piece struct {
	Thinking  string `json:"thinking,omitempty"`
	Signature string `json:"signature,omitempty"`
	Redacted  string `json:"redacted,omitempty"`
	Text      string `json:"text,omitempty"`
	Call      string `json:"call,omitempty"`
}

// keep makes the Opaque of an answer; nil if it holds no thinking.
func keep(model string, blocks []*block, calls []agent.Call) json.RawMessage {
	thinks := false
	t := thought{Provider: provider, Model: model}
	for _, b := range blocks {
		switch b.kind {
		case "thinking":
			thinks = true
			t.Blocks = append(t.Blocks, piece{Thinking: b.text.String(), Signature: b.signature})
		case "redacted_thinking":
			thinks = true
			t.Blocks = append(t.Blocks, piece{Redacted: b.data})
		case "text":
			t.Blocks = append(t.Blocks, piece{Text: b.text.String()})
		case "tool_use":
			if slices.ContainsFunc(calls, func(c agent.Call) bool { return c.ID == b.id }) {
				t.Blocks = append(t.Blocks, piece{Call: b.id})
			}
		}
	}
	if !thinks {
		return nil
	}
	opaque, err := json.Marshal(t)
	if err != nil {
		return nil // cannot be: a struct of strings
	}
	return opaque
}

// recall makes the blocks of an earlier answer of this very model, with its
// thinking. It does not if the message has been changed since.
func (m *model) recall(message agent.Message) ([]sdk.ContentBlockParamUnion, bool) {
	var t thought
	if json.Unmarshal(message.Opaque, &t) != nil || t.Provider != provider || t.Model != m.name {
		return nil, false
	}
	var out []sdk.ContentBlockParamUnion
	said, calls := "", message.Calls
	for _, p := range t.Blocks {
		switch {
		case p.Signature != "":
			out = append(out, sdk.NewThinkingBlock(p.Signature, p.Thinking))
		case p.Redacted != "":
			out = append(out, sdk.NewRedactedThinkingBlock(p.Redacted))
		case p.Call != "":
			if len(calls) == 0 || calls[0].ID != p.Call {
				return nil, false
			}
			out = append(out, sdk.NewToolUseBlock(p.Call, wire.Arguments(calls[0].Args), calls[0].Name))
			calls = calls[1:]
		default:
			said += p.Text
			out = text(out, p.Text)
		}
	}
	return out, said == message.Text && len(calls) == 0 && len(out) > 0
}
