//go:build clients

package clients

import (
	"slices"
	"testing"

	"talaria/adapters/fake/telegram"
)

func TestGrammY(t *testing.T) {
	const ada, team = 11, -1001
	s, err := telegram.Start(telegram.Options{NoFlood: true}) // whoever uses grammY adds a plugin that waits
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.Group(team, ada)
	b := start(t, "telegram.mjs", s.URL(), s.Token())
	shows := func(chat int64, text string) telegram.Message {
		t.Helper()
		return shown(b, s, text, func() []telegram.Message { return s.Sent(chat) }, func(m telegram.Message) bool { return m.Text == text })
	}
	for _, chat := range []int64{ada, team} {
		s.Say(ada, chat, "hello")
		b.sees("message", "hello")
		shows(chat, "you said hello")
	}
	said := s.Speak(telegram.Speech{User: ada, Chat: ada, Text: "helo"})
	b.sees("message", "helo")
	s.Rewrite(ada, said.Message, "hello again")
	b.sees("edit", "hello again")

	s.Say(ada, team, "/ask@"+telegram.BotName+" tea")
	b.sees("command", "tea")
	query := s.Press(ada, team, shows(team, "tea?").ID, "yes")
	b.sees("press", "yes")
	shows(team, "You said yes.")
	if !s.Answered(query) {
		t.Error("the press was not answered")
	}

	s.Speak(telegram.Speech{User: ada, Chat: ada, File: &telegram.File{Name: "quiet.txt", Data: []byte("whisper")}})
	b.sees("file", "whisper")
	b.awaits(s, "the file", func() bool {
		return slices.ContainsFunc(s.Sent(ada), func(m telegram.Message) bool { return m.File != nil && string(m.File.Data) == "WHISPER" })
	})

	s.Say(ada, ada, "forget it")
	b.sees("message", "forget it")
	b.awaits(s, "the deletion", func() bool {
		return s.Calls("deleteMessage") == 1 && !slices.ContainsFunc(s.Sent(ada), func(m telegram.Message) bool { return m.Text == "…" })
	})
	b.awaits(s, "what was taken", func() bool { return s.Unconfirmed() == 0 })
	clean(t, s, s.Refusals())
}
