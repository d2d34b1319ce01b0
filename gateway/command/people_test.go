package command_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/storage"
	"talaria/storage/sqlite"
)

// consent is one person's word.
type consent bool

func (c *consent) Give(_ context.Context, _ person.ID, given bool) error {
	*c = consent(given)
	return nil
}

func (c *consent) Given(context.Context, person.ID) (bool, error) { return bool(*c), nil }

// learner learns unless it was told not to.
type learner bool

// silenced is the learner of an operator who has learning switched off.
type silenced struct{ learner }

func (*silenced) Learns(context.Context, person.Principal) (on, nowhere bool, err error) {
	return false, true, nil
}

func (l *learner) Switch(_ context.Context, _ person.Principal, on bool) error {
	*l = learner(!on)
	return nil
}

func (l *learner) Learns(context.Context, person.Principal) (on, nowhere bool, err error) {
	return !bool(*l), false, nil
}

// office runs the commands about people for one admin in a direct conversation.
func office(t *testing.T) func(line string) string {
	t.Helper()
	return officeOf(t, new(learner))
}

func officeOf(t *testing.T, learning command.Learning) func(line string) string {
	t.Helper()
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := storage.New(d)
	t.Cleanup(func() { s.Close() })
	directory, err := person.Open(t.Context(), s, person.Config{ConsoleAdmin: true}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	who, err := directory.Resolve(t.Context(), chat.Author{Identity: chat.Identity{Platform: "console"}}, chat.Address{Platform: "console", Chat: "console"}, true)
	if err != nil {
		t.Fatal(err)
	}
	table := command.NewTable(command.ForPeople(directory, nil, new(consent), learning))
	return func(line string) string {
		name, args, _ := strings.Cut(line, " ")
		post, err := table.Run(t.Context(), command.Call{Who: who, Event: chat.Event{Command: &chat.CommandCall{Name: name, Args: args}}})
		if err != nil {
			t.Fatal(err)
		}
		return post.Markdown
	}
}

func TestSettingsSayWhatIsSetAndWhatCanBe(t *testing.T) {
	say := office(t)
	for _, step := range []struct{ line, hears string }{
		{"settings", "**not** exported"},
		{"settings training maybe", "`training maybe` is nothing that can be set"},
		{"settings training on", "may be exported"},
		{"settings", "**may** be exported"},
		{"settings", "I learn from you"},
		{"settings learning off", "stay as they are"},
		{"settings", "**nothing** from you"},
		{"settings learning on", "from the next message on"},
		{"settings here on", "nothing to let me into"},
	} {
		if got := say(step.line); !strings.Contains(got, step.hears) {
			t.Errorf("/%s: %s", step.line, got)
		}
	}
}

func TestARoleThatTheConfigurationGivesIsSaidToStay(t *testing.T) {
	say := office(t)
	for line, hears := range map[string]string{
		"role console nobody":     "has the role **admin** here still",
		"role telegram:42 member": "is **member** in your team now",
	} {
		if got := say(line); !strings.Contains(got, hears) {
			t.Errorf("/%s: %s", line, got)
		}
	}
}

func TestWhatTheOperatorSwitchedOffNobodySwitchesOn(t *testing.T) {
	run := officeOf(t, new(silenced))
	for _, line := range []string{"settings learning on", "settings learning off", "settings"} {
		if got := run(line); !strings.Contains(got, "my operator has switched it off") {
			t.Errorf("/%s: %q", line, got)
		}
	}
}
