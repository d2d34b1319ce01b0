package modeltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

type openaiBody struct {
	Model               string          `json:"model"`
	Messages            []openaiMessage `json:"messages"`
	Tools               []openaiTool    `json:"tools"`
	Stream              bool            `json:"stream"`
	StreamOptions       *openaiStream   `json:"stream_options"`
	MaxTokens           int             `json:"max_tokens"`
	MaxCompletionTokens int             `json:"max_completion_tokens"`
	ReasoningEffort     string          `json:"reasoning_effort"`
	Temperature         float64         `json:"temperature"`
	ToolChoice          json.RawMessage `json:"tool_choice"`
	ParallelToolCalls   *bool           `json:"parallel_tool_calls"`
	ResponseFormat      json.RawMessage `json:"response_format"`
	User                string          `json:"user"`
	PromptCacheKey      string          `json:"prompt_cache_key"`
}

type openaiStream struct {
	IncludeUsage bool `json:"include_usage"`
}

type openaiMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Name       string          `json:"name"`
	ToolCalls  []openaiCall    `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
}

type openaiCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string  `json:"name"`
		Arguments *string `json:"arguments"`
	} `json:"function"`
}

type openaiTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      bool            `json:"strict"`
	} `json:"function"`
}

type openaiPart struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	ImageURL *struct {
		URL    string `json:"url"`
		Detail string `json:"detail"`
	} `json:"image_url"`
}

var (
	openaiName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	dataURL    = regexp.MustCompile(`^data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$`)
)

func openaiInvalid(form string, args ...any) *refusal {
	return &refusal{400, "invalid_request_error", "", fmt.Sprintf(form, args...)}
}

func (f openaiFormat) parse(h http.Header, raw []byte, key string) (Request, *refusal) {
	if key != "" && h.Get("Authorization") != "Bearer "+key {
		return Request{}, f.fault(Unauthorized)
	}
	var body openaiBody
	if err := decodeStrict(raw, &body); err != nil {
		return Request{}, openaiInvalid("We could not use the JSON body of your request: %v", err)
	}
	request := Request{
		Format: OpenAI, Model: body.Model, Stream: body.Stream,
		MaxTokens: max(body.MaxTokens, body.MaxCompletionTokens),
		usage:     body.StreamOptions != nil && body.StreamOptions.IncludeUsage,
	}
	if refused := checkOpenAITop(&body, &request); refused != nil {
		return Request{}, refused
	}
	for i, m := range body.Messages {
		message, refused := checkOpenAIMessage(i, m)
		if refused != nil {
			return Request{}, refused
		}
		if m.Role == "system" || m.Role == "developer" {
			request.System = strings.TrimSpace(request.System + "\n" + message.Text)
			continue
		}
		request.Messages = append(request.Messages, message)
	}
	if refused := checkOpenAIOrder(body.Messages); refused != nil {
		return Request{}, refused
	}
	return request, nil
}

// decodeStrict refuses fields that it does not know, as both vendors do.
func decodeStrict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return fmt.Errorf("more than one JSON value")
	}
	return nil
}

// stringOf reads a JSON string that was found valid already. Most are plain,
// and decoding each a second time would be half of a request's cost.
func stringOf(raw json.RawMessage) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true
	}
	var text string
	err := json.Unmarshal(raw, &text)
	return text, err == nil
}

func checkOpenAITop(body *openaiBody, request *Request) *refusal {
	switch {
	case body.Model == "":
		return openaiInvalid("you must provide a model parameter")
	case len(body.Messages) == 0:
		return openaiInvalid("Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.")
	case body.StreamOptions != nil && !body.Stream:
		return openaiInvalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.")
	case body.MaxTokens != 0 && body.MaxCompletionTokens != 0:
		return openaiInvalid("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
	}
	for i, t := range body.Tools {
		switch {
		case t.Type != "function":
			return openaiInvalid("Invalid value: '%s'. Supported values are: 'function'.", t.Type)
		case !openaiName.MatchString(t.Function.Name):
			return openaiInvalid("Invalid 'tools[%d].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.", i)
		case slices.Contains(request.Tools, t.Function.Name):
			return openaiInvalid("Invalid 'tools[%d].function.name': '%s' is not unique.", i, t.Function.Name)
		case !isObjectSchema(t.Function.Parameters):
			return openaiInvalid("Invalid schema for function '%s': schema must be a JSON Schema of 'type: \"object\"'.", t.Function.Name)
		}
		request.Tools = append(request.Tools, t.Function.Name)
	}
	return nil
}

func isObjectSchema(raw json.RawMessage) bool {
	var schema struct {
		Type string `json:"type"`
	}
	return json.Unmarshal(raw, &schema) == nil && schema.Type == "object"
}

func checkOpenAIMessage(i int, m openaiMessage) (Message, *refusal) {
	message := Message{Role: m.Role}
	content := len(m.Content) > 0 && string(m.Content) != "null"
	switch m.Role {
	case "system", "developer", "user", "tool":
		if !content {
			return message, openaiInvalid("Invalid value for 'content': expected a string, got null. (messages.[%d].content)", i)
		}
	case "assistant":
		if !content && len(m.ToolCalls) == 0 {
			return message, openaiInvalid("Invalid value for 'content': expected a string, got null. (messages.[%d].content)", i)
		}
	default:
		return message, openaiInvalid("Invalid value: '%s'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'. (messages[%d].role)", m.Role, i)
	}
	if content {
		if refused := openaiContent(i, m, &message); refused != nil {
			return message, refused
		}
	}
	for j, c := range m.ToolCalls {
		if m.Role != "assistant" || c.ID == "" || c.Type != "function" || !openaiName.MatchString(c.Function.Name) || c.Function.Arguments == nil {
			return message, openaiInvalid("Invalid 'messages[%d].tool_calls[%d]'.", i, j)
		}
		message.Calls = append(message.Calls, Call{ID: c.ID, Name: c.Function.Name, Args: *c.Function.Arguments})
	}
	if m.Role == "tool" {
		if m.ToolCallID == "" {
			return message, openaiInvalid("Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'. (messages.[%d])", i)
		}
		message.Results = []Result{{ID: m.ToolCallID, Text: message.Text}}
	}
	return message, nil
}

func openaiContent(i int, m openaiMessage, message *Message) *refusal {
	if text, ok := stringOf(m.Content); ok {
		message.Text = text
		return nil
	}
	var parts []openaiPart
	if err := decodeStrict(m.Content, &parts); err != nil || len(parts) == 0 {
		return openaiInvalid("Invalid type for 'messages[%d].content': expected one of an array of objects or a string.", i)
	}
	for j, p := range parts {
		switch {
		case p.Type == "text":
			message.Text += p.Text
		case p.Type == "image_url" && m.Role == "user" && p.ImageURL != nil:
			if !dataURL.MatchString(p.ImageURL.URL) && !strings.HasPrefix(p.ImageURL.URL, "https://") {
				return openaiInvalid("Invalid 'messages[%d].content[%d].image_url.url'. Expected a valid URL or base64 data.", i, j)
			}
			message.Images++
		default:
			return openaiInvalid("Invalid value: '%s'. (messages[%d].content[%d].type)", p.Type, i, j)
		}
	}
	return nil
}

// checkOpenAIOrder checks that tool results and tool calls belong together.
func checkOpenAIOrder(messages []openaiMessage) *refusal {
	var open []string // calls that wait for their results
	for i, m := range messages {
		if m.Role == "tool" {
			at := slices.Index(open, m.ToolCallID)
			if at < 0 {
				return openaiInvalid("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (messages.[%d].role, tool_call_id %q)", i, m.ToolCallID)
			}
			open = slices.Delete(open, at, at+1)
			continue
		}
		if len(open) > 0 {
			break
		}
		for _, c := range m.ToolCalls {
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		return openaiInvalid("An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: %s", strings.Join(open, ", "))
	}
	return nil
}
