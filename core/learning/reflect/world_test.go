package reflect_test

import (
	"context"
	"encoding/json"
	"iter"
	"log/slog"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/observe"
	"talaria/core/learning/propose"
	"talaria/core/learning/reflect"
	"talaria/core/learning/validate"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/core/trace"
	"talaria/storage"
	"talaria/storage/teststore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	ada   = chat.Identity{Platform: "slack", Workspace: "T1", ID: "ada"}
	room  = chat.Address{Platform: "slack", Workspace: "T1", Chat: "D-ada"}
	shard = person.ShardOf(room)
)

// model is a scripted agent.Model: each call is answered by say.
type model struct {
	mu   sync.Mutex
	seen []agent.Request
	say  func(ctx context.Context, n int, r agent.Request) ([]agent.Delta, error)
}

func (*model) Name() string { return "scripted" }

func (m *model) Stream(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		m.mu.Lock()
		n := len(m.seen)
		m.seen = append(m.seen, r)
		m.mu.Unlock()
		deltas, err := m.say(ctx, n, r)
		for _, d := range deltas {
			if !yield(d, nil) {
				return
			}
		}
		if err != nil {
			yield(agent.Delta{}, err)
		}
	}
}

func (m *model) calls() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.seen)
}

func (m *model) request(n int) agent.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[n]
}

var used = &agent.Usage{Input: 900, Output: 100}

func answer(text string) []agent.Delta {
	return []agent.Delta{{Text: text}, {Usage: used}, {Stop: agent.StopEnd}}
}

func calls(name, args string) []agent.Delta {
	return []agent.Delta{{Call: &agent.Call{ID: name, Name: name, Args: json.RawMessage(args)}}, {Usage: used}, {Stop: agent.StopCalls}}
}

// says is a model that answers one text, whatever it is asked.
func says(text string) *model {
	return &model{say: func(context.Context, int, agent.Request) ([]agent.Delta, error) { return answer(text), nil }}
}

const oneRule = `{"went_well":"it worked","rules":[{"if":"tea is made","then":"Warm the pot first, because cold pots crack.","kind":"work","confidence":0.9}]}`

// world is a reviewer over a real store.
type world struct {
	testing.TB
	store    *storage.Store
	library  *skill.Library
	proposer *propose.Proposer
	config   reflect.Config
	reviewer *reflect.Reviewer
	learned  []reflect.Report
	spent    agent.Usage
}

func newWorld(t testing.TB, m agent.Model, change ...func(*reflect.Config)) *world {
	t.Helper()
	w := &world{TB: t, store: teststore.File(t)}
	w.build(m, change...)
	return w
}

// build puts everything together over the store that there is.
func (w *world) build(m agent.Model, change ...func(*reflect.Config)) {
	w.Helper()
	log := slog.New(slog.DiscardHandler)
	people, err := person.Open(context.Background(), w.store, person.Config{Admins: []chat.Identity{ada}}, log)
	if err != nil {
		w.Fatal(err)
	}
	tool1 := func(name string) (agent.Spec, bool) { return agent.Spec{Name: name}, name == "files_read" }
	w.library = skill.New(w.store, people, skill.Config{Policy: map[skill.Kind]skill.Policy{
		skill.Person: skill.NewAndWider, skill.Space: skill.All, skill.Team: skill.All,
	}}, log, validate.Checks(validate.Config{Tool: tool1})...)
	remembered := func(p person.Principal) *memory.Handle { return memory.For(w.store, p) }
	w.proposer = propose.New(propose.Config{
		Store: w.store, Library: w.library, Memory: remembered, Tool: tool1, Log: log,
		Announce: func(context.Context, person.Principal, skill.Outcome) error { return nil },
	})
	w.config = reflect.Config{
		Enabled: true, Trigger: reflect.AfterEveryTask, Depth: reflect.Standard, MaxTokens: 4000, MaxIterations: 16,
		MaxInputTokens: 600_000, Yield: 2 * time.Second, Reports: true, Keep: 24 * time.Hour,
		Store: w.store, Model: m, People: people, Library: w.library, Memory: remembered, Proposer: w.proposer, Log: log,
		Skills: func(p person.Principal) tool.Skills { return shelf{w.library, p} },
		Learned: func(_ context.Context, _ person.Principal, r reflect.Report) error {
			w.learned = append(w.learned, r)
			return nil
		},
		Spent: func(_ person.Principal, u agent.Usage) { w.spent = w.spent.Plus(u) },
	}
	for _, c := range change {
		c(&w.config)
	}
	w.reviewer = reflect.New(w.config)
}

