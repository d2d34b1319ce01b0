package discord_test

import (
	"testing"

	"talaria/adapters/discord"
	"talaria/core/chat"
)

func TestMessagesHaveLinks(t *testing.T) {
	var a discord.Adapter
	for _, c := range []struct{ server, chat, thread, message, want string }{
		{"1", "2", "", "3", "https://discord.com/channels/1/2/3"},
		{"1", "2", "4", "3", "https://discord.com/channels/1/4/3"},
		{"", "2", "", "3", "https://discord.com/channels/@me/2/3"},
		{"1", "2", "", "", ""},
	} {
		got := a.Link(chat.Address{Platform: "discord", Workspace: c.server, Chat: c.chat, Thread: c.thread}, c.message)
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
