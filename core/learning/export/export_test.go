package export_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/export"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
	"talaria/storage/teststore"
)

// history is a store with observed tasks.
type history struct {
	t     *testing.T
	store *storage.Store
	turns int
}

func newHistory(t *testing.T) *history {
	t.Helper()
	h := &history{t: t, store: teststore.Memory(t)}
	return h
}

func same(a, b string) float64 {
	if a == b {
		return 1
	}
	return 0
}

// exchange is a question and its answer.
type exchange struct {
	asked, answered string
	ending          agent.Ending
	steps           []trace.Step
}

// task has somebody pursue a request to its end.
func (h *history) task(who person.ID, exchanges ...exchange) {
	h.t.Helper()
	place := chat.Address{Platform: "test", Chat: string(who)}
	p := person.ShardOf(place)
	b := storage.On(p)
	session := string(who) + "/" + time.Now().String()
	for _, x := range exchanges {
		h.turns++
		at := time.Unix(int64(1e9+60*h.turns), 0)
		trace.HandOver(b, trace.Raw{Session: session, Place: place, At: at.Add(time.Second), Turn: &trace.RawTurn{
			ID: at.String(), Who: who, Direct: true, Began: at, Asked: x.asked, Answered: x.answered, Ending: max(x.ending, agent.Answered), Steps: x.steps,
		}})
	}
	trace.HandOver(b, trace.Raw{Session: session, Ended: true})
	if _, err := h.store.Commit(h.t.Context(), b); err != nil {
		h.t.Fatal(err)
	}
	r := learning.New(learning.Config{
		Enabled: true, Store: h.store, Redactor: trace.NewRedactor(nil), Alike: same, Log: slog.New(slog.DiscardHandler),
	})
	if _, err := r.Catch(h.t.Context(), storage.ShardOf(place.Platform, place.Workspace, place.Chat)); err != nil {
		h.t.Fatal(err)
	}
}

func (h *history) agree(who person.ID, yes bool) {
	h.t.Helper()
	if err := export.SetConsent(h.t.Context(), h.store, who, yes); err != nil {
		h.t.Fatal(err)
	}
}

func (h *history) conversations(o export.Options) ([]export.Conversation, export.Summary) {
	h.t.Helper()
	var out []export.Conversation
	sum, err := export.Conversations(h.t.Context(), h.store, o, func(c export.Conversation) error { out = append(out, c); return nil })
	if err != nil {
		h.t.Fatal(err)
	}
	return out, sum
}

