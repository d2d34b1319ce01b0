package learnbench

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/curate"
	"talaria/core/learning/measure"
	"talaria/core/learning/propose"
	"talaria/core/learning/reflect"
	"talaria/core/learning/validate"
	"talaria/core/memory"
	"talaria/core/model/rehearsal"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/match"
	tools "talaria/core/tool"
	"talaria/core/trace"
	"talaria/gateway/briefing"
	"talaria/storage"
	"talaria/storage/sqlite"
)

// mode is what is compared.
type mode string

const (
	off      mode = "off"      // nothing is learned
	on       mode = "on"       // all of it
	poisoned mode = "poisoned" // all of it, and three of ten times people correct what was right
)

// lies is how often a poisoned person does.
const lies = 0.3

// outcome is how a task went.
type outcome struct {
	kind, n    int // the n-th task of its kind, from 1
	success    bool
	steps      int
	took       time.Duration // from the request to the last answer, without what is learned from it
	thoughts   int           // calls of the model
	tokens     int
	recoveries int
	skill      bool // one was in the prompt
}

var (
	ada  = chat.Identity{Platform: "bench", ID: "ada"}
	room = chat.Address{Platform: "bench", Chat: "ada"}
)

// bench is the learning loop, put together as the program does, without the
// lanes.
type bench struct {
	testing.TB
	ctx      context.Context
	mode     mode
	world    *world
	random   *rand.Rand
	store    *storage.Store
	people   *person.Directory
	library  *skill.Library
	briefing *briefing.Briefing
	recorder *learning.Recorder
	curator  *curate.Curator
	loop     *agent.Loop
	session  int
}

