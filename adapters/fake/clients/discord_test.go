//go:build clients

package clients

import (
	"slices"
	"testing"

	"talaria/adapters/fake/discord"
)

func TestDiscordJS(t *testing.T) {
	const ada, guild, lobby, direct = "510000000000000001", "520000000000000001", "530000000000000001", "530000000000000003"
	s, err := discord.Start(discord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.Guild(guild, ada)
	s.Channel(guild, lobby)
	s.Direct(direct, ada)
	b := start(t, "discord.mjs", s.URL(), s.Token())
	find := func(channel, text string) discord.Message {
		t.Helper()
		return shown(b, s, text, func() []discord.Message { return s.Sent(channel) }, func(m discord.Message) bool { return m.Text == text })
	}
	for _, channel := range []string{lobby, direct} {
		said := s.Say(ada, channel, "hello")
		b.sees("message", "hello")
		if m := find(channel, "you said hello"); m.ReplyTo != said {
			t.Errorf("%+v is no reply to %s", m, said)
		}
	}
	s.Rewrite(lobby, s.Say(ada, lobby, "helo"), "hello again")
	b.sees("message", "helo")
	b.sees("edit", "hello again")

	token := s.Press(ada, lobby, find(lobby, "you said hello").ID, "yes")
	b.sees("press", "yes")
	find(lobby, "You said yes.")
	if !s.Answered(token) {
		t.Error("the press was not answered")
	}
	b.awaits(s, "the commands", func() bool { return slices.Equal(s.Commands(), []string{"ask"}) })
	s.Command(ada, lobby, "ask")
	b.sees("command", "ask")
	find(lobby, "You asked for ask.")
	if m := find(lobby, "For you alone."); m.Private != ada {
		t.Errorf("everybody sees %+v", m)
	}

	s.Speak(discord.Speech{User: ada, Channel: lobby, File: &discord.File{Name: "quiet.txt", Data: []byte("whisper")}})
	b.sees("message", "")
	b.sees("file", "whisper")
	b.awaits(s, "the file", func() bool {
		return slices.ContainsFunc(s.Sent(lobby), func(m discord.Message) bool { return m.File != nil && string(m.File.Data) == "WHISPER" })
	})

	s.Drop() // the library resumes its session and misses nothing
	s.Say(ada, lobby, "forget it")
	b.sees("message", "forget it")
	b.sees("resumed", "")
	b.awaits(s, "the deletion", func() bool {
		return s.Calls("deleteMessage") == 1 && !slices.ContainsFunc(s.Sent(lobby), func(m discord.Message) bool { return m.Text == "…" })
	})
	if s.Resumes() != 1 || s.Identifies() != 1 {
		t.Errorf("resumed %d times, began %d times", s.Resumes(), s.Identifies())
	}
	clean(t, s, s.Refusals())
}
