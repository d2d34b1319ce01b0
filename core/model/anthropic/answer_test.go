package anthropic_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/model/anthropic"
	"talaria/core/model/modeltest"
)

func start(t *testing.T, s modeltest.Script) *modeltest.Server {
	server := modeltest.Start(s, modeltest.Options{})
	t.Cleanup(server.Close)
	return server
}

func named(name string, server *modeltest.Server) agent.Model {
	return anthropic.New(anthropic.Config{Name: name, BaseURL: server.URL() + "/v1/", Client: server.Client()})
}

// withThought is a history in which the model thought, then called a tool.
func withThought(t *testing.T, server *modeltest.Server, name string) agent.Request {
	t.Helper()
	r := modeltest.Hello()
	r.Tools = []agent.Spec{{Name: "time"}}
	g := modeltest.Gather(named(name, server).Stream(t.Context(), r))
	if len(g.Opaque) == 0 || len(g.Calls) != 1 || g.Text != "Let me look." {
		t.Fatalf("got %+v", g)
	}
	r.Messages = append(r.Messages, g.Message,
		agent.Message{Role: agent.ToolRole, Results: []agent.Outcome{{ID: g.Calls[0].ID, Name: "time", Text: "noon"}}})
	return r
}

func thinking() modeltest.Script {
	return modeltest.Steps(
		modeltest.Answer{Thinking: "What time is it?", Text: []string{"Let me ", "look."}, Calls: []modeltest.Call{{Name: "time"}}},
		modeltest.Text("It is noon."))
}

func TestThoughtsGoBackToTheModelThatHadThem(t *testing.T) {
	cases := []struct {
		name  string
		model string
		alter func(*agent.Message)
		want  []string
	}{
		{"unchanged", "a", func(*agent.Message) {}, []string{"What time is it?"}},
		{"another model", "b", func(*agent.Message) {}, nil},
		{"the text was shortened", "a", func(m *agent.Message) { m.Text = "Let me" }, nil},
		{"a call was dropped", "a", func(m *agent.Message) { m.Calls = []agent.Call{{ID: "other", Name: "time"}} }, nil},
		{"another provider's", "a", func(m *agent.Message) { m.Opaque = []byte(`{"encrypted":"xyz"}`) }, nil},
		{"no JSON", "a", func(m *agent.Message) { m.Opaque = []byte(`{`) }, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			server := start(t, thinking())
			r := withThought(t, server, "a")
			c.alter(&r.Messages[1])
			r.Messages[2].Results[0].ID = r.Messages[1].Calls[0].ID
			g := modeltest.Gather(named(c.model, server).Stream(t.Context(), r))
			if g.Text != "It is noon." {
				t.Fatalf("got %+v, refusals %q", g, server.Refusals())
			}
			sent := server.Requests()[1].Messages[1]
			if diff := cmp.Diff(c.want, sent.Thinking); diff != "" || len(sent.Calls) != 1 {
				t.Errorf("calls %+v, thoughts sent back (-want +got):\n%s", sent.Calls, diff)
			}
		})
	}
}

// raw makes a stream of events.
func raw(events ...string) modeltest.Answer {
	var out strings.Builder
	for _, e := range events {
		name, data, _ := strings.Cut(e, " ")
		out.WriteString("event: " + name + "\ndata: {\"type\":\"" + name + "\"," + data + "}\n\n")
	}
	return modeltest.Answer{Raw: []byte(out.String())}
}

const (
	begin = `message_start "message":{"usage":{"input_tokens":10,"cache_read_input_tokens":4,"cache_creation_input_tokens":3,"output_tokens":1}}`
	stop  = `message_stop "x":1`
)

