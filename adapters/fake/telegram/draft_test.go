package telegram_test

import (
	"strings"
	"testing"

	"talaria/adapters/fake/telegram"
)

// https://core.telegram.org/bots/api#sendmessagedraft: a private chat, an id
// that is not zero, 0-4096 characters; the text is kept by sendMessage alone.
func TestADraftIsShownInAPrivateChatUntilTheMessageIsThere(t *testing.T) {
	p := calm(t)
	p.server.Say(ada, ada, "hi")
	p.server.Group(-100, ada)
	draft := func(more string) answer { return p.call("sendMessageDraft", `{`+more+`}`) }
	p.refused(draft(`"chat_id":11,"draft_id":0,"text":"x"`), 400, "DRAFT_ID_INVALID")
	p.refused(draft(`"chat_id":-100,"draft_id":1,"text":"x"`), 400, "TEXTDRAFT_PEER_INVALID")
	p.refused(draft(`"chat_id":11,"draft_id":1,"text":"`+strings.Repeat("x", 4097)+`"`), 400, "message is too long")
	p.refused(draft(`"chat_id":11,"draft_id":1,"text":"x","message_thread_id":7`), 400, "message thread not found")
	for _, text := range []string{"", "half", "half an answer"} {
		if a := draft(`"chat_id":11,"draft_id":5,"text":"` + text + `"`); !a.OK || string(a.Result) != "true" {
			t.Errorf("%q: %+v", text, a)
		}
	}
	if text, shown := p.server.Drafting(ada); !shown || text != "half an answer" || len(p.server.Drafts(ada)) != 1 || len(p.server.Sent(ada)) != 0 {
		t.Errorf("shows %q of %+v", text, p.server.Drafts(ada))
	}
	p.call("sendMessage", `{"chat_id":11,"text":"whole","link_preview_options":{"is_disabled":true}}`)
	if text, shown := p.server.Drafting(ada); shown {
		t.Errorf("still shows %q", text)
	}
	old := newPeer(t, telegram.Options{NoDrafts: true})
	old.refused(old.call("sendMessageDraft", `{"chat_id":11,"draft_id":1,"text":"x"}`), 404, "method not found")
}

// https://core.telegram.org/bots/api#setmycommands and #botcommandscope.
func TestCommandsAreKeptByScopeAndLanguage(t *testing.T) {
	p := calm(t)
	list := func(name, description string) string {
		return `"commands":[{"command":"` + name + `","description":"` + description + `"}]`
	}
	for body, want := range map[string]string{
		list("a", "x"): "", list("a-b", "x"): "BOT_COMMAND_INVALID", list("a", ""): "BOT_COMMAND_INVALID", list("a", strings.Repeat("字", 257)): "BOT_COMMAND_INVALID",
		list("a", strings.Repeat("字", 256)) + `,"scope":{"type":"all_group_chats"},"language_code":"zh"`: "",
		list("a", "x") + `,"scope":{"type":"everywhere"}`:                                                "BOT_COMMAND_SCOPE_INVALID",
		list("a", "x") + `,"language_code":"chinese"`:                                                    "BOT_COMMAND_SCOPE_INVALID",
	} {
		a := p.call("setMyCommands", `{`+body+`}`)
		if a.OK != (want == "") || !strings.Contains(a.Description, want) {
			t.Errorf("%.60s: %+v", body, a)
		}
	}
	for scope, want := range map[string]string{`{}`: `"x"`, `{"scope":{"type":"all_group_chats"}}`: `[]`, `{"scope":{"type":"all_group_chats"},"language_code":"zh"}`: "字"} {
		if a := p.call("getMyCommands", scope); !strings.Contains(string(a.Result), want) {
			t.Errorf("%s: %s", scope, a.Result)
		}
	}
}
