package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/model/modeltest"
	"talaria/core/model/openai"
)

// events makes a stream of chunks; each is the inside of the first choice.
func events(choices ...string) []byte {
	var out strings.Builder
	for _, c := range choices {
		out.WriteString(`data: {"choices":[{"index":0,` + c + "}]}\n\n")
	}
	return []byte(out.String())
}

func stream(t *testing.T, raw []byte) modeltest.Gathered {
	t.Helper()
	server := modeltest.Start(modeltest.Always(modeltest.Answer{Raw: raw}), modeltest.Options{})
	t.Cleanup(server.Close)
	m := openai.New(openai.Config{Name: "test-model", BaseURL: server.URL() + "/v1/", Client: server.Client()})
	return modeltest.Gather(m.Stream(t.Context(), modeltest.Hello()))
}

const finished = `"delta":{},"finish_reason":"tool_calls"`

// Servers number and name the pieces of parallel calls each in their own way.
func TestCallsAreToldApart(t *testing.T) {
	cases := map[string][]string{
		"interleaved, with a gap between the indexes": {
			`"delta":{"tool_calls":[{"index":1,"id":"a","function":{"name":"first","arguments":"{\"n\""}},{"index":4,"id":"b","function":{"name":"second"}}]}`,
			`"delta":{"tool_calls":[{"index":4,"function":{"arguments":"{\"n\":"}}]}`,
			`"delta":{"tool_calls":[{"index":1,"function":{"arguments":":1}"}}]}`,
			`"delta":{"tool_calls":[{"index":4,"function":{"arguments":"2}"}}]}`,
		},
		"every call has index 0 and comes whole": {
			`"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"first","arguments":"{\"n\":1}"}}]}`,
			`"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"second","arguments":"{\"n\":2}"}}]}`,
		},
		"no index": {
			`"delta":{"tool_calls":[{"id":"a","function":{"name":"first","arguments":"{\"n\":1}"}},{"id":"b","function":{"name":"second","arguments":"{\"n\":"}}]}`,
			`"delta":{"tool_calls":[{"function":{"arguments":"2}"}}]}`,
		},
		"id and name repeated in each piece": {
			`"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"first","arguments":"{\"n\":"}}]}`,
			`"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"first","arguments":"1}"}}]}`,
			`"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"second","arguments":"{\"n\":2}"}}]}`,
		},
	}
	want := []agent.Call{
		{ID: "a", Name: "first", Args: json.RawMessage(`{"n":1}`)},
		{ID: "b", Name: "second", Args: json.RawMessage(`{"n":2}`)},
	}
	for name, choices := range cases {
		t.Run(name, func(t *testing.T) {
			g := stream(t, events(append(choices, finished)...))
			if diff := cmp.Diff(want, g.Calls); diff != "" || g.Stop != agent.StopCalls {
				t.Errorf("stop %q, %v, calls (-want +got):\n%s", g.Stop, g.Err, diff)
			}
		})
	}
}

func TestCallsGetIDsOfTheirOwn(t *testing.T) {
	g := stream(t, events(
		`"delta":{"tool_calls":[{"index":0,"function":{"name":"f"}},{"index":1,"id":"x","function":{"name":"f"}},{"index":2,"id":"x","function":{"name":"f"}}]}`,
		finished))
	seen := map[string]bool{}
	for _, c := range g.Calls {
		seen[c.ID] = true
	}
	if len(g.Calls) != 3 || len(seen) != 3 || seen[""] {
		t.Errorf("got %+v, %v", g.Calls, g.Err)
	}
}