// shelf is what a review reads of skills.
type shelf struct {
	library *skill.Library
	who     person.Principal
}

func (s shelf) View(ctx context.Context, name, file string) (tool.SkillFile, error) {
	return tool.SkillFile{}, skill.ErrNotFound
}

func (s shelf) Search(context.Context, string, int) ([]tool.SkillHit, error) { return nil, nil }

// task keeps a task of ada's with its observation, as the recorder would.
func (w *world) task(id string, change ...func(*trace.Task, *learning.Observed)) learning.Notice {
	w.Helper()
	people := w.config.People
	who, err := people.Renew(context.Background(), person.Principal{Identity: ada, Place: room, Direct: true})
	if err != nil {
		w.Fatal(err)
	}
	t := trace.Task{
		ID: id, Session: "s", Person: who.Person, Asker: ada, Place: room, Direct: true, Start: trace.Direct, Request: "make a pot of tea",
		Turns: []trace.Turn{{ID: "t1", Who: who.Person, Asked: "make a pot of tea", Answered: "Done.", Ending: agent.Answered}},
	}
	o := learning.Observed{Observation: observe.Observation{Task: id, Success: true}, Scope: t.Scope(), Place: room}
	for _, c := range change {
		c(&t, &o)
	}
	b := storage.On(shard)
	trace.Put(b, t, storage.Any, time.Hour)
	b.Put("learning.observation", id, o, storage.Any)
	if _, err := w.store.Commit(context.Background(), b); err != nil {
		w.Fatal(err)
	}
	return learning.Notice{Task: id, Cause: learning.Quiet, Place: room, Session: "s", Person: who.Person}
}

func passes(_ *trace.Task, o *learning.Observed) {
	o.Gate = learning.Verdict{Pass: true, Reason: "it took 6 steps"}
}

// reasoned is that ada corrected it with a reason, twice alike before.
func reasoned(t *trace.Task, o *learning.Observed) {
	const words = "no, warm the pot first, because cold pots crack"
	o.Corrected, o.Worth = true, 0.9
	o.Feedback = []observe.Feedback{{Sign: observe.ReasonedCorrection, Text: words}}
	t.Turns = append(t.Turns, trace.Turn{ID: "t2", Who: t.Person, Asked: words, Answered: "I see.", Ending: agent.Answered})
}

func (w *world) look(n learning.Notice) error {
	return w.reviewer.Task(context.Background(), n)
}

func (w *world) mustLook(n learning.Notice) {
	w.Helper()
	if err := w.look(n); err != nil {
		w.Fatal(err)
	}
}

func (w *world) reports() []reflect.Report {
	w.Helper()
	all, err := reflect.Reports(context.Background(), w.store, room, 100)
	if err != nil {
		w.Fatal(err)
	}
	return all
}

func (w *world) who() person.Principal {
	w.Helper()
	who, err := w.config.People.Renew(context.Background(), person.Principal{Identity: ada, Place: room, Direct: true})
	if err != nil {
		w.Fatal(err)
	}
	return who
}

func (w *world) cards() []memory.Card {
	w.Helper()
	cards, err := memory.For(w.store, w.who()).List(context.Background())
	if err != nil {
		w.Fatal(err)
	}
	return cards
}

func (w *world) skills() []skill.Skill {
	w.Helper()
	list, err := w.library.List(context.Background(), w.who())
	if err != nil {
		w.Fatal(err)
	}
	return list
}
