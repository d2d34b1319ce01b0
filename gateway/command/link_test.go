package command_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/storage/teststore"
)

func TestWhoMadeALinkingCodeIsToldThatItWasUsed(t *testing.T) {
	ann, thief := chat.Identity{Platform: "slack", Workspace: "T1", ID: "U1"}, chat.Identity{Platform: "telegram", ID: "9"}
	d, err := person.Open(t.Context(), teststore.Memory(t), person.Config{Admins: []chat.Identity{ann}}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	told := map[chat.Address]string{}
	table := command.NewTable(command.ForPeople(d, func(_ context.Context, _ string, to chat.Address, post chat.Post) error {
		told[to] = post.Markdown
		return nil
	}, new(consent), new(learner)))
	direct := func(i chat.Identity) chat.Address {
		return chat.Address{Platform: i.Platform, Workspace: i.Workspace, Chat: "dm-" + i.ID}
	}
	say := func(i chat.Identity, args string) string {
		who, err := d.Resolve(t.Context(), chat.Author{Identity: i}, direct(i), true)
		if err == nil {
			err = d.Been(t.Context(), who)
		}
		if err != nil {
			t.Fatal(err)
		}
		post, err := table.Run(t.Context(), command.Call{Who: who, Event: chat.Event{Command: &chat.CommandCall{Name: "link", Args: args}}})
		if err != nil {
			t.Fatal(err)
		}
		return post.Markdown
	}
	_, code, _ := strings.Cut(say(ann, ""), "`/link ")
	code, _, _ = strings.Cut(code, "`")
	if got := say(thief, code); !strings.HasPrefix(got, "Linked") {
		t.Fatal(got)
	}
	if got := say(chat.Identity{Platform: "console"}, "CODE"); !strings.Contains(got, "A terminal joins no other account") {
		t.Errorf("a terminal is told: %s", got)
	}
	if got := told[direct(ann)]; len(told) != 1 || !strings.Contains(got, "/link undo telegram:9") {
		t.Errorf("told: %v", told)
	}
}
