package command_test

import (
	"context"
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
)

func table(ran *string) *command.Table {
	run := func(_ context.Context, c command.Call) (chat.Post, error) {
		*ran = c.Event.Command.Name + " " + c.Args
		return chat.Post{Markdown: "done"}, nil
	}
	return command.NewTable([]command.Command{
		{Name: "open", Summary: "for all", Role: person.Nobody, Run: run},
		{Name: "search", Args: "WORDS", Summary: "find", Role: person.Guest, Run: run},
		{Name: "role", Summary: "give a role", Role: person.Admin, Run: run},
		{Name: "keep", Args: "TEXT", Summary: "keep a text", Role: person.Guest, Lines: true, Run: run},
	})
}

func TestWhoMayRunWhat(t *testing.T) {
	tests := []struct {
		role       person.Role
		name, args string
		ran, said  string
	}{
		{person.Member, "search", " tea ", "search tea", "done"},
		{person.Member, "role", "", "", "needs the role **admin**"},
		{person.Member, "search", "tea\nand how is it made?", "", "takes one line"},
		{person.Member, "search", "\ntea", "", "takes one line"},
		{person.Member, "keep", "\ntea\nmilk", "keep tea\nmilk", "done"},
		{person.Admin, "role", "", "role ", "done"},
		{person.Nobody, "open", "", "open ", "done"},
		{person.Nobody, "search", "", "", "needs the role"},
		{person.BotRole, "open", "", "", "needs the role"},
		{person.BotRole, "search", "", "", "needs the role"},
		{person.Member, "serach", "", "", "Did you mean `/search`?"},
		{person.Member, "rolle", "", "", "I don't know `/rolle`. Send"}, // nothing that a member may not use is suggested
		{person.Member, "hlep", "", "", "Did you mean `/help`?"},
		{person.Member, "nope", "", "", "I don't know `/nope`. Send"},
		{person.Member, "xy", "", "", "I don't know `/xy`. Send"},
		{person.Member, "help", "search", "", "/search WORDS"},
		{person.Member, "help", "/search for tea", "", "/search WORDS"},
		{person.Member, "help", "/sear", "", "Did you mean `/search`?"},
	}
	for _, tt := range tests {
		t.Run(string(tt.role)+" "+tt.name+tt.args, func(t *testing.T) {
			var ran string
			post, err := table(&ran).Run(t.Context(), command.Call{
				Who:   person.Principal{Role: tt.role},
				Event: chat.Event{Command: &chat.CommandCall{Name: tt.name, Args: tt.args}},
			})
			if err != nil || ran != tt.ran || !strings.Contains(post.Markdown, tt.said) {
				t.Errorf("ran %q, said %q, %v; want %q and %q", ran, post.Markdown, err, tt.ran, tt.said)
			}
		})
	}
}

func TestHelpAndMenuListWhatMembersMayUse(t *testing.T) {
	var ran string
	tb := table(&ran)
	post, err := tb.Run(t.Context(), command.Call{Who: person.Principal{Role: person.Member}, Event: chat.Event{Command: &chat.CommandCall{Name: "help"}}})
	if err != nil || !strings.Contains(post.Markdown, "/search") || strings.Contains(post.Markdown, "/role") {
		t.Errorf("help says %q, %v", post.Markdown, err)
	}
	for _, c := range tb.Menu().Commands {
		if c.Name == "role" {
			t.Error("the menu shows what only admins may use")
		}
	}
}
