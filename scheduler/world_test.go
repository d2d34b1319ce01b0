package scheduler_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/scheduler"
	"talaria/scheduler/when"
	"talaria/storage"
	"talaria/storage/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a store, people, and an inbox that knows keys.
type world struct {
	t     testing.TB
	store *storage.Store

	mu       sync.Mutex
	handed   map[string]chat.Event // by key
	calls    int
	told     map[string]string // by key
	nobody   map[string]bool   // chats where nobody has rights any more
	gone     map[string]bool   // skills, models and tools that are no longer there
	outcomes map[string]scheduler.Outcome
	crash    func() error // asked before each hand-over
}

func newWorld(t testing.TB, d storage.Driver) *world {
	w := &world{
		t: t, store: storage.New(d), handed: map[string]chat.Event{}, told: map[string]string{},
		nobody: map[string]bool{}, gone: map[string]bool{}, outcomes: map[string]scheduler.Outcome{},
	}
	t.Cleanup(func() { _ = w.store.Close() })
	return w
}

func memory(t testing.TB) *world {
	t.Helper()
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return newWorld(t, d)
}

// replica is one of the processes that share the world's store.
func (w *world) replica(name string) *scheduler.Scheduler { return scheduler.New(w.config(name)) }

func (w *world) config(name string) scheduler.Config {
	return scheduler.Config{
		Store: w.store, People: w, Hand: w.hand, Tell: w.tell, Outcome: w.outcome, Replica: name, Zone: time.UTC,
		Command: func(name string) bool { return name == "forget" },
		Lacks:   w.lacks,
		Limits:  scheduler.Limits{Jobs: 50, Every: 5 * time.Minute}, Log: slog.New(slog.DiscardHandler),
	}
}

func (w *world) Present(_ context.Context, p person.Principal) (person.Principal, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p.Role = person.Member
	if w.nobody[p.Place.Chat] {
		p.Role = person.Nobody
	}
	return p, nil
}

func (w *world) DirectOf(_ context.Context, p person.Principal) (person.Principal, bool, error) {
	p.Place, p.Direct = direct(p.Identity.ID), true
	return p, true, nil
}

// lacks knows the skill "weekly", the model "careful" and the tool "time", for
// as long as they are not gone.
func (w *world) lacks(_ context.Context, _ person.Principal, u scheduler.Use) (out []string, _ error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range slices.Concat(u.Skills, u.Tools, []string{u.Model}) {
		if name != "" && (w.gone[name] || !slices.Contains([]string{"weekly", "careful", "time"}, name)) {
			out = append(out, "There is no `"+name+"`.")
		}
	}
	return out, nil
}

func (w *world) hand(_ context.Context, e chat.Event, _ person.Principal) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.crash != nil {
		if err := w.crash(); err != nil {
			return err
		}
	}
	w.calls++
	if _, known := w.handed[e.Key()]; !known {
		w.handed[e.Key()] = e
	}
	return nil
}

func (w *world) tell(_ context.Context, key string, to chat.Address, post chat.Post) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told[key] = to.Chat + ": " + post.Markdown
	return nil
}

func (w *world) outcome(_ context.Context, _ chat.Address, key string) (scheduler.Outcome, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	o, ok := w.outcomes[key]
	if !ok {
		return scheduler.Outcome{Over: true, State: "sent", Output: "done"}, nil
	}
	return o, nil
}

// slots are the times that a job fired for, in order.
func (w *world) slots(job string) []time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []time.Time
	for _, e := range w.handed {
		if e.Tick.ID == job {
			out = append(out, e.Tick.Due.UTC())
		}
	}
	slices.SortFunc(out, time.Time.Compare)
	return out
}

func (w *world) events() []chat.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.SortedFunc(maps.Values(w.handed), func(a, b chat.Event) int { return a.Tick.Due.Compare(b.Tick.Due) })
}

func direct(user string) chat.Address { return chat.Address{Platform: "test", Chat: "dm-" + user} }

// somebody is a member in their direct conversation.
func somebody(user string) person.Principal {
	return person.Principal{
		Person: person.ID("p-" + user), Identity: chat.Identity{Platform: "test", ID: user}, Role: person.Member,
		Place: direct(user), Direct: true,
	}
}

func in(p person.Principal, channel string) person.Principal {
	p.Place, p.Direct = chat.Address{Platform: "test", Chat: channel}, false
	return p
}

func cron(zone string, lines ...string) when.Schedule {
	return when.Schedule{Kind: when.Recurring, Zone: zone, Cron: lines}
}

func every(d time.Duration, from time.Time) when.Schedule {
	return when.Schedule{Kind: when.Recurring, Zone: "UTC", EverySeconds: int64(d / time.Second), From: from}
}

func (w *world) add(s *scheduler.Scheduler, who person.Principal, o scheduler.Order) scheduler.Job {
	w.t.Helper()
	if o.Key == "" {
		o.Key = fmt.Sprint("key ", time.Now().UnixNano(), o.Schedule, o.Say, o.Prompt)
	}
	if o.Say == "" && o.Prompt == "" {
		o.Say = "it is time"
	}
	j, err := s.For(who).Add(w.t.Context(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	return j
}

var errCrash = errors.New("the replica died")
