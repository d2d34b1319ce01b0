//go:build clients

package clients

import (
	"slices"
	"testing"

	"talaria/adapters/fake/slack"
)

func TestSlacksOwnLibraries(t *testing.T) {
	const ada, general = "UADA01", "C0GENERAL"
	s, err := slack.Start(slack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.People(slack.Person{ID: ada, Name: "Ada"})
	s.Channel(general, ada)
	direct := s.Direct(ada)
	b := start(t, "slack.mjs", s.URL(), s.BotToken(), s.AppToken())
	find := func(channel, text string) slack.Message {
		t.Helper()
		return shown(b, s, text, func() []slack.Message { return s.Sent(channel) }, func(m slack.Message) bool { return m.Text == text })
	}
	for _, channel := range []string{general, direct} {
		root := s.Say(ada, channel, "hello")
		b.sees("message", "hello")
		if m := find(channel, "you said hello"); m.Thread != root {
			t.Errorf("%+v is not in the thread of %s", m, root)
		}
		b.sees("thread", "2")
	}
	s.Press(ada, general, find(general, "you said hello").TS, "yes")
	b.sees("press", "yes")
	find(general, "You said yes.")

	s.Slash(ada, general, "for tea")
	b.sees("command", "for tea")

	s.Speak(slack.Speech{User: ada, Channel: general, Text: "here", Files: []string{s.AddFile("quiet.txt", "text/plain", []byte("whisper"))}})
	b.sees("message", "here")
	b.sees("file", "whisper")
	b.awaits(s, "the file", func() bool {
		return slices.ContainsFunc(s.Sent(general), func(m slack.Message) bool { return len(m.Files) == 1 && string(s.Content(m.Files[0])) == "WHISPER" })
	})

	s.Disconnect() // the library opens another socket and goes on
	s.Say(ada, direct, "forget it")
	b.sees("ready", "")
	b.sees("message", "forget it")
	b.sees("thread", "2")
	b.awaits(s, "the deletion", func() bool {
		return s.Calls("chat.delete") == 1 && !slices.ContainsFunc(s.Sent(direct), func(m slack.Message) bool { return m.Text == "you said forget it" })
	})
	b.awaits(s, "what was acknowledged", func() bool { return s.Unacknowledged() == 0 })
	clean(t, s, s.Refusals())
}
