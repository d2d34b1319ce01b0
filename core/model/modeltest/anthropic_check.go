package modeltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

type anthropicBody struct {
	Model         string             `json:"model"`
	MaxTokens     *int               `json:"max_tokens"`
	System        json.RawMessage    `json:"system"`
	Messages      []anthropicMessage `json:"messages"`
	Tools         []anthropicTool    `json:"tools"`
	Stream        bool               `json:"stream"`
	ToolChoice    json.RawMessage    `json:"tool_choice"`
	Thinking      json.RawMessage    `json:"thinking"`
	Metadata      json.RawMessage    `json:"metadata"`
	StopSequences []string           `json:"stop_sequences"`
	CacheControl  json.RawMessage    `json:"cache_control"`
}

type anthropicMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type anthropicTool struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"input_schema"`
	CacheControl json.RawMessage `json:"cache_control"`
}

type anthropicBlock struct {
	Type         string           `json:"type"`
	Text         string           `json:"text"`
	Source       *anthropicSource `json:"source"`
	ID           string           `json:"id"`
	Name         string           `json:"name"`
	Input        json.RawMessage  `json:"input"`
	ToolUseID    string           `json:"tool_use_id"`
	Content      json.RawMessage  `json:"content"`
	IsError      bool             `json:"is_error"`
	Thinking     string           `json:"thinking"`
	Signature    string           `json:"signature"`
	Data         string           `json:"data"`
	CacheControl json.RawMessage  `json:"cache_control"`
}

type anthropicSource struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"`
}

const (
	anthropicMaxBody  = 32 << 20 // platform.claude.com/docs/en/api/errors, request size limits
	anthropicMaxCache = 4        // .../build-with-claude/prompt-caching
)

var (
	anthropicName  = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)
	anthropicMedia = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}
)

func anthropicInvalid(form string, args ...any) *refusal {
	return &refusal{400, "invalid_request_error", "", fmt.Sprintf(form, args...)}
}

func (f anthropicFormat) parse(h http.Header, raw []byte, key string) (Request, *refusal) {
	switch {
	case key != "" && h.Get("X-Api-Key") != key && h.Get("Authorization") != "Bearer "+key:
		return Request{}, f.fault(Unauthorized)
	case h.Get("Anthropic-Version") == "":
		return Request{}, anthropicInvalid("anthropic-version: header is required")
	case len(raw) > anthropicMaxBody:
		return Request{}, &refusal{413, "request_too_large", "", "Request exceeds the maximum size"}
	}
	var body anthropicBody
	if err := decodeStrict(raw, &body); err != nil {
		return Request{}, anthropicInvalid("%v", err)
	}
	c := anthropicCheck{request: Request{Format: Anthropic, Model: body.Model, Stream: body.Stream}}
	if refused := c.top(&body); refused != nil {
		return Request{}, refused
	}
	for i, m := range body.Messages {
		if refused := c.message(i, m); refused != nil {
			return Request{}, refused
		}
	}
	if refused := c.end(); refused != nil {
		return Request{}, refused
	}
	return c.request, nil
}

// anthropicCheck goes through a request once.
type anthropicCheck struct {
	request Request
	cached  int      // blocks with cache_control
	open    []string // calls of the message before
}

func (c *anthropicCheck) top(body *anthropicBody) *refusal {
	switch {
	case body.Model == "":
		return anthropicInvalid("model: Field required")
	case body.MaxTokens == nil:
		return anthropicInvalid("max_tokens: Field required")
	case *body.MaxTokens < 1:
		return anthropicInvalid("max_tokens: Input should be greater than or equal to 1")
	case len(body.Messages) == 0:
		return anthropicInvalid("messages: at least one message is required")
	case body.Messages[0].Role != "user":
		return anthropicInvalid("messages: first message must use the \"user\" role")
	case body.Messages[len(body.Messages)-1].Role != "user":
		return anthropicInvalid("This model does not support assistant message prefill. The conversation must end with a user message.")
	}
	c.request.MaxTokens = *body.MaxTokens
	for i, t := range body.Tools {
		switch {
		case !anthropicName.MatchString(t.Name):
			return anthropicInvalid("tools.%d.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'", i)
		case slices.Contains(c.request.Tools, t.Name):
			return anthropicInvalid("tools: Tool names must be unique.")
		case !isObjectSchema(t.InputSchema):
			return anthropicInvalid("tools.%d.custom.input_schema.type: Input should be 'object'", i)
		}
		c.cache(t.CacheControl)
		c.request.Tools = append(c.request.Tools, t.Name)
	}
	return c.system(body.System)
}

func (c *anthropicCheck) system(raw json.RawMessage) *refusal {
	if len(raw) == 0 {
		return nil
	}
	blocks, err := anthropicBlocks(raw)
	if err != nil {
		return anthropicInvalid("system: %v", err)
	}
	for i, b := range blocks {
		if b.Type != "text" || strings.TrimSpace(b.Text) == "" {
			return anthropicInvalid("system.%d: text content blocks must be non-empty", i)
		}
		c.cache(b.CacheControl)
		c.request.System += b.Text
	}
	return nil
}

