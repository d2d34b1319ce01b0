package command_test

import (
	"testing"

	"talaria/core/chat"
	"talaria/gateway/command"
)

// TestASlashAloneIsACallForHelp, said to the bot and not among people.
func TestASlashAloneIsACallForHelp(t *testing.T) {
	for _, c := range []struct {
		text string
		by   chat.Addressed
		name string
	}{
		{"/", chat.ByDM, "help"}, {" ／ ", chat.ByMention, "help"}, {"/", chat.Ambient, ""},
		{"/ memory", chat.ByDM, ""}, {"/帮助", chat.ByDM, "help"}, {"a / b", chat.ByDM, ""},
	} {
		e := command.Typed(chat.Event{Kind: chat.Message, Text: c.text, Addressed: c.by, Origin: chat.Member})
		got := ""
		if e.Command != nil {
			got = e.Command.Name
		}
		if got != c.name || (got == "") != (e.Kind == chat.Message) {
			t.Errorf("%q is %q, %v; want %q", c.text, got, e.Kind, c.name)
		}
	}
}
