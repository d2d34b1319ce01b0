package daily_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/gateway/daily"
	"talaria/gateway/inbox"
	"talaria/gateway/lane"
	"talaria/gateway/wording"
	"talaria/scheduler"
	"talaria/scheduler/when"
	"talaria/storage"
	"talaria/storage/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	ann     = chat.Identity{Platform: "test", ID: "ann"}
	home    = chat.Address{Platform: "test", Chat: "ann"}
	general = chat.Address{Platform: "test", Workspace: "W", Chat: "general"}
)

// world is a store, with people and platforms as the test has them.
type world struct {
	t       *testing.T
	store   *storage.Store
	jobs    *scheduler.Scheduler
	member  bool // Ann is a member of general
	said    []chat.Event
	broken  error // reading general fails so
	pages   map[string]tool.Page
	drafts  []skill.Revision
	runs    int
	posted  []chat.Post
	handed  []chat.Event // runs of jobs
	gather  *daily.Gatherer
	desk    *daily.Desk
	private bool // a direct conversation with Ann is known
}

func newWorld(t *testing.T) *world {
	t.Helper()
	driver, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, store: storage.New(driver), member: true, private: true, pages: map[string]tool.Page{}}
	t.Cleanup(func() { _ = w.store.Close() })
	w.jobs = scheduler.New(scheduler.Config{
		Store: w.store, People: w, Limits: scheduler.Limits{Jobs: 50, Every: time.Minute}, Log: slog.New(slog.DiscardHandler),
		Zone: time.UTC, Hand: func(_ context.Context, e chat.Event, _ person.Principal) error {
			w.handed = append(w.handed, e)
			return nil
		},
		Brief: func(ctx context.Context, who person.Principal, key string, s when.Schedule) (string, error) {
			return w.desk.Ordered(ctx, who, key, s)
		},
		In: func(ctx context.Context) scheduler.Tongue { return wording.In(ctx) },
	})
	c := daily.Config{
		Store: w.store, Directory: w, Jobs: w.jobs.Desk, Library: w, Reader: w.read, Histories: map[string]chat.Historian{"test": w},
		Tell: func(_ context.Context, _ string, _ chat.Address, post chat.Post) error {
			w.posted = append(w.posted, post)
			return nil
		},
		Link: func(chat.Address, string) string { return "" }, Log: slog.New(slog.DiscardHandler),
	}
	w.gather, w.desk = daily.NewGatherer(c), daily.NewDesk(c)
	return w
}

// who is Ann in her direct conversation.
func who() person.Principal {
	return person.Principal{Person: person.Home(ann), Identity: ann, Role: person.Member, Place: home, Direct: true}
}

func (w *world) Present(_ context.Context, p person.Principal) (person.Principal, error) {
	if !p.Direct && !w.member {
		p.Role = person.Nobody
	}
	return p, nil
}

func (w *world) DirectOf(_ context.Context, p person.Principal) (person.Principal, bool, error) {
	p.Place, p.Direct = home, true
	return p, w.private, nil
}

func (w *world) Readable(_ context.Context, p person.Principal) ([]chat.Address, error) {
	if w.member && p.Direct {
		return []chat.Address{home, general}, nil
	}
	return []chat.Address{p.Place.Place()}, nil
}

func (w *world) Pending(context.Context, person.Principal) ([]skill.Revision, error) {
	return w.drafts, nil
}

func (w *world) read(_ context.Context, _ person.Principal, address string) (tool.Page, error) {
	p, ok := w.pages[address]
	if !ok {
		return p, errors.New("there is no answer")
	}
	return p, nil
}

// Threads implements chat.Threader for general.
func (w *world) Threads(_ context.Context, a chat.Address, since time.Time, limit int) (out []chat.Address, _ error) {
	for _, e := range slices.Backward(w.said) {
		if e.Address.Place() == a && e.Address.Thread != "" && e.At.After(since) && !slices.Contains(out, e.Address) && len(out) < limit {
			out = append(out, e.Address)
		}
	}
	return out, nil
}

// History implements chat.Historian for general and its threads.
func (w *world) History(_ context.Context, at chat.Address, after string, limit int) ([]chat.Event, error) {
	var out []chat.Event
	for _, e := range w.said {
		if e.Message > after && (e.Address == at || e.Message == at.Thread && at.Thread != "") {
			out = append(out, e)
		}
	}
	if after == "" && len(out) > limit {
		out = out[len(out)-limit:]
	}
	return out[:min(len(out), limit)], w.broken
}

// speak has somebody say something in general.
func (w *world) speak(name, text string) {
	w.said = append(w.said, chat.Event{
		Kind: chat.Message, Address: general, Message: fmt.Sprintf("%06d", len(w.said)+1), At: time.Now(), Text: text,
		Author: chat.Author{Identity: chat.Identity{Platform: "test", ID: name}, Name: name},
	})
}

// reply has somebody say something in the thread below the message of a number.
func (w *world) reply(root int, name, text string) {
	w.speak(name, text)
	w.said[len(w.said)-1].Address.Thread = w.said[root-1].Message
}

// run gathers a briefing of a spec as the run of a number; empty is the next.
func (w *world) run(spec daily.Spec, p person.Principal, number ...int) string {
	w.t.Helper()
	n := w.runs + 1
	if len(number) > 0 {
		n = number[0]
	}
	w.runs = max(w.runs, n)
	text, ok, err := w.gather.Gather(w.t.Context(), tick(w.t, spec, p, n), p)
	if err != nil || !ok {
		w.t.Fatalf("gathered %v, %v", ok, err)
	}
	return text
}

func tick(t *testing.T, spec daily.Spec, p person.Principal, n int) chat.Event {
	t.Helper()
	data, err := json.Marshal(map[string]daily.Spec{"brief": spec})
	if err != nil {
		t.Fatal(err)
	}
	ticket, err := json.Marshal(scheduler.Ticket{Job: "abcde", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return chat.Event{
		Kind: chat.Tick, Keys: []string{fmt.Sprint("job:abcde:", n, ":0")}, Address: p.Place, Direct: p.Direct,
		Author: chat.Author{Identity: p.Identity}, Tick: &chat.TickData{ID: "abcde", Value: ticket},
	}
}

// asks puts a request of somebody's into the inbox, where it waits.
func (w *world) asks(at chat.Address, i chat.Identity, text string) {
	w.t.Helper()
	e := chat.Event{
		Kind: chat.Message, Keys: []string{text}, At: time.Now(), Address: at, Text: text, Author: chat.Author{Identity: i, Name: i.ID},
	}
	b := storage.On(person.ShardOf(at)).
		Receive(e.Keys, inbox.Envelope{Event: e, Who: person.Principal{Person: person.Home(i), Identity: i}}, time.Hour)
	w.commit(b)
}

// breaks notes that a run broke off.
func (w *world) breaks(p person.Principal, n int) {
	at := person.ShardOf(p.Place)
	w.commit(storage.On(at).Put("ran", fmt.Sprint("job:abcde:", n, ":0"), lane.Ran{Ending: agent.Broken}, storage.Any))
}

func (w *world) commit(b *storage.Batch) {
	w.t.Helper()
	if _, err := w.store.Commit(w.t.Context(), b); err != nil {
		w.t.Fatal(err)
	}
}