func newBench(t testing.TB, m mode, seed uint64, s size) *bench {
	b := &bench{TB: t, ctx: context.Background(), mode: m, world: newWorld(t, seed, s.kinds, s.turn), random: rand.New(rand.NewPCG(seed, 9))}
	d, err := sqlite.Open(b.ctx, ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b.store = storage.New(d)
	t.Cleanup(func() { b.store.Close() })
	log := slog.New(slog.DiscardHandler)
	if b.people, err = person.Open(b.ctx, b.store, person.Config{Admins: []chat.Identity{ada}}, log); err != nil {
		t.Fatal(err)
	}
	specs := map[string]agent.Spec{}
	for _, tl := range b.world.tools() {
		specs[tl.Spec().Name] = tl.Spec()
	}
	spec := func(name string) (agent.Spec, bool) { s, ok := specs[name]; return s, ok }
	b.library = skill.New(b.store, b.people, skill.Config{}, log, validate.Checks(validate.Config{Tool: spec})...)
	b.briefing = briefing.New(briefing.Config{Store: b.store, Tools: &tools.Set{}, Library: b.library, Log: log})
	remembered := func(p person.Principal) *memory.Handle { return memory.For(b.store, p) }
	review := reflect.New(reflect.Config{
		Enabled: true, Trigger: reflect.AfterEveryTask, Depth: reflect.Standard, MaxTokens: 4000, MaxIterations: 16, MaxInputTokens: 600_000,
		Yield: 2 * time.Second, Reports: true, Keep: time.Hour, Store: b.store, Model: rehearsal.Model{}, People: b.people,
		Library: b.library, Memory: remembered, Skills: func(p person.Principal) tools.Skills { return b.briefing.Skills(p) }, Log: log,
		Proposer: propose.New(propose.Config{
			Store: b.store, Library: b.library, Memory: remembered, Tool: spec, Log: log, Limits: unhurried(),
			Announce: func(context.Context, person.Principal, skill.Outcome) error { return nil },
		}),
	})
	b.recorder = learning.New(learning.Config{
		Enabled: m != off, Store: b.store, Redactor: trace.NewRedactor(nil), Alike: match.RequestSimilarity, Log: log, Nearest: b.nearest,
		Listener: measure.Uses{Store: b.store, Library: b.library, Upkeep: b.library.Upkeep(), People: b.people, Next: review},
	})
	b.curator = curate.New(curate.Config{
		Store: b.store, Upkeep: b.library.Upkeep(), Model: rehearsal.Model{}, Log: log,
		Team:     func(context.Context, skill.Scope) (person.TeamID, error) { return b.who().Team, nil },
		Announce: func(context.Context, skill.Scope, skill.Outcome) error { return nil },
		Tell:     func(context.Context, curate.Report) error { return nil },
	})
	b.loop = agent.New(agent.Config{Model: planner{}, Log: log, Budgets: agent.Budgets{Calls: 25, Duration: time.Minute}})
	return b
}

// unhurried are the limits without those by the day: the bench does months of
// tasks in one.
func unhurried() propose.Limits {
	l := propose.Defaults()
	l.Skills, l.Cards = 1000, 1000
	return l
}

// nearest is the skill that a task belongs to, as the program finds it.
func (b *bench) nearest(ctx context.Context, t trace.Task) learning.Nearest {
	for _, u := range t.Skills {
		return learning.Nearest{Skill: u.Skill, Similarity: 1}
	}
	visible, err := b.library.Matchable(ctx, b.who())
	if err != nil {
		b.Fatal(err)
	}
	for _, r := range match.New(visible).Match(t.Request, 1).Ranked {
		return learning.Nearest{Skill: r.Name, Similarity: r.Score}
	}
	return learning.Nearest{}
}

func (b *bench) who() person.Principal {
	who, err := b.people.Resolve(b.ctx, chat.Author{Identity: ada}, room, true)
	if err != nil {
		b.Fatal(err)
	}
	return who
}

// run does tasks in rounds, one of each kind in a round, and after each round
// what is done at night.
func (b *bench) run(rounds int) (all []outcome) {
	defer b.loop.Wait()
	for n := range rounds {
		for kind := range b.world.families {
			all = append(all, b.task(kind, n+1))
		}
		if b.mode == off {
			continue
		}
		if err := b.curator.Nightly(b.ctx); err != nil {
			b.Fatal(err)
		}
	}
	return all
}

// task has one task done and judged, and lets the loop learn from it.
func (b *bench) task(kind, n int) outcome {
	f := b.world.families[kind]
	request, file := f.request(n, b.random)
	b.session++
	c := conversation{bench: b, name: fmt.Sprintf("s%d/0", b.session)}
	c.say(request)
	o := outcome{kind: kind, n: n, success: b.world.right(f, n, file), skill: len(c.used) > 0}
	if said := b.react(f, n, o.success); said != "" {
		c.say(said)
	}
	o.steps, o.took, o.thoughts, o.tokens, o.recoveries = c.steps, c.took, c.thoughts, c.tokens, c.recoveries
	c.end()
	return o
}

// react is what the person says of the first answer: a correction with its
// reason where it was wrong, or where they lie.
func (b *bench) react(f family, n int, right bool) string {
	format := f.wanted(n)
	lying := b.random.Float64() < lies && b.mode == poisoned
	if lying {
		format = another(b.random, format)
	}
	if right && !lying {
		return ""
	}
	return fmt.Sprintf("no, the %s report must be %s, because %s", f.subject, format, f.reason)
}

// conversation is one session.
type conversation struct {
	*bench
	name       string
	history    []agent.Message
	turns      int
	used       []skill.InUse
	steps      int
	took       time.Duration
	thoughts   int
	tokens     int
	recoveries int
}

// say has a turn answered and handed over to be observed.
func (c *conversation) say(text string) {
	who := c.who()
	asked := time.Now()
	prefix, err := c.briefing.Prefix(c.ctx, who)
	if err != nil {
		c.Fatal(err)
	}
	block, err := c.briefing.Block(c.ctx, who, chat.Event{Kind: chat.Message, Address: room, Direct: true, Text: text}, prefix)
	if err != nil {
		c.Fatal(err)
	}
	c.turns++
	id := fmt.Sprintf("%s/%d", c.name, c.turns)
	began := time.Now().UTC()
	var entries []agent.Entry
	answer, err := c.loop.Run(c.ctx, agent.Turn{
		ID: id, Session: c.name, Prefix: prefix, History: c.history, Block: block, Spoken: text, Tools: c.world.tools(),
		Input: agent.Message{Role: agent.User, Text: text, Origin: chat.Member},
	}, agent.Hooks{Record: func(_ context.Context, more ...agent.Entry) error {
		entries = append(entries, more...)
		return nil
	}})
	if err != nil {
		c.Fatal(err)
	}
	c.took += time.Since(asked)
	for _, e := range entries {
		if e.Model != nil {
			c.thoughts++
		}
	}
	c.history = append(c.history, answer.Messages...)
	c.used = append(c.used, skill.InPrompt([]agent.Message{{Role: agent.User, Origin: chat.Self, Text: block}})...)
	raw := &trace.RawTurn{
		ID: id, Who: who.Person, Identity: ada, Direct: true, Message: id, Began: began, Asked: text, Answered: answer.Text,
		Ending: answer.Ending, Tokens: answer.Usage.Input + answer.Usage.Output, Steps: trace.Steps(entries, began),
	}
	for _, u := range c.used {
		raw.Skills = append(raw.Skills, trace.Use{Skill: u.Name, Revision: u.Number})
	}
	failed := false
	for _, s := range raw.Steps {
		if s.Kind == trace.Observation {
			c.steps++
			if failed && s.Success {
				c.recoveries++
			}
			failed = !s.Success
		}
	}
	c.tokens += raw.Tokens
	c.handOver(trace.Raw{Session: c.name, Place: room, At: time.Now().UTC(), Turn: raw})
}

func (c *conversation) handOver(raw trace.Raw) {
	batch := storage.On(person.ShardOf(room))
	trace.HandOver(batch, raw)
	if _, err := c.store.Commit(c.ctx, batch); err != nil {
		c.Fatal(err)
	}
}

// end begins the session anew, has the loop look at what was done, and approves
// what it drafted, as the person would.
func (c *conversation) end() {
	c.handOver(trace.Raw{Session: c.name, Place: room, At: time.Now().UTC(), Ended: true})
	shard := storage.ShardOf(room.Platform, room.Workspace, room.Chat)
	if _, err := c.recorder.Catch(c.ctx, shard); err != nil {
		c.Fatal(err)
	}
	if c.mode == off {
		return
	}
	if err := c.recorder.Tell(c.ctx, shard); err != nil {
		c.Fatal(err)
	}
	who := c.who()
	all, err := c.library.List(c.ctx, who)
	if err != nil {
		c.Fatal(err)
	}
	for _, s := range all {
		if s.Pending == 0 {
			continue
		}
		draft, err := c.library.Revision(c.ctx, who, s.At(s.Pending))
		if err != nil {
			c.Fatal(err)
		}
		if _, err := c.library.Approve(c.ctx, who, draft.Ref, draft.Hash); err != nil && !strings.Contains(err.Error(), "block") {
			c.Logf("%s not approved: %v", s.Name, err)
		}
	}
}
