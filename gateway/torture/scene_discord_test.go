package torture

import (
	"context"
	"testing"
	"time"

	"talaria/adapters/fake/discord"
)

// discordStage implements scene.
type discordStage struct{ *discord.Server }

const (
	discordGuild   = "9001"
	discordChannel = "9002"
	discordThread  = "9003"
	discordHers    = "9011"
	discordHis     = "9012"
)

var discordPeople = []string{ada: "1", ben: "2"}

func discordScene(t *testing.T) scene {
	s, err := discord.Start(discord.Options{NoRates: true, Heartbeat: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	s.Guild(discordGuild, discordPeople...)
	s.Channel(discordGuild, discordChannel)
	s.Thread(discordChannel, discordThread, discordPeople[ben])
	s.Direct(discordHers, discordPeople[ada])
	s.Direct(discordHis, discordPeople[ben])
	return discordStage{s}
}

func (s discordStage) env() []string {
	return []string{
		"TALARIA_ADAPTERS_DISCORD_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_DISCORD_API_URL=" + s.URL(), "TALARIA_ADAPTERS_DISCORD_PEOPLE=*",
		"TALARIA_ADAPTERS_DISCORD_SPACES=discord:" + discordGuild + ":" + discordChannel,
		"TALARIA_PEOPLE_ADMINS=discord:" + discordGuild + ":" + discordPeople[ada],
	}
}

func (s discordStage) began() int { return s.Identifies() + s.Resumes() }

// place is a channel and what a text begins with there.
func (discordStage) place(at spot) (id, prefix string) {
	const mention = "<@" + discord.BotID + "> "
	switch at {
	case hers:
		return discordHers, ""
	case his:
		return discordHis, ""
	case thread:
		return discordThread, mention
	}
	return discordChannel, mention
}

func (s discordStage) say(who int, at spot, text string) string {
	id, prefix := s.place(at)
	return s.Say(discordPeople[who], id, prefix+text)
}

func (s discordStage) rewrite(at spot, id, text string) {
	place, prefix := s.place(at)
	s.Rewrite(place, id, prefix+text)
}

func (s discordStage) give(who int, at spot, name, content, text string) {
	id, prefix := s.place(at)
	s.Speak(discord.Speech{User: discordPeople[who], Channel: id, Text: prefix + text, File: &discord.File{Name: name, Data: []byte(content)}})
}

func (s discordStage) command(who int, at spot, line string) { s.say(who, at, "/"+line) }

// offered is asked for in a native command, which is then given.
func (s discordStage) offered(t *testing.T) (shown []string) {
	token := s.Type(discordPeople[ada], discordHers, "help", "", "command", "mem")
	if err := s.Await(t.Context(), func() (ok bool) { shown, ok = s.Completions(token); return ok }); err != nil {
		t.Fatal(err)
	}
	return shown
}

func (s discordStage) press(who int, at spot, l line, label string) {
	id, _ := s.place(at)
	s.Press(discordPeople[who], id, l.id, l.buttons[label])
}

func (s discordStage) fill(t *testing.T, who int, at spot, l line, text string) []string {
	s.press(who, at, l, "Edit")
	if err := s.Await(t.Context(), func() bool { return len(s.Forms()) > 0 }); err != nil {
		t.Fatal(err)
	}
	s.Submit(s.Forms()[0], map[string]string{"text": text})
	return []string{"Out of date"}
}

func (s discordStage) like(who int, at spot, l line) {
	id, _ := s.place(at)
	s.Dispatch("MESSAGE_REACTION_ADD", map[string]any{
		"user_id": discordPeople[who], "channel_id": id, "message_id": l.id, "emoji": map[string]any{"id": nil, "name": "👍"},
	})
}

func (s discordStage) refuse() {
	s.Break(discord.Fault{Op: "createMessage", Status: 429, RetryAfter: time.Second})
}

func (s discordStage) cut() { s.Drop() }

func (s discordStage) taken(id string) bool { return s.Acknowledged(id) }

func (s discordStage) posted(at spot) (all []line) {
	id, _ := s.place(at)
	for _, m := range s.Sent(id) {
		l := line{id: m.ID, to: m.ReplyTo, text: m.Text, buttons: map[string]string{}}
		if m.File != nil {
			l.files = []string{string(m.File.Data)}
		}
		for _, b := range m.Buttons {
			l.buttons[b.Label] = b.CustomID
		}
		all = append(all, l)
	}
	return all
}

func (s discordStage) await(ctx context.Context, c func() bool) error { return s.Await(ctx, c) }
func (s discordStage) breaches() []string                             { return s.Breaches() }
func (s discordStage) close()                                         { s.Close() }
