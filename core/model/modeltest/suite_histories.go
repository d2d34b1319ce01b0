package modeltest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
)

// pixel stands for a picture; nobody decodes it.
var pixel = agent.Image{MIME: "image/png", Data: []byte{0x89, 'P', 'N', 'G', 0, 1, 2, 3}}

// longHistory has all that a conversation may hold, the awkward things among it.
func longHistory() []agent.Message {
	return []agent.Message{
		{Role: agent.User, Text: "<block>data</block>"},
		{Role: agent.User, Text: "What is this?", Images: []agent.Image{pixel}},
		{Role: agent.Assistant, Text: "Two calls.", Calls: []agent.Call{
			{ID: "c_1", Name: "note", Args: []byte(`{"text":"a"}`)},
			{ID: "c_2", Name: "note", Args: []byte(`{"text": oops`)},
		}},
		{Role: agent.ToolRole, Results: []agent.Outcome{
			{ID: "c_1", Name: "note", Text: "done"},
			{ID: "c_2", Name: "note", Text: "arguments are no JSON", Failed: true},
		}},
		{Role: agent.User, Text: "And hurry."}, // steering
		{Role: agent.Assistant, Calls: []agent.Call{{ID: "c_3", Name: "time", Args: nil}}},
		{Role: agent.ToolRole, Results: []agent.Outcome{{ID: "c_3", Name: "time", Text: ""}}},
		{Role: agent.Assistant, Text: ""},
		{Role: agent.User, Images: []agent.Image{pixel}},
		{Role: agent.Assistant, Text: "Done. \n"},
		{Role: agent.User, Text: " "},
	}
}

func runHistories(t *testing.T, h Harness) {
	t.Run("every part of a history is accepted and told", func(t *testing.T) {
		w := h.world(t, Echo())
		r := withTools()
		r.Messages = longHistory()
		if g := w.ask(t.Context(), r); g.Err != nil {
			t.Fatal(g.Err)
		}
		got := w.server.Requests()[0]
		var calls []string
		var results []Result
		images := 0
		for _, m := range got.Messages {
			images += m.Images
			for _, c := range m.Calls {
				calls = append(calls, c.ID+" "+c.Name)
			}
			results = append(results, m.Results...)
		}
		if diff := cmp.Diff([]string{"c_1 note", "c_2 note", "c_3 time"}, calls); diff != "" || images != 2 {
			t.Errorf("%d images, calls (-want +got):\n%s", images, diff)
		}
		if len(results) != 3 || results[0].Text != "done" || results[2].ID != "c_3" {
			t.Errorf("got the results %+v", results)
		}
		if got.System != "Be brief." || got.MaxTokens != 1000 || !cmp.Equal(got.Tools, []string{"note", "time"}) {
			t.Errorf("got system %q, %d tokens, tools %q", got.System, got.MaxTokens, got.Tools)
		}
	})
	t.Run("what an answer was can be sent back", func(t *testing.T) {
		w := h.world(t, Steps(
			Answer{Thinking: "Two things to do.", Text: []string{"First."}, Calls: []Call{{Name: "note", Args: `{"text":"x"}`}, {Name: "time", Args: `{}`}}, Split: 3},
			Answer{Thinking: "One left.", Calls: []Call{{Name: "time", Args: `{}`}}},
			Text("Done."),
		))
		if g := talk(w); g.Text != "Done." {
			t.Errorf("got %q, %v", g.Text, g.Err)
		}
	})
	t.Run("a longer history begins with the same bytes", func(t *testing.T) {
		w := h.world(t, Echo())
		r := withTools()
		all := longHistory()
		r.Messages = all[:5]
		w.ask(t.Context(), r)
		w.ask(t.Context(), r)
		r.Messages = all
		w.ask(t.Context(), r)
		requests := w.server.Requests()
		if !bytes.Equal(requests[0].Body, requests[1].Body) {
			t.Error("the same request has other bytes the second time")
		}
		short, long := parts(t, requests[0].Body), parts(t, requests[2].Body)
		if diff := cmp.Diff(short, long[:len(short)]); diff != "" {
			t.Errorf("what came before differs (-short +long):\n%s", diff)
		}
	})
}

// talk goes on until the model calls no more tools.
func talk(w *world) Gathered {
	r := withTools()
	for {
		g := w.ask(w.t.Context(), r)
		if g.Stop != agent.StopCalls {
			return g
		}
		results := agent.Message{Role: agent.ToolRole}
		for _, c := range g.Calls {
			results.Results = append(results.Results, agent.Outcome{ID: c.ID, Name: c.Name, Text: "ok"})
		}
		r.Messages = append(r.Messages, g.Message, results)
	}
}

// parts is what a provider's cache sees of a body, in its order: tools,
// system, each content block of each message. Marks of where to cache are
// left out, for they move and are no content.
func parts(t *testing.T, body []byte) []string {
	var top struct {
		Tools    []json.RawMessage `json:"tools"`
		System   json.RawMessage   `json:"system"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
			Calls   json.RawMessage `json:"tool_calls"`
			ID      string          `json:"tool_call_id"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &top); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, tool := range top.Tools {
		out = append(out, unmarked(tool))
	}
	out = append(out, unmarked(top.System))
	for _, m := range top.Messages {
		var blocks []json.RawMessage
		if json.Unmarshal(m.Content, &blocks) != nil {
			blocks = []json.RawMessage{m.Content}
		}
		for _, b := range blocks {
			out = append(out, m.Role+m.ID+unmarked(b)+string(m.Calls))
		}
	}
	return out
}

func unmarked(raw json.RawMessage) string {
	return string(bytes.ReplaceAll(raw, []byte(`"cache_control":{"type":"ephemeral"},`), nil))
}