func TestStreamsAsTheyAlsoCome(t *testing.T) {
	server := start(t, modeltest.Steps(
		raw(begin,
			`content_block_start "index":0,"content_block":{"type":"redacted_thinking","data":"abc"}`,
			`content_block_start "index":1,"content_block":{"type":"text","text":"A"}`,
			`content_block_start "index":2,"content_block":{"type":"tool_use","id":"t_1","name":"time","input":{"zone":"UTC"}}`,
			`content_block_delta "index":1,"delta":{"type":"text_delta","text":"B"}`,
			`content_block_delta "index":7,"delta":{"type":"text_delta","text":"for a block that never began"}`,
			`future_event "y":2`,
			`message_delta "delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":20}`, stop),
		modeltest.Text("ok")))
	m := named("a", server)
	r := modeltest.Hello()
	g := modeltest.Gather(m.Stream(t.Context(), r))
	want := agent.Usage{Input: 17, CacheRead: 4, CacheWrite: 3, Output: 20}
	if g.Err != nil || g.Text != "AB" || g.Usage != want || g.Stop != agent.StopCalls {
		t.Fatalf("got %+v, want usage %+v", g, want)
	}
	if len(g.Calls) != 1 || string(g.Calls[0].Args) != `{"zone":"UTC"}` {
		t.Errorf("got %+v", g.Calls)
	}
	r.Messages = append(r.Messages, g.Message, agent.Message{Role: agent.ToolRole, Results: []agent.Outcome{{ID: "t_1", Text: "noon"}}})
	if g := modeltest.Gather(m.Stream(t.Context(), r)); g.Err != nil {
		t.Error(g.Err)
	}
	if body := string(server.Requests()[1].Body); !strings.Contains(body, `{"data":"abc","type":"redacted_thinking"}`) {
		t.Errorf("the hidden thought did not go back: %s", body)
	}
}

func TestWhatIsMarkedForCaching(t *testing.T) {
	server := start(t, modeltest.Echo())
	r := modeltest.Hello()
	r.Tools = []agent.Spec{{Name: "a"}, {Name: "b", Schema: []byte(`{"type":"object","properties":{"z":{},"a":{}}}`)}}
	if g := modeltest.Gather(named("a", server).Stream(t.Context(), r)); g.Err != nil {
		t.Fatal(g.Err)
	}
	const mark = `"cache_control":{"type":"ephemeral"}`
	body := string(server.Requests()[0].Body)
	if got := strings.Count(body, mark); got != 3 {
		t.Errorf("%d marks, want 3: %s", got, body)
	}
	for _, want := range []string{`{"text":"Hello",` + mark, `"text":"Be brief.",` + mark, `"properties":{"z":{},"a":{}}`} {
		if !strings.Contains(body, want) {
			t.Errorf("lacks %s: %s", want, body)
		}
	}
}

func TestAHistoryThatBeginsWithAnAnswer(t *testing.T) {
	server := start(t, modeltest.Echo())
	r := agent.Request{Messages: []agent.Message{{Role: agent.Assistant, Text: "Good morning."}, {Role: agent.Assistant, Text: "Your briefing."}, {Role: agent.User, Text: "Thanks"}}}
	if g := modeltest.Gather(named("a", server).Stream(t.Context(), r)); g.Text != "echo: Thanks" {
		t.Errorf("got %q, %v, refusals %q", g.Text, g.Err, server.Refusals())
	}
}

func FuzzStream(f *testing.F) {
	f.Add([]byte("event: message_stop\ndata: {}\n\n"))
	f.Add(raw(begin, `content_block_start "index":-1,"content_block":{"type":"tool_use","input":5}`, `content_block_delta "index":-1,"delta":{"type":"input_json_delta","partial_json":"{"}`, stop).Raw)
	f.Add(raw(begin, `content_block_start "index":0,"content_block":{"type":"thinking","thinking":"x"}`, stop).Raw)
	f.Add([]byte("event: error\ndata: {\"error\":\"x\"}\n\n"))
	f.Add([]byte("event: error\ndata: x\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := anthropic.New(anthropic.Config{Name: "a", Client: modeltest.Canned(raw)})
		modeltest.Gather(m.Stream(t.Context(), modeltest.Hello())) // panics where the contract is broken
	})
}
