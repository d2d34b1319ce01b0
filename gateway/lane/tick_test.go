package lane_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/inbox"
	"talaria/gateway/lane"
	"talaria/scheduler"
	"talaria/scheduler/when"
)

// tick hands a job's run over and returns its key.
func (w *world) tick(place, who, text string, ticket scheduler.Ticket) string {
	w.t.Helper()
	w.number++
	key := fmt.Sprint("job:", ticket.Job, ":", w.number)
	value, err := json.Marshal(ticket)
	if err != nil {
		w.t.Fatal(err)
	}
	e := chat.Event{
		Kind: chat.Tick, Keys: []string{key}, At: time.Now(), Text: text, Direct: place == who, Origin: chat.Member,
		Address: chat.Address{Platform: "test", Chat: place, Thread: thread(place, who)},
		Author:  chat.Author{Identity: chat.Identity{Platform: "test", ID: who}},
		Tick:    &chat.TickData{ID: ticket.Job, Due: time.Now(), Value: value},
	}
	if err := w.inbox.Keep(w.t.Context(), inbox.Envelope{Event: e, Who: member(e)}); err != nil {
		w.t.Fatal(err)
	}
	return key
}

func member(e chat.Event) person.Principal {
	return person.Principal{Person: person.ID(e.Author.Identity.ID), Identity: e.Author.Identity, Place: e.Address, Direct: e.Direct, Role: person.Member}
}

func TestAJobsRunIsATurnThatTheConversationGoesOnFrom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, &model{})
		defer w.stop()
		key := w.tick("ann", "ann", "sum up the day", scheduler.Ticket{Job: "j", Note: "This is late."})
		time.Sleep(time.Second)
		said := w.chats.said("ann")
		if len(said) != 1 || !strings.HasPrefix(said[0], "_This is late._\n\nre: [scheduled for ") || !strings.HasSuffix(said[0], "sum up the day") {
			t.Fatalf("said %q", said)
		}
		ran, over, err := lane.ReadRan(t.Context(), w.store, chat.Address{Platform: "test", Chat: "ann"}, key)
		if err != nil || !over || ran.Ending != agent.Answered {
			t.Errorf("ran %+v, over %v, %v", ran, over, err)
		}
		w.say("ann", "ann", "more on that")
		time.Sleep(time.Second)
		last := w.model.asked()[len(w.model.asked())-1]
		if len(last) != 3 || !strings.Contains(last[0].Text, "sum up the day") {
			t.Errorf("the model was given %v", last)
		}
	})
}

func TestAThreadUnderAJobsMessageIsAboutIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, &model{})
		defer func() { w.stop() }()
		e := chat.Event{
			Kind: chat.Tick, Keys: []string{scheduler.KeyPrefix + "j:1:0"}, Text: "The digest", Origin: chat.Member,
			Address: chat.Address{Platform: "test", Chat: "channel"}, Author: chat.Author{Identity: chat.Identity{Platform: "test", ID: "ann"}},
			Tick: &chat.TickData{ID: "j", Due: time.Now(), Value: []byte(`{"job":"j","say":true}`)},
		}
		if err := w.inbox.Keep(t.Context(), inbox.Envelope{Event: e, Who: member(e)}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		for n, text := range []string{"more on the second point", "and on the third"} {
			reply := chat.Event{
				Kind: chat.Message, Keys: []string{text}, At: time.Now(), Message: text, Text: text, Origin: chat.Member,
				Address: chat.Address{Platform: "test", Chat: "channel", Thread: "1"}, // under the message that the platform called 1
				Author:  chat.Author{Identity: chat.Identity{Platform: "test", ID: "bob"}},
			}
			awake, err := person.IsAwake(t.Context(), w.store, reply.Address)
			if err != nil || !awake {
				t.Errorf("the thread is not awake: %v", err)
			}
			w.handle(reply)
			time.Sleep(time.Second)
			asked := w.model.asked()[len(w.model.asked())-1]
			if len(asked) != 3+2*n || asked[1].Text != "The digest" {
				t.Errorf("the model was given %v", asked)
			}
			w.stop() // what the thread began with outlives this replica
			w.start(time.Second)
		}
	})
}

func TestAReminderTakesNoModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, &model{})
		defer w.stop()
		w.tick("ann", "ann", "Reminder: drink", scheduler.Ticket{Job: "j", Say: true})
		time.Sleep(time.Second)
		if said := w.chats.said("ann"); !slices.Equal(said, []string{"Reminder: drink"}) || len(w.model.asked()) > 0 {
			t.Errorf("said %q with %d calls of the model", said, len(w.model.asked()))
		}
		w.say("ann", "ann", "done")
		time.Sleep(time.Second)
		if got := w.model.asked()[0][1]; got.Role != agent.Assistant || got.Text != "Reminder: drink" {
			t.Errorf("the conversation knows %+v of it", got)
		}
	})
}