func TestStreamsOfOtherServers(t *testing.T) {
	cases := []struct {
		name string
		raw  []byte
		want modeltest.Gathered
	}{
		{"comments, event names, CR and no space after the colon", []byte(": waiting\r\n\r\nevent: chunk\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\r\n\r\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\r\n\r\ndata: [DONE]\r\n\r\n"),
			modeltest.Gathered{Message: agent.Message{Text: "hi"}, Stop: agent.StopEnd}},
		{"hundreds of comments while the model thinks", []byte(strings.Repeat(": PROCESSING\n\n", 1000) + string(events(`"delta":{"content":"hi"},"finish_reason":"stop"`))),
			modeltest.Gathered{Message: agent.Message{Text: "hi"}, Stop: agent.StopEnd}},
		{"chunks without choices and with unknown fields", []byte(`data: {"choices":[],"prompt_filter_results":[]}` + "\n\n" + `data: {"choices":null,"x":{"y":1}}` + "\n\n" + string(events(`"delta":{"content":"hi","zz":3},"finish_reason":"stop"`))),
			modeltest.Gathered{Message: agent.Message{Text: "hi"}, Stop: agent.StopEnd}},
		{"reasoning is not part of the answer", events(`"delta":{"reasoning_content":"hm","content":null}`, `"delta":{"content":"hi"}`, `"delta":{},"finish_reason":"stop"`),
			modeltest.Gathered{Message: agent.Message{Text: "hi"}, Stop: agent.StopEnd}},
		{"a second choice that nobody asked for", []byte(`data: {"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"stop"},{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}` + "\n\n"),
			modeltest.Gathered{Message: agent.Message{Text: "hi"}, Stop: agent.StopEnd}},
		{"a refusal of the model's own", events(`"delta":{"refusal":"I can't."}`, `"delta":{},"finish_reason":"stop"`),
			modeltest.Gathered{Message: agent.Message{Text: "I can't."}, Stop: agent.StopRefused}},
		{"the usage comes with every chunk", []byte(`data: {"choices":[{"delta":{"content":"hi"}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}` + "\n\n" + `data: {"choices":[{"delta":{},"finish_reason":"eos"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}` + "\n\n"),
			modeltest.Gathered{Message: agent.Message{Text: "hi"}, Stop: agent.StopEnd, Usage: agent.Usage{Input: 5, Output: 2}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := stream(t, c.raw)
			if g.Text != c.want.Text || g.Stop != c.want.Stop || g.Usage != c.want.Usage || g.Err != nil {
				t.Errorf("got %+v, want %+v", g, c.want)
			}
		})
	}
}

func TestAProviderBehindTheGatewayFails(t *testing.T) {
	for name, raw := range map[string][]byte{
		"as a finish reason": events(`"delta":{"content":"ha"}`, `"delta":{},"finish_reason":"error"`),
		"as an error event":  append(events(`"delta":{"content":"ha"}`), "data: {\"error\":{\"code\":502,\"message\":\"upstream\"}}\n\n"...),
	} {
		g := stream(t, raw)
		if fault, ok := g.Err.(*agent.ModelError); !ok || fault.Kind != agent.ModelTransient || g.Text != "ha" {
			t.Errorf("%s: got %q and %v", name, g.Text, g.Err)
		}
	}
}

// The newest models of the vendor take tools over this format only without
// reasoning, and the limit under its new name only.
func TestWhatTheVendorItselfWants(t *testing.T) {
	server := modeltest.Start(modeltest.Echo(), modeltest.Options{})
	t.Cleanup(server.Close)
	r := modeltest.Hello()
	r.MaxTokens = 77
	r.Session = "session-1"
	r.Tools = []agent.Spec{{Name: "time"}}
	vendor := openai.New(openai.Config{Name: "gpt-6-sol", Key: "sk-test", Client: server.Standing("api.openai.com")})
	gateway := openai.New(openai.Config{Name: "o3", BaseURL: server.URL() + "/v1", Client: server.Client()})
	other := openai.New(openai.Config{Name: "some-model", BaseURL: server.URL() + "/v1", Client: server.Client()})
	for _, m := range []agent.Model{vendor, gateway, other} {
		if g := modeltest.Gather(m.Stream(t.Context(), r)); g.Err != nil {
			t.Fatal(g.Err)
		}
	}
	for i, wants := range [][]string{
		{`"max_completion_tokens":77`, `"reasoning_effort":"none"`, `"user":"session-1"`},
		{`"max_completion_tokens":77`},
		{`"max_tokens":77`},
	} {
		for _, want := range wants {
			if body := string(server.Requests()[i].Body); !strings.Contains(body, want) {
				t.Errorf("request %d lacks %s: %s", i, want, body)
			}
		}
	}
}

func FuzzStream(f *testing.F) {
	f.Add([]byte("data: [DONE]\n\n"))
	f.Add(events(`"delta":{"content":"hi"}`, finished))
	f.Add(events(`"delta":{"tool_calls":[{"index":-5,"id":"a","function":{"name":"f","arguments":"{"}},{"function":{"arguments":"}"}}]}`, finished))
	f.Add([]byte("data: {\"error\":\"x\"}\n\ndata: {\"error\":{\"message\":[1]}}\n"))
	f.Add([]byte("data: {\"error\":{\"code\":1.5,\"message\":null}}\n\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := openai.New(openai.Config{Name: "test-model", Client: modeltest.Canned(raw)})
		modeltest.Gather(m.Stream(t.Context(), modeltest.Hello())) // panics where the contract is broken
	})
}
