package openai

import (
	"cmp"
	"encoding/base64"

	sdk "github.com/sashabaranov/go-openai"

	"talaria/core/agent"
	"talaria/core/model/wire"
)

// nothing stands where the format demands text and there is none.
const nothing = "(nothing)"

// request puts a request into the vendor's form. The same messages give the
// same bytes, whatever follows them, so that a provider's cache can hold.
func (m *model) request(r agent.Request) sdk.ChatCompletionRequest {
	out := sdk.ChatCompletionRequest{
		Model:         m.name,
		Stream:        true,
		StreamOptions: &sdk.StreamOptions{IncludeUsage: true},
	}
	if m.official {
		out.MaxCompletionTokens = r.MaxTokens
		out.User = r.Session
	} else {
		//lint:ignore SA1019 compatible endpoints know no other
		out.MaxTokens = r.MaxTokens
	}
	if r.Prefix != "" {
		out.Messages = append(out.Messages, sdk.ChatCompletionMessage{Role: sdk.ChatMessageRoleSystem, Content: r.Prefix})
	}
	for _, message := range r.Messages {
		out.Messages = append(out.Messages, convert(message)...)
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, sdk.Tool{Type: sdk.ToolTypeFunction, Function: &sdk.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: wire.Schema(t.Schema),
		}})
	}
	return out
}

// convert makes the vendor's messages of one of ours: several where tool
// results are told, for each is a message there.
func convert(m agent.Message) []sdk.ChatCompletionMessage {
	switch m.Role {
	case agent.ToolRole:
		return results(m.Results)
	case agent.Assistant:
		out := sdk.ChatCompletionMessage{Role: sdk.ChatMessageRoleAssistant, Content: m.Text}
		for _, c := range m.Calls {
			out.ToolCalls = append(out.ToolCalls, sdk.ToolCall{ID: c.ID, Type: sdk.ToolTypeFunction, Function: sdk.FunctionCall{
				Name: c.Name, Arguments: string(wire.Arguments(c.Args)),
			}})
		}
		if out.Content == "" && len(out.ToolCalls) == 0 {
			out.Content = nothing
		}
		return []sdk.ChatCompletionMessage{out}
	default:
		return []sdk.ChatCompletionMessage{user(m)}
	}
}

func user(m agent.Message) sdk.ChatCompletionMessage {
	out := sdk.ChatCompletionMessage{Role: sdk.ChatMessageRoleUser}
	if len(m.Images) == 0 {
		out.Content = cmp.Or(m.Text, nothing)
		return out
	}
	if m.Text != "" {
		out.MultiContent = append(out.MultiContent, sdk.ChatMessagePart{Type: sdk.ChatMessagePartTypeText, Text: m.Text})
	}
	for _, image := range m.Images {
		out.MultiContent = append(out.MultiContent, sdk.ChatMessagePart{
			Type:     sdk.ChatMessagePartTypeImageURL,
			ImageURL: &sdk.ChatMessageImageURL{URL: "data:" + image.MIME + ";base64," + base64.StdEncoding.EncodeToString(image.Data)},
		})
	}
	return out
}

// results tells outcomes. The format has no field for a failure, so it stands
// in the text.
func results(outcomes []agent.Outcome) []sdk.ChatCompletionMessage {
	var out []sdk.ChatCompletionMessage
	for _, o := range outcomes {
		text := cmp.Or(o.Text, nothing)
		if o.Failed {
			text = "failed: " + text
		}
		out = append(out, sdk.ChatCompletionMessage{Role: sdk.ChatMessageRoleTool, ToolCallID: o.ID, Content: text})
	}
	return out
}