func TestSilenceIsKeptOnlyWhereItIsTheWholeAnswer(t *testing.T) {
	for answer, want := range map[string]int{"[SILENT]": 0, " [SILENT]\n": 0, "The page says [SILENT].": 1} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, &model{answers: func(string, []agent.Message) agent.Delta {
				return agent.Delta{Text: answer, Stop: agent.StopEnd}
			}})
			defer w.stop()
			key := w.tick("ann", "ann", "anything new?", scheduler.Ticket{Job: "j"})
			time.Sleep(time.Second)
			if said := w.chats.said("ann"); len(said) != want {
				t.Errorf("%q said %q", answer, said)
			}
			ran, over, err := lane.ReadRan(t.Context(), w.store, chat.Address{Platform: "test", Chat: "ann"}, key)
			if err != nil || !over || ran.Silent != (want == 0) {
				t.Errorf("%q ran %+v, over %v, %v", answer, ran, over, err)
			}
		})
	}
}

func TestALaterRunStopsAnEarlierOneWhereAskedTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, &model{think: time.Minute})
		defer w.stop()
		w.tick("ann", "ann", "one", scheduler.Ticket{Job: "j", Cancel: true})
		time.Sleep(time.Second)
		w.tick("ann", "ann", "two", scheduler.Ticket{Job: "j", Cancel: true})
		time.Sleep(2 * time.Minute)
		said := w.chats.said("ann")
		if len(said) != 2 || !strings.Contains(said[0], "stopped") || !strings.HasSuffix(said[1], "two") {
			t.Errorf("said %q", said)
		}
	})
}

// TestBriefingsAtEightComeInTime is on a platform that takes 30 calls
// a second of a bot and one a second in a chat.
func TestBriefingsAtEightComeInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, &model{think: 2 * time.Second})
		w.stop()
		w.chats.limits, w.chats.most = chat.Limits{PerBot: time.Second / 30, PerChat: time.Second}, 30
		w.start(time.Second)
		people := 100
		if os.Getenv("TALARIA_TORTURE") != "" {
			people = 1000
		}
		s := scheduler.New(scheduler.Config{
			Store: w.store, People: present{}, Replica: "r", Zone: time.UTC, Log: slog.New(slog.DiscardHandler),
			Hand: func(ctx context.Context, e chat.Event, who person.Principal) error {
				return w.inbox.Keep(ctx, inbox.Envelope{Event: e, Who: who})
			},
			Tell: func(context.Context, string, chat.Address, chat.Post) error { return nil },
			Outcome: func(context.Context, chat.Address, string) (scheduler.Outcome, error) {
				return scheduler.Outcome{Over: true, State: "sent"}, nil
			},
			Limits: scheduler.Limits{Jobs: 50, Every: time.Minute},
		})
		for n := range people {
			e := chat.Event{Address: chat.Address{Platform: "test", Chat: fmt.Sprint(n)}, Direct: true, Author: chat.Author{Identity: chat.Identity{Platform: "test", ID: fmt.Sprint(n)}}}
			_, err := s.For(member(e)).Add(t.Context(), scheduler.Order{
				Key: "b", Prompt: "brief me", Schedule: when.Schedule{Kind: when.Recurring, Zone: "Asia/Shanghai", Cron: []string{"5 8 * * *"}},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		eight := time.Date(2000, 1, 1, 0, 5, 0, 0, time.UTC) // in Shanghai; the bubble's clock begins five minutes before
		time.Sleep(time.Until(eight.Add(-2 * time.Second)))
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() { defer close(over); s.Run(ctx) }()
		time.Sleep(6 * time.Minute)
		cancel()
		<-over
		w.stop()
		var late []time.Duration
		for _, at := range w.chats.sent {
			late = append(late, at.Sub(eight))
		}
		slices.Sort(late)
		if len(late) != people {
			t.Fatalf("%d of %d briefings came", len(late), people)
		}
		p50, p99 := late[len(late)/2], late[len(late)*99/100]
		t.Logf("briefings=%d p50=%s p99=%s last=%s refused by the platform=%d", len(late), p50, p99, late[len(late)-1], w.chats.refused)
		if w.chats.refused == 0 || late[0] < 0 || p50 > 30*time.Second || p99 > 5*time.Minute {
			t.Errorf("the first came at %s, half after %s, 99 of 100 after %s", late[0], p50, p99)
		}
	})
}

// present lets everybody have the rights they had.
type present struct{}

func (present) Present(_ context.Context, p person.Principal) (person.Principal, error) {
	return p, nil
}

func (present) DirectOf(_ context.Context, p person.Principal) (person.Principal, bool, error) {
	return p, true, nil
}
