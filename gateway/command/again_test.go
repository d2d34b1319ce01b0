package command_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/storage/teststore"
)

// TestACommandThatRunsAgainDoesNoMore runs commands twice, as after a crash that
// came before their answer was kept. What they name by its position is another
// thing the second time.
func TestACommandThatRunsAgainDoesNoMore(t *testing.T) {
	s := teststore.Memory(t)
	ann := chat.Identity{Platform: "test", ID: "ann"}
	directory, err := person.Open(t.Context(), s, person.Config{Admins: []chat.Identity{ann}}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	who, err := directory.Resolve(t.Context(), chat.Author{Identity: ann}, chat.Address{Platform: "test", Chat: "ann"}, true)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	deleted := func(context.Context, person.Principal, memory.Card) error { told++; return nil }
	table := command.NewTable(append(command.ForMemory(s, nil, nil, deleted), command.ForSelf(s, directory, deleted)...))
	for _, text := range []string{"likes tea", "likes walks", "likes rain"} {
		if _, err := memory.For(s, who).Add(t.Context(), memory.Profile, text, memory.Source{Origin: chat.Member}); err != nil {
			t.Fatal(err)
		}
	}
	chosen := ""
	run := func(line string) string {
		name, args, _ := strings.Cut(line, " ")
		post, err := table.Run(t.Context(), command.Call{
			Who: who, Event: chat.Event{Command: &chat.CommandCall{Name: name, Args: args}}, Chosen: chosen,
			Keep: func(_ context.Context, c string) error { chosen = c; return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		return post.Markdown
	}
	left := func() int {
		cards, err := memory.For(s, who).List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(cards)
	}
	cards, err := memory.For(s, who).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for n, line := range []string{"memory delete " + cards[0].ID, "whoami strike 1", "memory undo"} {
		chosen = ""
		first, want := run(line), []int{2, 1, 2}[n]
		if got := left(); got != want {
			t.Errorf("%s: %d cards are left: %s", line, got, first)
		}
		if again := run(line); again != first || left() != want {
			t.Errorf("%s, again: %q, %d cards are left; at first it said %q", line, again, left(), first)
		}
	}
	if told != 4 {
		t.Errorf("told %d times of deleted cards: whoever is told may have been cut off, too", told)
	}
}
