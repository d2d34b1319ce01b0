package lane_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/tool"
	"talaria/gateway/command"
	"talaria/gateway/inbox"
	"talaria/gateway/lane"
	"talaria/gateway/outbox"
	"talaria/storage"
	"talaria/storage/fault"
	"talaria/storage/sqlite"
)

// platform shows what is said, chat by chat.
type platform struct {
	limits  chat.Limits
	mu      sync.Mutex
	shown   map[string][]string
	offered map[string][]chat.Button // the last buttons, chat by chat
	sent    []time.Time
	refused int
	most    int // calls a second; zero: any number
}

func (p *platform) Platform() string                              { return "test" }
func (p *platform) Run(ctx context.Context, _ chat.Handler) error { <-ctx.Done(); return nil }
func (p *platform) Limits() chat.Limits                           { return p.limits }
func (p *platform) Render(post chat.Post) []chat.Part {
	data, _ := json.Marshal(chat.Post{Markdown: post.Markdown, Buttons: post.Buttons})
	return []chat.Part{{Payload: data, Text: post.Markdown}}
}

func (p *platform) Send(_ context.Context, d chat.Delivery) (chat.Receipt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.sent) - p.most; p.most > 0 && n >= 0 && time.Since(p.sent[n]) < time.Second {
		p.refused++
		return chat.Receipt{}, &chat.Error{Kind: chat.RateLimited, Op: "send", RetryAfter: time.Second, Whole: true}
	}
	var post chat.Post
	_ = json.Unmarshal(d.Payload, &post)
	p.shown[d.Address.Chat] = append(p.shown[d.Address.Chat], post.Markdown)
	p.sent = append(p.sent, time.Now())
	if len(post.Buttons) > 0 {
		p.offered[d.Address.Chat] = post.Buttons
	}
	return chat.Receipt{Message: fmt.Sprint(len(p.shown[d.Address.Chat]))}, nil
}

func (p *platform) button(t *testing.T, place, label string) chat.Button {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range p.offered[place] {
		if b.Label == label {
			return b
		}
	}
	t.Fatalf("no button %q in %v", label, p.offered[place])
	return chat.Button{}
}

func (p *platform) said(chat string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.shown[chat]...)
}

// model answers by what it is asked last.
type model struct {
	mu      sync.Mutex
	heard   [][]agent.Message // what it was asked with
	think   time.Duration
	answers func(last string, messages []agent.Message) agent.Delta
	fails   error
}

// asked is what it was asked with so far.
func (m *model) asked() [][]agent.Message {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.heard)
}

func (m *model) Name() string { return "scripted" }

func (m *model) Stream(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		m.mu.Lock()
		m.heard = append(m.heard, r.Messages)
		m.mu.Unlock()
		select {
		case <-ctx.Done():
			yield(agent.Delta{}, ctx.Err())
			return
		case <-time.After(m.think):
		}
		last := r.Messages[len(r.Messages)-1]
		d := agent.Delta{Text: "re: " + last.Text, Stop: agent.StopEnd}
		m.mu.Lock()
		fails := m.fails
		m.mu.Unlock()
		if fails != nil {
			yield(agent.Delta{}, fails)
			return
		}
		if m.answers != nil {
			d = m.answers(last.Text, r.Messages)
		}
		yield(d, nil)
	}
}

// briefing gives every turn the same tools, behind the same policy.
type briefing struct {
	tools  []agent.Tool
	policy tool.Policy
	away   func() error // nil: nothing is
}

func (briefing) Prefix(context.Context, person.Principal) (string, error) { return "prefix", nil }
func (briefing) Block(context.Context, person.Principal, chat.Event, string) (string, error) {
	return "", nil
}
func (b briefing) Kit(_ context.Context, s lane.Setting) (lane.Kit, error) {
	if b.away != nil {
		if err := b.away(); err != nil {
			return lane.Kit{}, err
		}
	}
	set := tool.Set{Policy: b.policy}
	tools, allow := set.Bind(tool.Binding{Principal: s.Who, More: b.tools, Asker: s.Asker, Approved: s.Approved})
	return lane.Kit{Tools: tools, Allow: allow}, nil
}
func (briefing) Attach(context.Context, string, *inbox.Shard, []chat.Attachment) error { return nil }
func (briefing) Keep(*storage.Batch, person.Principal, lane.Exchange)                  {}
func (briefing) Spent(person.Principal, agent.Usage)                                   {}
func (briefing) Refuse(context.Context, person.Principal) (string, error)              { return "", nil }
func (briefing) Losing(context.Context, person.Principal, []agent.Message)             {}

// nobody observes what is handed over: it stays for the test to read.
type nobody struct{}

func (nobody) Wake(int) {}

// everybody lets every author in as a member.
type everybody struct{}

func (everybody) Admit(_ context.Context, e chat.Event) (inbox.Verdict, error) {
	who := person.Principal{Person: person.ID(e.Author.Identity.ID), Place: e.Address, Direct: e.Direct, Role: person.Member}
	if id, team, ok := strings.Cut(e.Author.Identity.ID, "@"); ok { // an admin of a team
		who.Person, who.Team, who.Role = person.ID(id), person.TeamID(team), person.Admin
	}
	return inbox.Verdict{Take: true, Who: who}, nil
}

