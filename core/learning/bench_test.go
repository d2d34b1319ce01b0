package learning_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"talaria/core/agent"
	"talaria/core/learning"
	"talaria/core/skill/match"
	"talaria/core/trace"
	"talaria/storage"
	"talaria/storage/teststore"
)

// BenchmarkObserve is what one turn with two calls costs off the path.
func BenchmarkObserve(b *testing.B) {
	store := teststore.File(b)
	r := learning.New(learning.Config{
		Enabled: true, Store: store, Redactor: trace.NewRedactor(nil), Alike: match.RequestSimilarity, Log: slog.New(slog.DiscardHandler),
	})
	text := strings.Repeat("one more line of a long result\n", 100)
	for n := 0; b.Loop(); n++ {
		began := time.Now()
		batch := storage.On(at)
		trace.HandOver(batch, trace.Raw{Session: fmt.Sprint("s", n/5), Place: room, At: began, Turn: &trace.RawTurn{
			ID: began.String(), Who: "ann", Direct: true, Began: began, Asked: "look at the number " + strings.Repeat("x", n%7), Answered: text, Ending: agent.Answered,
			Steps: []trace.Step{{Kind: trace.ToolCall, Tool: "a", Call: "1", Text: "{}"}, {Kind: trace.Observation, Tool: "a", Call: "1", Success: true, Text: text}},
		}})
		if _, err := store.Commit(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
		if _, err := r.Catch(b.Context(), shard); err != nil {
			b.Fatal(err)
		}
	}
}
