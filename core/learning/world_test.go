package learning_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/trace"
	"talaria/storage"
	"talaria/storage/fault"
	"talaria/storage/sqlite"
	"talaria/storage/teststore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// room is a private conversation.
var room = chat.Address{Platform: "test", Chat: "ann"}

var (
	shard = storage.ShardOf(room.Platform, room.Workspace, room.Chat)
	at    = storage.Shard(shard)
)

// heard is a listener that keeps what it was told.
type heard struct {
	mu     sync.Mutex
	told   []learning.Notice
	refuse bool
}

func (h *heard) Task(_ context.Context, n learning.Notice) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = append(h.told, n)
	if h.refuse {
		return fmt.Errorf("not now")
	}
	return nil
}

func (h *heard) causes() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, n := range h.told {
		out = append(out, string(n.Cause))
	}
	return strings.Join(out, " ")
}

// world is a recorder over a real store, and a person who talks.
type world struct {
	t        *testing.T
	store    *storage.Store
	recorder *learning.Recorder
	listener *heard
	session  string
	turns    int
	clock    time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return worldOn(t, teststore.Memory(t))
}

// newFaultyWorld is one whose store meets faults.
func newFaultyWorld(t *testing.T) (*world, *fault.Driver) {
	t.Helper()
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	faults := fault.Wrap(d, 1)
	store := storage.New(faults)
	t.Cleanup(func() { _ = store.Close() })
	return worldOn(t, store), faults
}

func worldOn(t *testing.T, store *storage.Store) *world {
	w := &world{t: t, store: store, listener: &heard{}, session: "s/0", clock: time.Now().UTC()}
	w.recorder = learning.New(w.config())
	return w
}

func (w *world) config() learning.Config {
	return learning.Config{
		Enabled: true, Store: w.store, Redactor: trace.NewRedactor([]string{"the house key is under the mat"}), Alike: alike,
		Answers: func(_ context.Context, _ chat.Address, turn string) ([]string, error) {
			return []string{"answer to " + turn}, nil
		},
		Listener: w.listener, Log: slog.New(slog.DiscardHandler),
	}
}

// alike is 1 for texts with the same first word.
func alike(a, b string) float64 {
	first := func(s string) string { f, _, _ := strings.Cut(strings.ToLower(s), " "); return f }
	if first(a) == first(b) {
		return 1
	}
	return 0
}

// says hands over a turn of ann's, ten seconds long, and returns its id.
func (w *world) says(asked string, more ...func(*trace.RawTurn)) string {
	w.t.Helper()
	w.turns++
	turn := &trace.RawTurn{
		ID: fmt.Sprint("t", w.turns), Who: "ann", Identity: chat.Identity{Platform: "test", ID: "ann"}, Direct: true, Message: fmt.Sprint("m", w.turns),
		Began: w.clock, Asked: asked, Answered: "Here is what came of it.", Ending: agent.Answered, Tokens: 100,
	}
	for _, change := range more {
		change(turn)
	}
	w.clock = w.clock.Add(10 * time.Second)
	w.handOver(trace.Raw{Session: w.session, Place: room, At: w.clock, Turn: turn})
	return turn.ID
}

func (w *world) handOver(raw trace.Raw) {
	w.t.Helper()
	b := storage.On(at)
	trace.HandOver(b, raw)
	if _, err := w.store.Commit(w.t.Context(), b); err != nil {
		w.t.Fatal(err)
	}
}

// anew begins the session anew.
func (w *world) anew() {
	w.handOver(trace.Raw{Session: w.session, At: w.clock, Ended: true})
	w.session += "'"
}

func (w *world) reacts(who, message, name string, added bool) {
	w.t.Helper()
	err := w.recorder.Reacted(w.t.Context(), chat.Event{
		Kind: chat.Reaction, Address: room, Message: message, At: w.clock,
		Author: chat.Author{Identity: chat.Identity{Platform: "test", ID: who}}, Reaction: &chat.Emoji{Name: name, Added: added},
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// waiting is how many hand-overs no recorder has taken.
func (w *world) waiting() int {
	w.t.Helper()
	all, err := trace.Waiting(w.t.Context(), w.store, storage.Shard(shard), 100)
	if err != nil {
		w.t.Fatal(err)
	}
	return len(all)
}

// tasks lets the recorder catch up and returns all tasks, the oldest first.
func (w *world) tasks() []trace.Task {
	w.t.Helper()
	if _, err := w.recorder.Catch(w.t.Context(), shard); err != nil {
		w.t.Fatal(err)
	}
	var out []trace.Task
	if err := trace.Each(w.t.Context(), w.store, at, func(t trace.Task) error { out = append(out, t); return nil }); err != nil {
		w.t.Fatal(err)
	}
	return out
}

func (w *world) observed(task trace.Task) learning.Observed {
	w.t.Helper()
	o, err := learning.ObservationOf(w.t.Context(), w.store, at, task.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return o
}

// called adds a step for each word, a tool's name; one with ! before it failed.
func called(tools ...string) func(*trace.RawTurn) {
	return func(t *trace.RawTurn) {
		for n, name := range tools {
			tool, failed := strings.CutPrefix(name, "!")
			id := fmt.Sprint(n)
			t.Steps = append(t.Steps,
				trace.Step{Kind: trace.ToolCall, Tool: tool, Call: id, Text: fmt.Sprintf(`{"n":%d}`, n), Success: true},
				trace.Step{Kind: trace.Observation, Tool: tool, Call: id, Success: !failed, Text: "result of " + name})
		}
	}
}
