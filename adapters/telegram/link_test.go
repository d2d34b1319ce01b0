package telegram_test

import (
	"testing"

	"talaria/adapters/telegram"
	"talaria/core/chat"
)

func TestOnlySupergroupsHaveLinks(t *testing.T) {
	var a telegram.Adapter
	for _, c := range []struct{ chat, thread, message, want string }{
		{"-1001234", "", "56", "https://t.me/c/1234/56"},
		{"-1001234", "7", "56", "https://t.me/c/1234/7/56"},
		{"-1234", "", "56", ""}, // a plain group
		{"42", "", "56", ""},    // a direct conversation
		{"-1001234", "", "", ""},
	} {
		got := a.Link(chat.Address{Platform: "telegram", Chat: c.chat, Thread: c.thread}, c.message)
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
