package propose_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/observe"
	"talaria/core/learning/propose"
	"talaria/core/learning/validate"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/edit"
	"talaria/core/skill/manifest"
	"talaria/core/trace"
	"talaria/storage"
	"talaria/storage/teststore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	ada, cy = account("ada"), account("cy")
	kitchen = chat.Address{Platform: "slack", Workspace: "T1", Chat: "C-kitchen"}
)

func account(id string) chat.Identity {
	return chat.Identity{Platform: "slack", Workspace: "T1", ID: id}
}

// specs are the tools that there are.
func specs(name string) (agent.Spec, bool) {
	s, ok := map[string]agent.Spec{
		"fetch": {Name: "fetch", Permission: "network"}, "files_read": {Name: "files_read", Permission: "files"},
		"files_write": {Name: "files_write", Permission: "files"}, "schedule_create": {Name: "schedule_create", Permission: "schedule"},
		"skill_view": {Name: "skill_view", Permission: "skills"}, "mail": {Name: "mail", Effect: agent.Effectful},
	}[name]
	return s, ok
}

// world is a proposer over a store, which can be opened again later.
type world struct {
	testing.TB
	ctx       context.Context
	open      teststore.Opener
	store     *storage.Store
	directory *person.Directory
	library   *skill.Library
	proposer  *propose.Proposer
	announced []skill.Outcome
	tasks     int
	tongues   map[person.ID]string // what marks the words to somebody
}

// onEachStore runs a test on both drivers, with what a person has to approve by
// default.
func onEachStore(t *testing.T, test func(t *testing.T, w *world)) {
	teststore.Each(t, func(t *testing.T, open teststore.Opener) { test(t, newWorld(t, skill.NewAndWider, open)) })
}

func onSQLite(t testing.TB) *world {
	return newWorld(t, skill.NewAndWider, teststore.SQLite(t))
}

// inMemory is a world that leaves nothing behind; its store is to be closed.
func inMemory(t testing.TB, policy skill.Policy) *world {
	return newWorld(t, policy, func(time.Duration) *storage.Store { return teststore.Memory(t) })
}

func newWorld(t testing.TB, policy skill.Policy, open teststore.Opener) *world {
	w := &world{TB: t, ctx: t.Context(), open: open}
	w.at(0, policy)
	return w
}

// at is the world when some time has passed.
func (w *world) at(later time.Duration, policy skill.Policy) {
	w.Helper()
	log := slog.New(slog.DiscardHandler)
	w.store = w.open(later)
	var err error
	w.directory, err = person.Open(w.ctx, w.store, person.Config{
		Admins: []chat.Identity{ada}, People: map[string][]chat.Identity{"slack": {cy}},
	}, log)
	if err != nil {
		w.Fatal(err)
	}
	w.library = skill.New(w.store, w.directory, skill.Config{Policy: map[skill.Kind]skill.Policy{
		skill.Person: policy, skill.Space: policy, skill.Team: policy,
	}}, log, validate.Checks(validate.Config{Tool: specs})...)
	w.proposer = propose.New(propose.Config{
		Store: w.store, Library: w.library, Memory: func(p person.Principal) *memory.Handle { return memory.For(w.store, p) },
		Announce: func(_ context.Context, _ person.Principal, o skill.Outcome) error {
			w.announced = append(w.announced, o)
			return nil
		},
		In: func(_ context.Context, who person.ID) propose.Tongue {
			return func(english string, args ...any) string {
				return fmt.Sprintf(english, args...) + w.tongues[who]
			}
		},
		Tool: specs, Log: log,
	})
}

// dm is somebody in their direct conversation, in somebody in the kitchen.
func (w *world) dm(i chat.Identity) person.Principal {
	return w.resolve(i, chat.Address{Platform: "slack", Workspace: "T1", Chat: "D-" + i.ID}, true)
}

func (w *world) in(i chat.Identity) person.Principal { return w.resolve(i, kitchen, false) }

func (w *world) resolve(i chat.Identity, place chat.Address, direct bool) person.Principal {
	w.Helper()
	p, err := w.directory.Resolve(w.ctx, chat.Author{Identity: i, Name: "Cyra Novak"}, place, direct)
	if err != nil {
		w.Fatal(err)
	}
	return p
}

