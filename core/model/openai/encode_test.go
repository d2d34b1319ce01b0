package openai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	sdk "github.com/sashabaranov/go-openai"

	"talaria/core/agent"
	"talaria/core/model/wire"
)

// conversation is a request as a chat of a hundred exchanges makes it.
func conversation() agent.Request {
	r := agent.Request{Prefix: strings.Repeat("Be brief. ", 200)}
	for n := range 100 {
		r.Messages = append(r.Messages,
			agent.Message{Role: agent.User, Text: fmt.Sprintf("What about item %d of the list?", n)},
			agent.Message{Role: agent.Assistant, Text: fmt.Sprintf("Item %d is done, and was told of.", n)})
	}
	for n := range 15 {
		r.Tools = append(r.Tools, agent.Spec{
			Name: fmt.Sprintf("tool_%d", n), Description: strings.Repeat("It does a thing. ", 20),
			Schema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string","description":"what to look for"}},"required":["query"]}`),
		})
	}
	return r
}

// BenchmarkEncode is the encoding of a request, beside that of the library's
// client.
func BenchmarkEncode(b *testing.B) {
	r := conversation()
	b.Run("here", func(b *testing.B) {
		m := &model{name: "m"}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := m.encode(r); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(asLibrary(r)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// asLibrary is a request of plain texts in the library's own type.
func asLibrary(r agent.Request) sdk.ChatCompletionRequest {
	out := sdk.ChatCompletionRequest{Model: "m", Stream: true, StreamOptions: &sdk.StreamOptions{IncludeUsage: true}}
	out.Messages = append(out.Messages, sdk.ChatCompletionMessage{Role: sdk.ChatMessageRoleSystem, Content: r.Prefix})
	for _, m := range r.Messages {
		out.Messages = append(out.Messages, sdk.ChatCompletionMessage{Role: string(m.Role), Content: m.Text})
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, sdk.Tool{Type: sdk.ToolTypeFunction, Function: &sdk.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: wire.Schema(t.Schema),
		}})
	}
	return out
}

func TestARequestIsWhatTheLibraryMakesOfIt(t *testing.T) {
	r := conversation()
	m := &model{name: "m"}
	for range 3 { // with a tool changed, and then with the same ones
		got, err := m.encode(r)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(asLibrary(r))
		if err != nil {
			t.Fatal(err)
		}
		if !sameJSON(t, got, want) {
			t.Errorf("got  %.200s\nwant %.200s", got, want)
		}
		r.Tools = slices.Clone(r.Tools) // which a caller leaves as they are
		r.Tools[3].Description = "It does another thing."
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var texts [2]string
	for n, data := range [][]byte{a, b} {
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatal(err)
		}
		sorted, _ := json.Marshal(v)
		texts[n] = string(sorted)
	}
	return texts[0] == texts[1]
}
