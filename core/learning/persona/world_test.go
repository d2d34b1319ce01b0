package persona_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning/persona"
	"talaria/core/learning/reflect"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
	"talaria/storage/teststore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	ann = chat.Identity{Platform: "slack", Workspace: "T1", ID: "ann"}
	bob = chat.Identity{Platform: "slack", Workspace: "T1", ID: "bob"}
)

// room is somebody's direct conversation.
func room(who chat.Identity) chat.Address {
	return chat.Address{Platform: who.Platform, Workspace: who.Workspace, Chat: "D-" + who.ID}
}

// model answers what it is told to, given the document that it is shown.
type model struct {
	say  func(d shown) (string, error)
	seen []shown
}

// shown is the document of one request.
type shown struct {
	Lines []struct{ ID, Text string }
	Said  []struct {
		ID, Words string
		Form      []string
	}
}

func (m *model) Name() string { return "scripted" }

func (m *model) Stream(_ context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		body := strings.TrimSuffix(strings.TrimPrefix(r.Messages[0].Text, "<person>\n"), "\n</person>")
		var d shown
		if err := json.Unmarshal([]byte(body), &d); err != nil {
			yield(agent.Delta{}, err)
			return
		}
		m.seen = append(m.seen, d)
		text, err := m.say(d)
		if err != nil {
			yield(agent.Delta{}, err)
			return
		}
		if yield(agent.Delta{Text: text}, nil) && yield(agent.Delta{Usage: &agent.Usage{Input: 900, Output: 100}}, nil) {
			yield(agent.Delta{Stop: agent.StopEnd}, nil)
		}
	}
}

// keeps is a model that draws these lines from all that it is shown, very sure.
func keeps(lines ...string) *model {
	return &model{say: func(d shown) (string, error) { return synthesis(d, lines...), nil }}
}

func synthesis(d shown, lines ...string) string {
	ids := []string{}
	for _, s := range d.Said {
		ids = append(ids, s.ID)
	}
	var out []map[string]any
	for n, l := range lines {
		out = append(out, map[string]any{"of": fmt.Sprintf("h%d", n), "text": l, "confidence": 0.99, "sources": ids})
	}
	text, _ := json.Marshal(map[string]any{"synthesis": out}) // strings and numbers
	return "Here it is: " + string(text)
}

// world is a store with people and what they said.
type world struct {
	testing.TB
	store     *storage.Store
	directory *person.Directory
	tasks     int
	budget    int
	most      int // lines; zero: the default
	spent     map[person.ID]int
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{TB: t, store: teststore.File(t), spent: map[person.ID]int{}}
	var err error
	w.directory, err = person.Open(t.Context(), w.store, person.Config{Admins: []chat.Identity{ann, bob}}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) who(id chat.Identity) person.Principal {
	w.Helper()
	p, err := w.directory.Resolve(w.Context(), chat.Author{Identity: id}, room(id), true)
	if err != nil {
		w.Fatal(err)
	}
	return p
}

func (w *world) shelf(id chat.Identity) *memory.Handle { return memory.For(w.store, w.who(id)) }

// says is a finished task in which somebody said some messages.
func (w *world) says(id chat.Identity, messages ...string) {
	w.Helper()
	w.task(id, func(*trace.Task) {}, messages...)
}

func (w *world) task(id chat.Identity, change func(*trace.Task), messages ...string) {
	w.Helper()
	w.tasks++
	who := w.who(id)
	at := time.Now().UTC().Add(-24 * time.Hour).Add(time.Duration(w.tasks) * time.Minute)
	t := trace.Task{
		ID: fmt.Sprintf("%s-%05d", at.Format("20060102T150405Z"), w.tasks), Session: "s", Person: who.Person, Asker: id,
		Place: room(id), Direct: true, Start: trace.Direct, Request: messages[0], Settled: trace.ByIdle,
	}
	for n, m := range messages {
		began := at.Add(time.Duration(n) * time.Second)
		t.Turns = append(t.Turns, trace.Turn{
			ID: fmt.Sprint(n), Who: who.Person, Message: fmt.Sprintf("m%d-%d", w.tasks, n), Began: began, Ended: began.Add(time.Second),
			Asked: m, Answered: "Here you are.", Ending: agent.Answered,
		})
	}
	change(&t)
	b := storage.On(person.ShardOf(t.Place))
	trace.Put(b, t, storage.Absent, 30*24*time.Hour)
	if _, err := w.store.Commit(w.Context(), b); err != nil {
		w.Fatal(err)
	}
}

func (w *world) night(m agent.Model) error { return w.nightOf(w.Context(), m, func() {}) }

// nightOf is a night in which opened is called whenever a shelf is opened.
func (w *world) nightOf(ctx context.Context, m agent.Model, opened func()) error {
	return persona.New(persona.Config{
		Store: w.store, Model: m, People: w.directory, MaxTokens: 4000, Lines: w.most, Log: slog.New(slog.DiscardHandler),
		Memory: func(p person.Principal) *memory.Handle {
			opened()
			return memory.For(w.store, p)
		},
		Budget: reflect.Budget{Store: w.store, Daily: w.budget},
		Spent:  func(p person.Principal, u agent.Usage) { w.spent[p.Person] += u.Input + u.Output },
	}).Nightly(ctx)
}

func (w *world) mustNight(m agent.Model) {
	w.Helper()
	if err := w.night(m); err != nil {
		w.Fatal(err)
	}
}

// lines are what is believed of somebody, each as "text (state, confidence)".
func (w *world) lines(id chat.Identity) []string {
	w.Helper()
	out := []string{}
	for _, c := range w.cards(id) {
		if c.State.Used() {
			out = append(out, fmt.Sprintf("%s (%s, %.2f)", c.Text, c.State, c.Confidence))
		}
	}
	return out
}

func (w *world) cards(id chat.Identity) []memory.Card {
	w.Helper()
	cards, err := w.shelf(id).List(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	return cards
}