// after is a task that somebody had done, and that succeeded.
func (w *world) after(who person.Principal, request string, more ...func(*propose.Case)) propose.Case {
	w.tasks++
	id := fmt.Sprintf("20260101T000000Z-%05d", w.tasks)
	c := propose.Case{
		Who: who, Model: "test-model",
		Task: trace.Task{
			ID: id, Person: who.Person, Place: who.Place, Direct: who.Direct, Start: trace.Direct, Request: request,
			Turns: []trace.Turn{{ID: "t", Who: who.Person, Message: "m" + id, Asked: request, Answered: "Here it is.", Ending: agent.Answered}},
		},
		Observed: learning.Observed{Observation: observe.Observation{Task: id, Success: true}},
	}
	for _, change := range more {
		change(&c)
	}
	return c
}

// What a task may have been besides.
func passes(c *propose.Case) {
	c.Observed.Gate = learning.Verdict{Pass: true, Reason: "it took 7 steps"}
}
func unattended(c *propose.Case) { c.Unattended = true }
func scheduled(c *propose.Case)  { c.Task.Start = trace.Scheduled }

func alike(n int) func(*propose.Case) {
	return func(c *propose.Case) { c.Observed.Similar = n }
}

func corrected(words string) func(*propose.Case) {
	return func(c *propose.Case) {
		c.Observed.Corrected, c.Observed.ProvenRight, c.Observed.Worth = true, true, 0.9
		c.Observed.Feedback = []observe.Feedback{{Sign: observe.ReasonedCorrection, Text: words}}
		c.Task.Turns = append(c.Task.Turns, trace.Turn{Who: c.Who.Person, Asked: words, Answered: "Done.", Ending: agent.Answered})
	}
}

func using(names ...string) func(*propose.Case) {
	return func(c *propose.Case) {
		for _, n := range names {
			c.Task.Skills = append(c.Task.Skills, trace.Use{Skill: n, Revision: 1})
		}
	}
}

// called is a call that brought something from an origin.
func called(tool, args, brought string, from chat.Origin) func(*propose.Case) {
	return func(c *propose.Case) {
		id := fmt.Sprint("c", len(c.Task.Steps))
		c.Task.Steps = append(c.Task.Steps,
			trace.Step{Kind: trace.ToolCall, Tool: tool, Call: id, Success: true, Origin: chat.Self, Text: args},
			trace.Step{Kind: trace.Observation, Tool: tool, Call: id, Success: true, Origin: from, Text: brought})
		c.Observed.Tools = c.Task.Tools()
	}
}

func (w *world) rule(c propose.Case, r propose.Rule) propose.Result {
	w.Helper()
	res, err := w.proposer.Rule(w.ctx, c, r)
	if err != nil {
		w.Fatal(err)
	}
	return res
}

func (w *world) skill(c propose.Case, d propose.Draft) propose.Result {
	w.Helper()
	res, err := w.proposer.Skill(w.ctx, c, d)
	if err != nil {
		w.Fatal(err)
	}
	return res
}

func (w *world) cards(who person.Principal) []memory.Card {
	w.Helper()
	cards, err := memory.For(w.store, who).List(w.ctx)
	if err != nil {
		w.Fatal(err)
	}
	return cards
}

// drafted is a draft of a new skill.
func drafted(name, description, body string) propose.Draft {
	text := manifest.Compose(manifest.Fields{Name: name, Description: description, Body: body})
	return propose.Draft{
		Name: name, Reason: "it will come again", Confidence: 0.9,
		Changes: []edit.Change{{Action: edit.Create, Content: string(text)}},
	}
}

// inForce is a skill that its owner has approved.
func (w *world) inForce(who person.Principal, by skill.Creator, name, description, body string) skill.Skill {
	w.Helper()
	pr := skill.Proposal{
		Ref: skill.Ref{Scope: skill.Here(who), Name: name}, ByAgent: by == skill.ByAgent, CreatedBy: by, Origin: chat.Member,
		Files: manifest.Bundle{manifest.MainFile: manifest.Compose(manifest.Fields{Name: name, Description: description, Body: body})},
	}
	out, err := w.library.Propose(w.ctx, who, pr)
	if err == nil && !out.Live {
		_, err = w.library.Approve(w.ctx, who, out.Revision.Ref, out.Revision.Hash)
	}
	if err != nil {
		w.Fatal(err)
	}
	return w.find(who, name)
}

func (w *world) find(who person.Principal, name string) skill.Skill {
	w.Helper()
	s, err := w.library.Find(w.ctx, who, name)
	if err != nil {
		w.Fatal(err)
	}
	return s
}

// text is a file of a revision of a skill.
func (w *world) text(who person.Principal, name string, number int, file string) string {
	w.Helper()
	b, err := w.library.Bundle(w.ctx, who, w.find(who, name).At(number))
	if err != nil {
		w.Fatal(err)
	}
	return string(b[file])
}
