package torture

import (
	"context"
	"slices"
	"testing"
	"time"

	"talaria/adapters/fake/slack"
)

// slackStage implements scene.
type slackStage struct {
	*slack.Server
	root string // of the thread
}

const slackChannel = "CGENERAL"

var slackPeople = []string{ada: "UADA", ben: "UBEN"}

func slackScene(t *testing.T) scene {
	return newSlackStage(t, slack.Options{NoLimits: true, Minute: 300 * time.Millisecond, Tries: -1, AckTime: time.Second, Ordered: true})
}

func newSlackStage(t *testing.T, o slack.Options) slackStage {
	s, err := slack.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	s.People(slack.Person{ID: slackPeople[ada], Name: "Ada"}, slack.Person{ID: slackPeople[ben], Name: "Ben"})
	s.Channel(slackChannel, slackPeople...)
	return slackStage{s, s.Past(slack.Speech{User: slackPeople[ben], Channel: slackChannel, Text: "shall we meet?"})}
}

func (s slackStage) env() []string {
	return []string{
		"TALARIA_ADAPTERS_SLACK_BOT_TOKEN=" + s.BotToken(), "TALARIA_ADAPTERS_SLACK_APP_TOKEN=" + s.AppToken(),
		"TALARIA_ADAPTERS_SLACK_API_URL=" + s.URL(), "TALARIA_ADAPTERS_SLACK_PEOPLE=*",
		"TALARIA_ADAPTERS_SLACK_SPACES=slack:" + slack.Team + ":" + slackChannel,
		"TALARIA_PEOPLE_ADMINS=slack:" + slack.Team + ":" + slackPeople[ada],
	}
}

func (s slackStage) began() int {
	_, opened, _ := s.Sockets()
	return opened
}

// place is a channel, its thread, and what a text begins with there.
func (s slackStage) place(at spot) (channelID, root, prefix string) {
	const mention = "<@" + slack.BotUser + "> "
	switch at {
	case hers:
		return s.Direct(slackPeople[ada]), "", ""
	case his:
		return s.Direct(slackPeople[ben]), "", ""
	case thread:
		return slackChannel, s.root, mention
	}
	return slackChannel, "", mention
}

func (s slackStage) say(who int, at spot, text string) string {
	id, root, prefix := s.place(at)
	return s.Speak(slack.Speech{User: slackPeople[who], Channel: id, Thread: root, Text: prefix + text})
}

func (s slackStage) rewrite(at spot, id, text string) {
	place, _, prefix := s.place(at)
	s.Edit(place, id, prefix+text)
}

func (s slackStage) give(who int, at spot, name, content, text string) {
	id, root, prefix := s.place(at)
	file := s.AddFile(name, "text/plain", []byte(content))
	s.Speak(slack.Speech{User: slackPeople[who], Channel: id, Thread: root, Text: prefix + text, Files: []string{file}})
}

func (s slackStage) command(who int, at spot, line string) {
	id, _, _ := s.place(at)
	s.Slash(slackPeople[who], id, line)
}

func (slackStage) offered(*testing.T) []string { return nil }

func (s slackStage) press(who int, at spot, l line, label string) {
	id, _, _ := s.place(at)
	s.Press(slackPeople[who], id, l.id, l.buttons[label])
}

func (s slackStage) fill(t *testing.T, who int, at spot, l line, text string) []string {
	s.press(who, at, l, "Edit")
	if err := s.Await(t.Context(), func() bool { return len(s.Views()) > 0 }); err != nil {
		t.Fatal(err)
	}
	s.Submit(s.Views()[0], slackPeople[who], map[string]string{"text": text})
	return []string{"Out of date"}
}

func (s slackStage) like(who int, at spot, l line) {
	id, _, _ := s.place(at)
	s.Emit(map[string]any{
		"type": "reaction_added", "user": slackPeople[who], "reaction": "+1", "item": map[string]any{"type": "message", "channel": id, "ts": l.id},
	})
}

func (s slackStage) refuse() { s.Break(slack.Fault{Method: "chat.postMessage", RetryAfter: 1}) }

func (s slackStage) cut() { s.Disconnect() }

func (s slackStage) taken(id string) bool { return s.Acknowledged(id) }

func (s slackStage) posted(at spot) (all []line) {
	id, root, _ := s.place(at)
	for _, m := range s.Sent(id) {
		if m.Streaming || at == thread && m.Thread != root || at == channel && m.Thread == s.root {
			continue
		}
		l := line{id: m.TS, to: m.Thread, text: m.Text, buttons: map[string]string{}}
		if len(m.Buttons()) > 0 {
			l.text += string(m.Blocks)
		}
		for _, f := range m.Files {
			l.files = append(l.files, string(s.Content(f)))
		}
		for _, b := range m.Buttons() {
			l.buttons[b.Label] = b.ID
		}
		all = append(all, l)
	}
	return slices.Clip(all)
}

func (s slackStage) await(ctx context.Context, c func() bool) error { return s.Await(ctx, c) }
func (s slackStage) breaches() []string                             { return s.Breaches() }
func (s slackStage) close()                                         { s.Close() }
