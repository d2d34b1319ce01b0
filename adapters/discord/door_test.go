package discord_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"

	"github.com/google/go-cmp/cmp"
)

// completer answers questions for completions.
type completer func(chat.Event) (chat.Reply, error)

// Answer implements chat.Door.
func (c completer) Answer(_ context.Context, e chat.Event) (chat.Reply, error) { return c(e) }

// jobsMenu has verbs, of which one is unsaid, and values of all sorts.
var jobsMenu = chat.MenuCommand{Name: "jobs", Description: "What I do at times", Verbs: []chat.MenuVerb{
	{Name: "list", Description: "All of them", Unsaid: true, Options: []chat.MenuOption{{Name: "page", Description: "Which page"}}},
	{Name: "set", Description: "Change one", Options: []chat.MenuOption{
		{Name: "id", Description: "Which one", Required: true, Completed: true},
		{Name: "rule", Description: "What of it", Required: true, Choices: []string{"when", "limit"}},
		{Name: "value", Description: "What it is to be"},
	}},
}}

// completing is a rig whose menu is registered and whose door is d.
func completing(t *testing.T, d chat.Door) *rig {
	r := newRig(t, simulator.Options{})
	r.Adapter.UseMenu(chat.Menu{Commands: []chat.MenuCommand{jobsMenu}})
	r.Adapter.UseDoor(d)
	return r
}

func TestAnOptionIsCompletedForWhoTypesIt(t *testing.T) {
	asked := make(chan chat.Event, 1)
	r := completing(t, completer(func(e chat.Event) (chat.Reply, error) {
		asked <- e
		reply := chat.Reply{Choices: []chat.Choice{{Value: strings.Repeat("v", 101)}, {Value: "j1", Label: strings.Repeat("long ", 30)}}}
		for n := range 30 {
			reply.Choices = append(reply.Choices, chat.Choice{Value: fmt.Sprint("job-", n)})
		}
		return reply, nil
	}))
	kept := r.run()
	token := r.Server.Type(ada, lobby, "jobs", "set", "id", "jo")
	e := <-asked
	if diff := cmp.Diff(&chat.QueryData{Command: "jobs", Verb: "set", Option: "id", Typed: "jo"}, e.Query); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if e.Kind != chat.Query || e.Author.Identity.ID != ada || e.Address != toLobby || e.Direct || e.At.IsZero() {
		t.Errorf("asked %+v", e)
	}
	var shown []string
	r.Await("the choices", func() (ok bool) { shown, ok = r.Server.Completions(token); return ok })
	if len(shown) != 25 || len(shown[0]) > 102 || !strings.HasSuffix(shown[0], "…") || shown[1] != "job-0" {
		t.Errorf("shown %q", shown)
	}
	// What is asked while typing is never kept: the next thing that is, is this.
	r.Server.Say(ada, direct, "hello")
	if e := kept.Events(r.Ctx, t, 1)[0]; e.Kind != chat.Message {
		t.Errorf("kept %+v", e)
	}
}

func TestAQuestionThatGetsNoAnswerGetsNoChoices(t *testing.T) {
	r := completing(t, completer(func(chat.Event) (chat.Reply, error) { return chat.Reply{}, errors.New("store is away") }))
	r.run()
	token := r.Server.Type(ada, direct, "jobs", "set", "id", "")
	r.Await("the answer", func() bool { shown, ok := r.Server.Completions(token); return ok && len(shown) == 0 })
	if refused := r.Server.Refusals(); len(refused) > 0 {
		t.Errorf("refused: %+v", refused)
	}
}

func TestSubcommandsAreReadAsTheyWouldBeTyped(t *testing.T) {
	r := completing(t, completer(func(chat.Event) (chat.Reply, error) { return chat.Reply{}, nil }))
	kept := r.run()
	value := func(name, v string) map[string]any { return map[string]any{"type": 3, "name": name, "value": v} }
	verb := func(name string, options ...map[string]any) map[string]any {
		return map[string]any{"type": 1, "name": name, "options": options}
	}
	for _, o := range []map[string]any{
		verb("list"), verb("list", value("page", "2")), verb("set", value("rule", "when"), value("value", "every day at 8"), value("id", "j1")),
		verb("set", value("id", "j1"), value("former", "x")), value("arguments", "show j1"),
	} {
		r.Server.Command(ada, direct, "jobs", o)
	}
	var got []string
	for _, e := range kept.Events(r.Ctx, t, 5) {
		got = append(got, e.Command.Args)
	}
	want := []string{"", "2", "set j1 when every day at 8", "set id=j1 former=x", "show j1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