func (c *anthropicCheck) cache(control json.RawMessage) {
	if len(control) > 0 {
		c.cached++
	}
}

// anthropicBlocks reads content: a string is short for one text block.
func anthropicBlocks(raw json.RawMessage) ([]anthropicBlock, error) {
	if text, ok := stringOf(raw); ok {
		return []anthropicBlock{{Type: "text", Text: text}}, nil
	}
	var blocks []anthropicBlock
	if err := decodeStrict(raw, &blocks); err != nil {
		return nil, err
	}
	return blocks, nil
}

func (c *anthropicCheck) message(i int, m anthropicMessage) *refusal {
	if m.Role != "user" && m.Role != "assistant" {
		return anthropicInvalid("messages.%d.role: Input should be 'user' or 'assistant'", i)
	}
	blocks, err := anthropicBlocks(m.Content)
	if err != nil {
		return anthropicInvalid("messages.%d.content: %v", i, err)
	}
	if len(blocks) == 0 {
		return anthropicInvalid("messages.%d: all messages must have non-empty content except for the optional final assistant message", i)
	}
	if refused := c.answered(i, blocks); refused != nil {
		return refused
	}
	message := Message{Role: m.Role}
	for j, b := range blocks {
		c.cache(b.CacheControl)
		if refused := checkAnthropicBlock(&message, fmt.Sprintf("messages.%d.content.%d", i, j), b); refused != nil {
			return refused
		}
	}
	for _, call := range message.Calls {
		c.open = append(c.open, call.ID)
	}
	c.request.Messages = append(c.request.Messages, message)
	return nil
}

// answered checks that the calls of the message before have their results at
// the very beginning of this one, and nothing else has.
func (c *anthropicCheck) answered(i int, blocks []anthropicBlock) *refusal {
	other := false
	for j, b := range blocks {
		if b.Type != "tool_result" {
			other = true
			continue
		}
		at := slices.Index(c.open, b.ToolUseID)
		if at < 0 {
			return anthropicInvalid("messages.%d.content.%d: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", i, j, b.ToolUseID)
		}
		if other {
			return anthropicInvalid("messages.%d.content.%d: `tool_result` blocks must come first in the content", i, j)
		}
		c.open = slices.Delete(c.open, at, at+1)
	}
	if len(c.open) > 0 {
		return anthropicInvalid("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s. Each `tool_use` block must have a corresponding `tool_result` block in the next message.", i-1, strings.Join(c.open, ", "))
	}
	return nil
}

func (c *anthropicCheck) end() *refusal {
	if c.cached > anthropicMaxCache {
		return anthropicInvalid("A maximum of %d blocks with cache_control may be provided. Found %d.", anthropicMaxCache, c.cached)
	}
	return nil
}

func checkAnthropicBlock(m *Message, at string, b anthropicBlock) *refusal {
	switch b.Type {
	case "text":
		if strings.TrimSpace(b.Text) == "" {
			return anthropicInvalid("messages: text content blocks must be non-empty (%s)", at)
		}
		m.Text += b.Text
	case "image":
		if m.Role != "user" || b.Source == nil || b.Source.Type != "base64" || !slices.Contains(anthropicMedia, b.Source.MediaType) || len(b.Source.Data) == 0 {
			return anthropicInvalid("%s.image.source: Input should be a base64 image of 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'", at)
		}
		m.Images++
	case "tool_use":
		if m.Role != "assistant" || !anthropicName.MatchString(b.ID) || !anthropicName.MatchString(b.Name) {
			return anthropicInvalid("%s.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", at)
		}
		if input := bytes.TrimSpace(b.Input); len(input) == 0 || input[0] != '{' {
			return anthropicInvalid("%s.tool_use.input: Input should be a valid dictionary", at)
		}
		m.Calls = append(m.Calls, Call{ID: b.ID, Name: b.Name, Args: string(b.Input)})
	case "tool_result":
		return checkAnthropicResult(m, at, b)
	case "thinking":
		if m.Role != "assistant" || b.Signature != sign(b.Thinking) || len(b.CacheControl) > 0 {
			return anthropicInvalid("%s: Invalid `signature` in `thinking` block", at)
		}
		m.Thinking = append(m.Thinking, b.Thinking)
	case "redacted_thinking":
		if m.Role != "assistant" || b.Data == "" || len(b.CacheControl) > 0 {
			return anthropicInvalid("%s: Invalid `data` in `redacted_thinking` block", at)
		}
	default:
		return anthropicInvalid("%s: Input tag '%s' found using 'type' does not match any of the expected tags", at, b.Type)
	}
	return nil
}

func checkAnthropicResult(m *Message, at string, b anthropicBlock) *refusal {
	result := Result{ID: b.ToolUseID, Failed: b.IsError}
	if len(b.Content) > 0 {
		blocks, err := anthropicBlocks(b.Content)
		if err != nil {
			return anthropicInvalid("%s.tool_result.content: %v", at, err)
		}
		for _, inner := range blocks {
			if inner.Type != "text" || inner.Text == "" {
				return anthropicInvalid("%s.tool_result.content: text content blocks must be non-empty", at)
			}
			result.Text += inner.Text
		}
	}
	m.Results = append(m.Results, result)
	return nil
}
