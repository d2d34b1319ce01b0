package openai

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"

	sdk "github.com/sashabaranov/go-openai"

	"talaria/core/agent"
	"talaria/core/model/wire"
)

// request is a request in the vendor's form, but for its tools.
type request struct {
	Model               string            `json:"model"`
	Messages            []message         `json:"messages"`
	Stream              bool              `json:"stream"`
	StreamOptions       sdk.StreamOptions `json:"stream_options"`
	MaxTokens           int               `json:"max_tokens,omitempty"`
	MaxCompletionTokens int               `json:"max_completion_tokens,omitempty"`
	ReasoningEffort     string            `json:"reasoning_effort,omitempty"`
	User                string            `json:"user,omitempty"`
}

type message struct {
	Role       string         `json:"role"`
	Content    any            `json:"content,omitempty"` // a string, or a list of parts
	ToolCalls  []sdk.ToolCall `json:"tool_calls,omitempty"`
	ToolCallID string         `json:"tool_call_id,omitempty"`
}

// nothing stands where the format demands text and there is none.
const nothing = "(nothing)"

// encode puts a request into the vendor's form. The same messages give the same
// bytes, whatever follows them, so that a provider's cache can hold.
func (m *model) encode(r agent.Request) ([]byte, error) {
	q := request{
		Model:         m.name,
		Messages:      make([]message, 0, 1+len(r.Messages)),
		Stream:        true,
		StreamOptions: sdk.StreamOptions{IncludeUsage: true},
	}
	if m.official {
		q.MaxCompletionTokens = r.MaxTokens
		q.User = r.Session
	} else {
		q.MaxTokens = r.MaxTokens
	}
	if r.Prefix != "" {
		q.Messages = append(q.Messages, message{Role: sdk.ChatMessageRoleSystem, Content: r.Prefix})
	}
	for _, message := range r.Messages {
		q.Messages = convert(q.Messages, message)
	}
	if err := q.fit(len(r.Tools)); err != nil {
		return nil, err
	}
	body, err := json.Marshal(q)
	if err != nil || len(r.Tools) == 0 {
		return body, err
	}
	list, err := m.toolList(r.Tools)
	if err != nil {
		return nil, err
	}
	return slices.Concat(body[:len(body)-1], []byte(`,"tools":`), list, []byte("}")), nil
}

// fit puts right what the library knows some of the vendor's models to refuse:
// the old name of the output limit, and tools together with reasoning.
func (q *request) fit(tools int) error {
	err := q.check(tools)
	if errors.Is(err, sdk.ErrReasoningModelMaxTokensDeprecated) {
		q.MaxCompletionTokens, q.MaxTokens = q.MaxTokens, 0
		err = q.check(tools)
	}
	if errors.Is(err, sdk.ErrReasoningToolsRequireResponses) {
		q.ReasoningEffort = sdk.ReasoningEffortNone
		err = q.check(tools)
	}
	return err
}

func (q *request) check(tools int) error {
	return sdk.NewReasoningValidator().Validate(sdk.ChatCompletionRequest{
		Model: q.Model, ReasoningEffort: q.ReasoningEffort, Tools: make([]sdk.Tool, tools),
		//lint:ignore SA1019 what is asked is whether it may be used
		MaxTokens: q.MaxTokens,
	})
}

// tools are the tools of a request in the vendor's form.
type tools struct {
	specs []agent.Spec
	list  []byte
}

// toolList encodes tools, unless they are those of the request before: they
// seldom change, and are most of a short conversation.
func (m *model) toolList(specs []agent.Spec) ([]byte, error) {
	if last := m.tools.Load(); last != nil && slices.EqualFunc(last.specs, specs, sameTool) {
		return last.list, nil
	}
	all := make([]sdk.Tool, len(specs))
	for n, t := range specs {
		all[n] = sdk.Tool{Type: sdk.ToolTypeFunction, Function: &sdk.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: wire.Schema(t.Schema),
		}}
	}
	list, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	m.tools.Store(&tools{specs, list})
	return list, nil
}

// sameTool reports whether two tools are the same to a model.
func sameTool(a, b agent.Spec) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Schema, b.Schema)
}

// convert adds the vendor's messages for one of ours: several where tool results
// are told, for each is a message there.
func convert(out []message, m agent.Message) []message {
	switch m.Role {
	case agent.ToolRole:
		return results(out, m.Results)
	case agent.Assistant:
		return append(out, assistant(m))
	default:
		return append(out, user(m))
	}
}

func assistant(m agent.Message) message {
	out := message{Role: sdk.ChatMessageRoleAssistant}
	for _, c := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, sdk.ToolCall{ID: c.ID, Type: sdk.ToolTypeFunction, Function: sdk.FunctionCall{
			Name: c.Name, Arguments: string(wire.Arguments(c.Args)),
		}})
	}
	switch {
	case m.Text != "":
		out.Content = m.Text
	case len(out.ToolCalls) == 0:
		out.Content = nothing
	}
	return out
}

func user(m agent.Message) message {
	out := message{Role: sdk.ChatMessageRoleUser}
	if len(m.Images) == 0 {
		out.Content = cmp.Or(m.Text, nothing)
		return out
	}
	var parts []sdk.ChatMessagePart
	if m.Text != "" {
		parts = append(parts, sdk.ChatMessagePart{Type: sdk.ChatMessagePartTypeText, Text: m.Text})
	}
	for _, image := range m.Images {
		parts = append(parts, sdk.ChatMessagePart{
			Type:     sdk.ChatMessagePartTypeImageURL,
			ImageURL: &sdk.ChatMessageImageURL{URL: "data:" + image.MIME + ";base64," + base64.StdEncoding.EncodeToString(image.Data)},
		})
	}
	out.Content = parts
	return out
}

// results tells outcomes. The format has no field for a failure, so it stands
// in the text.
func results(out []message, outcomes []agent.Outcome) []message {
	for _, o := range outcomes {
		text := cmp.Or(o.Text, nothing)
		if o.Failed {
			text = "failed: " + text
		}
		out = append(out, message{Role: sdk.ChatMessageRoleTool, ToolCallID: o.ID, Content: text})
	}
	return out
}
