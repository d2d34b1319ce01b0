package modeltest

import (
	"fmt"
	"net/http"
	"strconv"
)

// openaiFormat is the Chat Completions API as
// platform.openai.com/docs/api-reference/chat documents it.
type openaiFormat struct{}

var openaiStops = map[Stop]string{Done: "stop", Tools: "tool_calls", Length: "length", Refused: "content_filter"}

func (openaiFormat) events(r Request, a Answer) *eventList {
	head := `{"id":"chatcmpl-` + strconv.Itoa(r.N) + `","object":"chat.completion.chunk","created":1767225600,"model":` + quote(r.Model) + `,"choices":[`
	tail := `}`
	if r.usage {
		tail = `,"usage":null}`
	}
	var list eventList
	delta := func(parts ...string) {
		all := append([]string{head, `{"index":0,"delta":{`}, parts...)
		list.add("", append(all, `},"logprobs":null,"finish_reason":null}]`, tail)...)
	}
	delta(`"role":"assistant","content":""`)
	for _, piece := range a.Text {
		delta(`"content":`, quote(piece))
	}
	for i, c := range a.Calls {
		index := strconv.Itoa(i)
		delta(`"tool_calls":[{"index":`, index, `,"id":`, quote(c.ID), `,"type":"function","function":{"name":`, quote(c.Name), `,"arguments":""}}]`)
		for _, piece := range a.pieces(c.Args) {
			delta(`"tool_calls":[{"index":`, index, `,"function":{"arguments":`, quote(piece), `}}]`)
		}
	}
	list.add("", head, `{"index":0,"delta":{},"logprobs":null,"finish_reason":"`, openaiStops[a.stop()], `"}]`, tail)
	if r.usage {
		list.add("", head, `],"usage":`, openaiUsage(a.Usage), `}`)
	}
	list.add("", `[DONE]`)
	return &list
}

func openaiUsage(u Usage) string {
	return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0}}`,
		u.Input, u.Output, u.Input+u.Output, u.CacheRead)
}

func (openaiFormat) document(r Request, a Answer) []byte {
	text, calls := "", ""
	for _, piece := range a.Text {
		text += piece
	}
	for i, c := range a.Calls {
		if i > 0 {
			calls += ","
		}
		calls += fmt.Sprintf(`{"id":%s,"type":"function","function":{"name":%s,"arguments":%s}}`, quote(c.ID), quote(c.Name), quote(c.Args))
	}
	if calls != "" {
		calls = `,"tool_calls":[` + calls + `]`
	}
	return fmt.Appendf(nil, `{"id":"chatcmpl-%d","object":"chat.completion","created":1767225600,"model":%s,"choices":[{"index":0,"message":{"role":"assistant","content":%s%s},"logprobs":null,"finish_reason":%q}],"usage":%s}`,
		r.N, quote(r.Model), quote(text), calls, openaiStops[a.stop()], openaiUsage(a.Usage))
}

var openaiFaults = map[Fault]refusal{
	Unauthorized: {401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys."},
	RateLimited:  {429, "requests", "rate_limit_exceeded", "Rate limit reached for this model on requests per min (RPM): Limit 3, Used 3, Requested 1."},
	OutOfQuota:   {429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota, please check your plan and billing details."},
	Overloaded:   {503, "server_error", "", "The engine is currently overloaded, please try again later."},
	ServerError:  {500, "server_error", "", "The server had an error while processing your request. Sorry about that!"},
	TooLong:      {400, "invalid_request_error", "context_length_exceeded", "This model's maximum context length is 128000 tokens. However, your messages resulted in 150000 tokens."},
	Invalid:      {400, "invalid_request_error", "", "We could not parse the JSON body of your request."},
	ScriptOver:   {400, "invalid_request_error", "script_over", "the script has no answer left"},
}

func (openaiFormat) fault(f Fault) *refusal {
	r, ok := openaiFaults[f]
	if !ok {
		panic(fmt.Sprintf("modeltest: no such fault: %q", f))
	}
	return &r
}

func (openaiFormat) errorEvent() []byte {
	return []byte(`data: {"error":` + openaiError(&refusal{kind: "server_error", message: "The server is overloaded."}) + "}\n\n")
}

func (openaiFormat) refuse(w http.ResponseWriter, r *refusal) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(r.status)
	fmt.Fprintf(w, `{"error":%s}`, openaiError(r))
}

func openaiError(r *refusal) string {
	code := "null"
	if r.code != "" {
		code = quote(r.code)
	}
	return fmt.Sprintf(`{"message":%s,"type":%s,"param":null,"code":%s}`, quote(r.message), quote(r.kind), code)
}
