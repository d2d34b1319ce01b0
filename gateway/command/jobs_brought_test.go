package command_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill/brought"
	"talaria/core/skill/foreign"
	"talaria/gateway/command"
	"talaria/scheduler"
	"talaria/storage"
	"talaria/storage/sqlite"
)

// resident is a member wherever they are.
type resident struct{}

func (resident) Present(_ context.Context, p person.Principal) (person.Principal, error) {
	return p, nil
}

func (resident) DirectOf(_ context.Context, p person.Principal) (person.Principal, bool, error) {
	return p, true, nil
}

func TestJobsOfAnotherAssistantAreTakenOverAfterAYes(t *testing.T) {
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := storage.New(d)
	defer s.Close()
	who := person.Principal{Person: "ann", Role: person.Member, Direct: true, Place: chat.Address{Platform: "test", Chat: "ann"}}
	for _, record := range []string{
		`{"id":"a","name":"Morning","prompt":"List what is open","schedule":{"expr":"0 9 * * 1-5"},"skills":["triage"],"deliver":"telegram:5","script":"x.py"}`,
		`{"id":"b","name":"Often","prompt":"Look at the page","schedule":"every 1m"}`,
		`{"id":"c","name":"Bell","prompt":"Ring","schedule":"every 2h","enabled":false,"repeat":{"times":5,"completed":2}}`,
		`{"id":"d","name":"Past","prompt":"Congratulate","schedule":{"run_at":"2020-02-03T14:00:00+00:00"}}`,
	} {
		j, ok := foreign.ReadJob(json.RawMessage(record))
		if !ok {
			t.Fatal(record)
		}
		if err := brought.Of(s, who.Person).Keep(t.Context(), brought.Jobs, j.ID, j); err != nil {
			t.Fatal(err)
		}
	}
	sched := scheduler.New(scheduler.Config{
		Store: s, People: resident{}, Zone: time.UTC, Limits: scheduler.Limits{Jobs: 9, Every: 5 * time.Minute}, Log: slog.New(slog.DiscardHandler),
		Lacks: func(_ context.Context, _ person.Principal, u scheduler.Use) (out []string, _ error) {
			for _, name := range u.Skills {
				out = append(out, "No skill `"+name+"` is in force for you here.")
			}
			return out, nil
		},
	})
	table := command.NewTable(command.ForJobs(sched.Desk, s), command.ForBroughtJobs(sched.Desk, s)...)
	asks := func(args string) chat.Post {
		t.Helper()
		post, err := table.Run(t.Context(), command.Call{Who: who, Event: chat.Event{Command: &chat.CommandCall{Name: "jobs", Args: args}}})
		if err != nil {
			t.Fatal(err)
		}
		return post
	}
	tells := func(text string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%q does not tell %q", text, part)
			}
		}
	}
	list := asks("import").Markdown
	tells(list, "Morning (0 9 ∗ ∗ 1-5): every weekday at 09:00 (UTC). Next:", "Often (every 1m): can't be taken over as it is", "Bell (every 2h): every 2 hours", "Past")
	key := func(name string) string {
		return regexp.MustCompile("`([0-9a-f]{6})` " + name).FindStringSubmatch(list)[1]
	}

	card := asks("import " + key("Morning"))
	tells(card.Markdown, "List what is open", "`script`", "telegram:5", "No skill `triage`")
	press := chat.Event{Kind: chat.Press, Press: &chat.PressData{Action: card.Buttons[0].Action, Token: card.Buttons[0].Token}}
	done, err := table.Press(t.Context(), command.PressOf(who, press, nil))
	if err != nil {
		t.Fatal(err)
	}
	tells(done.Card.Markdown, "Job `", "every weekday at 09:00", "No skill `triage`")

	tells(asks("import "+key("Often")+" yes").Markdown, "more often than is allowed", "at every day at 9:00")
	tells(asks("import "+key("Often")+" at every hour").Markdown, "Job `", "every hour")
	tells(asks("import "+key("Bell")+" yes").Markdown, "every 2 hours", "was paused there")
	tells(asks("import "+key("Past")+" yes").Markdown, "kept")
	tells(asks("import "+key("Past")+" drop").Markdown, "Dropped")
	tells(asks("import").Markdown, "No job of another assistant's waits")

	desk, err := sched.Desk(t.Context(), who)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := desk.List(t.Context())
	if err != nil || len(jobs) != 3 {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	for _, j := range jobs {
		if bell := j.Prompt == "Ring"; bell != j.Paused || bell != (j.Rules.Limit == 3) {
			t.Errorf("%s: paused %v, limit %d", j.Prompt, j.Paused, j.Rules.Limit)
		}
	}
}
