package anthropic

import (
	"cmp"
	"encoding/base64"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"talaria/core/agent"
	"talaria/core/model/wire"
)

// nothing stands where the API demands text and there is none.
const nothing = "(nothing)"

// params puts a request into the vendor's form. The same messages give the
// same blocks, whatever follows them, so that the provider's cache can hold.
func (m *model) params(r agent.Request) sdk.MessageNewParams {
	cached := sdk.NewCacheControlEphemeralParam()
	out := sdk.MessageNewParams{
		Model:     sdk.Model(m.name),
		MaxTokens: int64(cmp.Or(r.MaxTokens, defaultMaxTokens)),
		Messages:  m.messages(r.Messages),
	}
	if strings.TrimSpace(r.Prefix) != "" {
		out.System = []sdk.TextBlockParam{{Text: r.Prefix, CacheControl: cached}}
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, sdk.ToolUnionParam{OfTool: &sdk.ToolParam{
			Name:        t.Name,
			Description: sdk.String(t.Description),
			// Byte for byte: the SDK's own fields would sort it.
			InputSchema: param.Override[sdk.ToolInputSchemaParam](wire.Schema(t.Schema)),
		}})
	}
	if n := len(out.Tools); n > 0 {
		out.Tools[n-1].OfTool.CacheControl = cached
	}
	if n := len(out.Messages); n > 0 {
		markLast(out.Messages[n-1], cached)
	}
	return out
}

// markLast has the history cached up to the end of its last message, which is
// the user's: text, a picture, or results.
func markLast(message sdk.MessageParam, cached sdk.CacheControlEphemeralParam) {
	if message.OfUser == nil {
		return
	}
	last := message.OfUser.Content[len(message.OfUser.Content)-1]
	if control := last.GetCacheControl(); control != nil {
		*control = cached
	}
}

// messages joins what one side says in a row: results and the words that
// follow them must be one message. It begins with the user, as the API demands.
func (m *model) messages(history []agent.Message) []sdk.MessageParam {
	var out []sdk.MessageParam
	for _, message := range history {
		blocks := m.blocks(message)
		assistant := message.Role == agent.Assistant
		switch n := len(out); {
		case n == 0 && assistant:
			out = append(out, sdk.NewUserMessage(sdk.NewTextBlock(nothing)), sdk.NewAssistantMessage(blocks...))
		case n > 0 && assistant && out[n-1].OfAssistant != nil:
			out[n-1].OfAssistant.Content = append(out[n-1].OfAssistant.Content, blocks...)
		case n > 0 && !assistant && out[n-1].OfUser != nil:
			out[n-1].OfUser.Content = append(out[n-1].OfUser.Content, blocks...)
		case assistant:
			out = append(out, sdk.NewAssistantMessage(blocks...))
		default:
			out = append(out, sdk.NewUserMessage(blocks...))
		}
	}
	return out
}

// blocks are never none, for the API refuses an empty message.
func (m *model) blocks(message agent.Message) []sdk.ContentBlockParamUnion {
	var out []sdk.ContentBlockParamUnion
	switch message.Role {
	case agent.ToolRole:
		for _, o := range message.Results {
			out = append(out, sdk.NewToolResultBlock(o.ID, cmp.Or(o.Text, nothing), o.Failed))
		}
	case agent.Assistant:
		if kept, ok := m.recall(message); ok {
			return kept
		}
		out = text(out, message.Text)
		for _, c := range message.Calls {
			out = append(out, sdk.NewToolUseBlock(c.ID, wire.Arguments(c.Args), c.Name))
		}
	default:
		for _, image := range message.Images {
			out = append(out, sdk.NewImageBlockBase64(image.MIME, base64.StdEncoding.EncodeToString(image.Data)))
		}
		out = text(out, message.Text)
	}
	if len(out) == 0 {
		out = append(out, sdk.NewTextBlock(nothing))
	}
	return out
}

// text adds a text block, unless it were blank.
func text(blocks []sdk.ContentBlockParamUnion, text string) []sdk.ContentBlockParamUnion {
	if strings.TrimSpace(text) == "" {
		return blocks
	}
	return append(blocks, sdk.NewTextBlock(text))
}
