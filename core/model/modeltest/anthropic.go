package modeltest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// anthropicFormat is the Messages API as platform.claude.com/docs/en/api
// documents it.
type anthropicFormat struct{}

var anthropicStops = map[Stop]string{Done: "end_turn", Tools: "tool_use", Length: "max_tokens", Refused: "refusal"}

func (anthropicFormat) events(r Request, a Answer) *eventList {
	var list eventList
	list.add("message_start", `{"type":"message_start","message":{"id":"msg_`, strconv.Itoa(r.N),
		`","type":"message","role":"assistant","model":`, quote(r.Model),
		`,"content":[],"stop_reason":null,"stop_sequence":null,"usage":`, anthropicUsage(a.Usage, 1), `}}`)
	index := -1
	block := func(start string, deltas ...string) {
		index++
		at := strconv.Itoa(index)
		list.add("content_block_start", `{"type":"content_block_start","index":`, at, `,"content_block":`, start, `}`)
		for _, d := range deltas {
			list.add("content_block_delta", `{"type":"content_block_delta","index":`, at, `,"delta":`, d, `}`)
		}
		list.add("content_block_stop", `{"type":"content_block_stop","index":`, at, `}`)
	}
	if a.Thinking != "" {
		block(`{"type":"thinking","thinking":"","signature":""}`,
			`{"type":"thinking_delta","thinking":`+quote(a.Thinking)+`}`,
			`{"type":"signature_delta","signature":`+quote(sign(a.Thinking))+`}`)
	}
	list.add("ping", `{"type":"ping"}`)
	if len(a.Text) > 0 {
		var deltas []string
		for _, piece := range a.Text {
			deltas = append(deltas, `{"type":"text_delta","text":`+quote(piece)+`}`)
		}
		block(`{"type":"text","text":""}`, deltas...)
	}
	for _, c := range a.Calls {
		var deltas []string
		for _, piece := range a.pieces(c.Args) {
			deltas = append(deltas, `{"type":"input_json_delta","partial_json":`+quote(piece)+`}`)
		}
		block(`{"type":"tool_use","id":`+quote(c.ID)+`,"name":`+quote(c.Name)+`,"input":{}}`, deltas...)
	}
	list.add("message_delta", `{"type":"message_delta","delta":{"stop_reason":"`, anthropicStops[a.stop()],
		`","stop_sequence":null},"usage":{"output_tokens":`, strconv.Itoa(a.Usage.Output), `}}`)
	list.add("message_stop", `{"type":"message_stop"}`)
	return &list
}

// anthropicUsage counts cached tokens beside the others, as this vendor does.
func anthropicUsage(u Usage, output int) string {
	return fmt.Sprintf(`{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d}`,
		max(0, u.Input-u.CacheRead-u.CacheWrite), u.CacheWrite, u.CacheRead, output)
}

func (anthropicFormat) document(r Request, a Answer) []byte {
	var blocks []string
	if a.Thinking != "" {
		blocks = append(blocks, fmt.Sprintf(`{"type":"thinking","thinking":%s,"signature":%s}`, quote(a.Thinking), quote(sign(a.Thinking))))
	}
	if len(a.Text) > 0 {
		blocks = append(blocks, fmt.Sprintf(`{"type":"text","text":%s}`, quote(strings.Join(a.Text, ""))))
	}
	for _, c := range a.Calls {
		blocks = append(blocks, fmt.Sprintf(`{"type":"tool_use","id":%s,"name":%s,"input":%s}`, quote(c.ID), quote(c.Name), object(c.Args)))
	}
	return fmt.Appendf(nil, `{"id":"msg_%d","type":"message","role":"assistant","model":%s,"content":[%s],"stop_reason":%q,"stop_sequence":null,"usage":%s}`,
		r.N, quote(r.Model), strings.Join(blocks, ","), anthropicStops[a.stop()], anthropicUsage(a.Usage, a.Usage.Output))
}

var anthropicFaults = map[Fault]refusal{
	Unauthorized: {401, "authentication_error", "", "invalid x-api-key"},
	RateLimited:  {429, "rate_limit_error", "", "This request would exceed your organization's rate limit of 50 requests per minute."},
	OutOfQuota:   {400, "billing_error", "", "Your credit balance is too low to access the API."},
	Overloaded:   {529, "overloaded_error", "", "Overloaded"},
	ServerError:  {500, "api_error", "", "Internal server error"},
	TooLong:      {400, "invalid_request_error", "", "prompt is too long: 210000 tokens > 200000 maximum"},
	Invalid:      {400, "invalid_request_error", "", "messages: Input should be a valid list"},
	ScriptOver:   {400, "invalid_request_error", "", "the script has no answer left"},
}

func (anthropicFormat) fault(f Fault) *refusal {
	r, ok := anthropicFaults[f]
	if !ok {
		panic(fmt.Sprintf("modeltest: no such fault: %q", f))
	}
	return &r
}

func (anthropicFormat) errorEvent() []byte {
	return []byte("event: error\ndata: " + anthropicError(&refusal{kind: "overloaded_error", message: "Overloaded"}) + "\n\n")
}

func (anthropicFormat) refuse(w http.ResponseWriter, r *refusal) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(r.status)
	fmt.Fprint(w, anthropicError(r))
}

func anthropicError(r *refusal) string {
	return fmt.Sprintf(`{"type":"error","error":{"type":%s,"message":%s},"request_id":"req_test"}`, quote(r.kind), quote(r.message))
}