func (h *history) preferences() []export.Preference {
	h.t.Helper()
	var out []export.Preference
	_, err := export.Preferences(h.t.Context(), h.store, export.Options{Consent: true, Alike: same}, func(p export.Preference) error { out = append(out, p); return nil })
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

func calls(n int, text string) []trace.Step {
	var out []trace.Step
	for i := range n {
		id := string(rune('a' + i))
		out = append(out,
			trace.Step{Kind: trace.Thought, Text: "Next I look."},
			trace.Step{Kind: trace.ToolCall, Tool: "fetch", Call: id, Text: `{"n":1}`, Success: true},
			trace.Step{Kind: trace.Observation, Tool: "fetch", Call: id, Text: text, Success: true})
	}
	return out
}

func TestNothingIsExportedWithoutConsent(t *testing.T) {
	h := newHistory(t)
	h.task("ann", exchange{asked: "summarise", answered: "Done."})
	h.task("bob", exchange{asked: "translate", answered: "Done."})
	h.task("eve", exchange{asked: "sort", answered: "Done."})
	h.agree("bob", true)
	h.agree("eve", false)
	for _, c := range []struct {
		otherwise bool
		want      export.Summary
	}{{false, export.Summary{Tasks: 3, Withheld: 2, Written: 1}}, {true, export.Summary{Tasks: 3, Withheld: 1, Written: 2}}} {
		if _, sum := h.conversations(export.Options{Consent: c.otherwise}); sum != c.want {
			t.Errorf("with %t for those who have not said: %+v, want %+v", c.otherwise, sum, c.want)
		}
	}
	h.agree("bob", false)
	if all, _ := h.conversations(export.Options{}); len(all) > 0 {
		t.Errorf("exported after it was taken back: %v", all)
	}
}

func TestAConversationHasItsStepsAndReward(t *testing.T) {
	h := newHistory(t)
	steps := []trace.Step{
		{Kind: trace.Thought, Text: "I look."},
		{Kind: trace.ToolCall, Tool: "fetch", Call: "1", Text: `{"n":1}`}, {Kind: trace.ToolCall, Tool: "time", Call: "2", Text: `{}`},
		{Kind: trace.Observation, Tool: "fetch", Call: "1", Text: "a page", Success: true}, {Kind: trace.Observation, Tool: "time", Call: "2", Text: "noon", Success: true},
	}
	h.task("ann", exchange{asked: "summarise the page", answered: "It is short.", steps: steps}, exchange{asked: "thanks!", answered: "Any time."})
	got, _ := h.conversations(export.Options{Consent: true})
	want := []export.Message{
		{From: "human", Value: "summarise the page"},
		{From: "function_call", Thought: "I look.", Value: `[{"arguments":{"n":1},"name":"fetch"},{"arguments":{},"name":"time"}]`},
		{From: "observation", Value: `["a page","noon"]`},
		{From: "gpt", Value: "It is short."},
		{From: "human", Value: "thanks!"},
		{From: "gpt", Value: "Any time."},
	}
	if len(got) != 1 {
		t.Fatalf("%d conversations", len(got))
	}
	if diff := cmp.Diff(want, got[0].Messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if r := got[0].Reward; !r.Success || r.Value != 0.5 {
		t.Errorf("reward %+v", r)
	}
}

func TestPairsComeFromCorrectionsAndFromOtherTries(t *testing.T) {
	h := newHistory(t)
	h.task("ann", exchange{asked: "when do we meet", answered: "On Monday."}, exchange{asked: "no, that's wrong", answered: "On Tuesday."})
	h.task("ann", exchange{asked: "draw a map", answered: "I could not.", ending: agent.Broken})
	h.task("ann", exchange{asked: "draw a map", answered: "Here is the map."})
	var got [][4]string
	for _, p := range h.preferences() {
		got = append(got, [4]string{p.Why, p.Messages[len(p.Messages)-1].Value, p.Rejected.Value, p.Chosen.Value})
	}
	want := [][4]string{
		{"corrected", "when do we meet", "On Monday.", "On Tuesday."},
		{"succeeded", "draw a map", "I could not.", "Here is the map."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pairs (-want +got):\n%s", diff)
	}
}

func TestWhatNamesPeopleIsPutInGeneralTerms(t *testing.T) {
	h := newHistory(t)
	private := []string{"ann.lee@example.org", "/private/42?key=1", "U02ABCDEF", "@annlee", "192.0.2.17", "+44 20 7946 0958", "13800138000", "123-45-6789", "/home/annlee", "DE89 3704 0044 0532 0130 00"}
	h.task("ann", exchange{asked: "write to ann.lee@example.org or @annlee, see https://example.org/private/42?key=1", answered: "Told <@U02ABCDEF> at 192.0.2.17 in /home/annlee, call +44 20 7946 0958 or 13800138000, SSN 123-45-6789, DE89 3704 0044 0532 0130 00."})
	got, _ := h.conversations(export.Options{Consent: true})
	data, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range private {
		if strings.Contains(string(data), p) {
			t.Errorf("%q is exported: %s", p, data)
		}
	}
}

func TestLongConversationsAreCompressed(t *testing.T) {
	h := newHistory(t)
	h.task("ann", exchange{asked: "look at all pages", answered: "All looked at.", steps: calls(20, strings.Repeat("page ", 100))}, exchange{asked: "and again", answered: "Again.", steps: calls(20, strings.Repeat("页", 200))}, exchange{asked: "and again", answered: "The last answer."})
	whole, _ := h.conversations(export.Options{Consent: true})
	for _, budget := range []int{2000, 500, 120} {
		got, _ := h.conversations(export.Options{Consent: true, Budget: budget})
		m := got[0].Messages
		if len(m) >= len(whole[0].Messages) || m[0].Value != "look at all pages" || m[len(m)-1].Value != "The last answer." {
			t.Errorf("budget %d: %d of %d messages, from %q to %q", budget, len(m), len(whole[0].Messages), m[0].Value, m[len(m)-1].Value)
		}
		for n := range m {
			asks := m[n].From == export.Human || m[n].From == export.Result
			if asks != (n%2 == 0) {
				t.Errorf("budget %d: message %d is from %s", budget, n, m[n].From)
			}
		}
		if size := len(got[0].Messages); budget == 500 && !strings.Contains(join(m), "calls left out here: fetch") {
			t.Errorf("budget %d: %d messages and no note of what is left out", budget, size)
		}
	}
}

func join(messages []export.Message) string {
	var b strings.Builder
	for _, m := range messages {
		b.WriteString(m.Value)
	}
	return b.String()
}

func TestAnExportEndsWithItsReader(t *testing.T) {
	h := newHistory(t)
	h.task("ann", exchange{asked: "summarise", answered: "Done."})
	_, err := export.Conversations(t.Context(), h.store, export.Options{Consent: true}, func(export.Conversation) error { return context.Canceled })
	if err == nil {
		t.Error("a reader's error is lost")
	}
}
