package modeltest_test

import (
	"strings"
	"testing"

	"talaria/core/model/modeltest"
)

// The checks are what makes a malformed history of ours visible, so each has
// to be able to fail.
func TestOpenAIRefusesWhatTheVendorRefuses(t *testing.T) {
	message := func(messages string) string { return `{"model":"m","messages":[` + messages + `]}` }
	call := `{"role":"assistant","tool_calls":[{"id":"c_1","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	hi := `{"role":"user","content":"hi"}`
	result := `{"role":"tool","tool_call_id":"c_1","content":"ok"}`
	for body, want := range map[string]string{
		`{`:                                   "could not use the JSON",
		message(hi) + `{}`:                    "more than one",
		`{"messages":[` + hi + `]}`:           "model parameter",
		message(``):                           "empty array",
		message(`{"role":"robot"}`):           "Supported values",
		message(`{"role":"user"}`):            "got null",
		message(hi + `,{"role":"assistant"}`): "got null",
		message(hi + `,{"role":"assistant","content":null}`):                                "got null",
		message(hi + `,` + result):                                                          "must be a response to a preceeding message",
		message(hi + `,` + call):                                                            "did not have response messages: c_1",
		message(hi + `,` + call + `,` + hi):                                                 "did not have response messages: c_1",
		message(hi + `,` + call + `,` + result + `,` + result):                              "must be a response",
		message(hi + `,` + call + `,{"role":"tool","content":"ok"}`):                        "tool_call_id",
		message(`{"role":"user","content":[]}`):                                             "Invalid type",
		message(`{"role":"user","content":[{"type":"audio"}]}`):                             "Invalid value",
		message(`{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}`): "valid URL",
		message(`{"role":"assistant","tool_calls":[{"id":"c_1","type":"function","function":{"name":"a b","arguments":"{}"}}]}`): "tool_calls[0]",
		`{"model":"m","messages":[` + hi + `],"surprise":1}`:                                                                     "surprise",
		`{"model":"m","messages":[` + hi + `],"stream_options":{}}`:                                                              "stream_options",
		`{"model":"m","messages":[` + hi + `],"max_tokens":1,"max_completion_tokens":1}`:                                         "at the same time",
		`{"model":"m","messages":[` + hi + `],"tools":[{"type":"x"}]}`:                                                           "Supported values",
		`{"model":"m","messages":[` + hi + `],"tools":[{"type":"function","function":{}}]}`:                                      "pattern",
		`{"model":"m","messages":[` + hi + `],"tools":[{"type":"function","function":{"name":"f","parameters":{}}}]}`:            "JSON Schema",
	} {
		refuses(t, modeltest.OpenAI, body, want)
	}
}

func TestAnthropicRefusesWhatTheVendorRefuses(t *testing.T) {
	top := func(rest string) string { return `{"model":"m","max_tokens":9,` + rest + `}` }
	message := func(messages string) string { return top(`"messages":[` + messages + `]`) }
	block := func(blocks string) string { return `{"role":"user","content":[` + blocks + `]}` }
	hi := `{"role":"user","content":"hi"}`
	call := `{"role":"assistant","content":[{"type":"tool_use","id":"c_1","name":"f","input":{}}]}`
	result := `{"type":"tool_result","tool_use_id":"c_1","content":"ok"}`
	text := `{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}`
	for body, want := range map[string]string{
		`{"max_tokens":9,"messages":[` + hi + `]}`:             "model: Field required",
		`{"model":"m","messages":[` + hi + `]}`:                "max_tokens: Field required",
		`{"model":"m","max_tokens":0,"messages":[` + hi + `]}`: "greater than or equal to 1",
		message(``): "at least one message",
		message(`{"role":"assistant","content":"x"},` + hi):       "first message",
		message(hi + `,{"role":"assistant","content":"x"}`):       "prefill",
		message(hi + `,{"role":"system","content":"x"},` + hi):    "Input should be 'user' or 'assistant'",
		message(`{"role":"user","content":" "}`):                  "non-empty",
		message(`{"role":"user","content":[]}`):                   "non-empty content",
		message(block(result)):                                    "unexpected `tool_use_id`",
		message(hi + `,` + call + `,` + hi):                       "without `tool_result` blocks immediately after: c_1",
		message(hi + `,` + call + `,` + block(text+`,`+result)):   "must come first",
		message(hi + `,` + call + `,` + block(result+`,`+result)): "unexpected `tool_use_id`",
		message(hi + `,{"role":"assistant","content":[{"type":"tool_use","id":"c 1","name":"f","input":{}}]},` + block(result)):  "pattern",
		message(hi + `,{"role":"assistant","content":[{"type":"tool_use","id":"c_1","name":"f","input":"x"}]},` + block(result)): "valid dictionary",
		message(hi + `,{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"y"}]},` + hi):               "Invalid `signature`",
		message(block(`{"type":"image","source":{"type":"base64","media_type":"image/bmp","data":"AAAA"}}`)):                     "image/webp",
		message(block(`{"type":"video"}`)):                                                                                                   "does not match any",
		message(block(text + `,` + text + `,` + text + `,` + text + `,` + text)):                                                             "maximum of 4 blocks with cache_control",
		top(`"temperature":1,"messages":[` + hi + `]`):                                                                                       "temperature",
		top(`"system":[{"type":"text","text":""}],"messages":[` + hi + `]`):                                                                  "system.0",
		top(`"tools":[{"name":"f","input_schema":{}}],"messages":[` + hi + `]`):                                                              "should be 'object'",
		top(`"tools":[{"name":"f f"}],"messages":[` + hi + `]`):                                                                              "pattern",
		top(`"tools":[{"name":"f","input_schema":{"type":"object"}},{"name":"f","input_schema":{"type":"object"}}],"messages":[` + hi + `]`): "must be unique",
	} {
		refuses(t, modeltest.Anthropic, body, want)
	}
}

func refuses(t *testing.T, f modeltest.Format, body, want string) {
	t.Helper()
	server, client := start(t, modeltest.Echo())
	status, answer := post(t, client, server, f, body)
	if status != 400 || !strings.Contains(strings.ReplaceAll(answer, `\"`, `"`), want) {
		t.Errorf("%s: got status %d, want 400 with %q: %s", body, status, want, answer)
	}
	if server.Count() != 0 || len(server.Refusals()) != 1 {
		t.Errorf("%s: counted %d requests, refusals %q", body, server.Count(), server.Refusals())
	}
}