// domain is that of an admin whose team is all that they have the say in.
func domain(_ context.Context, p person.Principal) (person.Domain, error) {
	if p.Role != person.Admin {
		return person.Domain{}, person.ErrForbidden
	}
	return person.Domain{Team: p.Team}, nil
}

// world is one replica over a store.
type world struct {
	t       *testing.T
	store   *storage.Store
	faults  *fault.Driver // below the store
	chats   *platform
	adapter chat.Adapter // what the lanes are given; nil: chats
	model   *model
	tools   []agent.Tool
	policy  tool.Policy
	actions []command.Action
	gather  func(e chat.Event) (string, bool, error) // nil: nothing for anybody
	away    func() error                             // what the tools are bound to; nil: nothing
	noted   chan chat.Event                          // what upkeep took note of
	name    string                                   // of the replica

	inbox  *inbox.Inbox
	outbox *outbox.Outbox
	lanes  *lane.Lanes
	stop   func()
	number int
}

func newWorld(t *testing.T, m *model, tools ...agent.Tool) *world {
	t.Helper()
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	faults := fault.Wrap(d, 1)
	w := &world{t: t, store: storage.New(faults), faults: faults, chats: &platform{shown: map[string][]string{}, offered: map[string][]chat.Button{}}, model: m, tools: tools, noted: make(chan chat.Event, 100), name: "r"}
	t.Cleanup(func() { _ = w.store.Close() })
	w.start(time.Second)
	return w
}

// beside is another replica over the same store and platform.
func (w *world) beside(m *model) *world {
	o := &world{t: w.t, store: w.store, chats: w.chats, model: m, noted: w.noted, name: "s"}
	o.start(time.Second)
	return o
}

// start brings a replica up. It is stopped with w.stop, which lets running
// turns take as long as drain.
func (w *world) start(drain time.Duration) {
	log := slog.New(slog.DiscardHandler)
	adapters := map[string]chat.Adapter{"test": w.chats}
	if w.adapter != nil {
		adapters["test"] = w.adapter
	}
	loop := agent.New(agent.Config{Model: w.model, Log: log})
	w.outbox = outbox.New(outbox.Config{Adapters: adapters, Sent: lane.Opened, Log: log})
	w.lanes = lane.New(lane.Config{
		Store: w.store, Outbox: w.outbox, Agent: loop, Briefing: briefing{w.tools, w.policy, w.away}, Adapters: adapters, Log: log,
		Commands: command.NewTable(command.ForSession(domain), w.actions...), Queue: 3, Recorder: nobody{},
		Upkeep: func(_ context.Context, e chat.Event) error { w.noted <- e; return nil },
		Gather: func(_ context.Context, e chat.Event, _ person.Principal) (string, bool, error) {
			if w.gather == nil {
				return "", false, nil
			}
			return w.gather(e)
		},
	})
	shards := inbox.NewShards(w.store, w.name, log)
	w.inbox = inbox.New(w.store, everybody{}, shards, log)
	ctx, cancel := context.WithCancel(w.t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = shards.Run(ctx, w.lanes, drain)
	}()
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		_ = w.lanes.Run(ctx)
	}()
	w.stop = func() {
		cancel()
		<-over
		<-heard
		w.outbox.Wait()
		loop.Wait()
	}
	synctest.Wait()
}

// say has a person write in a place and returns the message's id. A text that
// begins with a slash is a command.
func (w *world) say(place, who, text string) string {
	w.t.Helper()
	w.number++
	id := fmt.Sprint(w.number)
	e := chat.Event{
		Kind: chat.Message, Keys: []string{"test:" + place + ":" + id}, Message: id, Text: text, Direct: place == who,
		At: time.Now(), Origin: chat.Member, Addressed: chat.ByDM,
		Address: chat.Address{Platform: "test", Chat: place, Thread: thread(place, who)},
		Author:  chat.Author{Identity: chat.Identity{Platform: "test", ID: who}},
	}
	if name, ok := strings.CutPrefix(text, "/"); ok {
		name, args, _ := strings.Cut(name, " ")
		e.Kind, e.Text, e.Command = chat.Command, "", &chat.CommandCall{Name: name, Args: args}
	}
	w.handle(e)
	return id
}

// edit has a person change a message of theirs.
func (w *world) edit(place, who, id, text string) {
	w.t.Helper()
	w.number++
	w.handle(chat.Event{
		Kind: chat.Edit, Keys: []string{fmt.Sprintf("test:%s:%s:edit:%d", place, id, w.number)}, Message: id, Text: text,
		Address: chat.Address{Platform: "test", Chat: place, Thread: thread(place, who)},
		Author:  chat.Author{Identity: chat.Identity{Platform: "test", ID: who}},
	})
}

// thread is the one thread of a shared place.
func thread(place, who string) string {
	if place == who {
		return ""
	}
	return "t"
}

func (w *world) handle(e chat.Event) {
	w.t.Helper()
	if err := w.inbox.Handle(w.t.Context(), e); err != nil {
		w.t.Fatal(err)
	}
}
