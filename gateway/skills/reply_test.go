package skills

import (
	"testing"

	"talaria/core/chat"
)

func TestAReplyWithATextIsAnEdit(t *testing.T) {
	asked := chat.Quote{Own: true, Text: askForText(t.Context(), "tea")}
	plain := chat.Quote{Own: true, Text: "Reply to this message with the whole new SKILL.md of tea, or send it as /skills edit tea with"}
	text := "---\nname: tea\n---\n"
	for name, c := range map[string]struct {
		e    chat.Event
		edit bool
	}{
		"in markdown":           {chat.Event{Kind: chat.Message, Text: text, Quoted: &asked}, true},
		"as plain text":         {chat.Event{Kind: chat.Message, Text: text, Quoted: &plain}, true},
		"no skill":              {chat.Event{Kind: chat.Message, Text: "never mind", Quoted: &plain}, false},
		"somebody else's words": {chat.Event{Kind: chat.Message, Text: text, Quoted: &chat.Quote{Text: plain.Text}}, false},
		"forwarded":             {chat.Event{Kind: chat.Message, Text: text, Quoted: &plain, Forwarded: true}, false},
		"no reply":              {chat.Event{Kind: chat.Message, Text: text}, false},
		"an edit of a message":  {chat.Event{Kind: chat.Edit, Text: text, Quoted: &plain}, false},
	} {
		got := EditReply(c.e)
		if (got != nil) != c.edit || c.edit && (got.Command.Name != "skills" || got.Command.Args != "edit tea\n"+text) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
