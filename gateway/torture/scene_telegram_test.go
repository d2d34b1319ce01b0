package torture

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
)

// telegramStage implements scene. What is edited in is sent as a reply: there
// are no forms.
type telegramStage struct{ *fake.Server }

const (
	telegramGroup = -1001000000009
	telegramTopic = 44
)

func telegramScene(t *testing.T) scene {
	s, err := fake.Start(fake.Options{NoFlood: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Group(telegramGroup, telegramPerson(ada), telegramPerson(ben))
	s.Topic(telegramGroup, telegramTopic)
	return telegramStage{s}
}

func telegramPerson(who int) int64 { return int64(who) + 1 }

func (s telegramStage) env() []string {
	return []string{
		"TALARIA_ADAPTERS_TELEGRAM_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_TELEGRAM_API_URL=" + s.URL(), "TALARIA_ADAPTERS_TELEGRAM_PEOPLE=*",
		fmt.Sprintf("TALARIA_ADAPTERS_TELEGRAM_SPACES=telegram:%d", telegramGroup), "TALARIA_PEOPLE_ADMINS=telegram:1",
	}
}

func (s telegramStage) began() int { return int(s.Calls("getUpdates")) }

// speech is what is said at a place.
func (telegramStage) speech(who int, at spot, text string) fake.Speech {
	s := fake.Speech{User: telegramPerson(who), Chat: telegramPerson(ada), Text: text}
	switch at {
	case his:
		s.Chat = telegramPerson(ben)
	case channel, thread:
		s.Chat, s.Text = telegramGroup, "@"+fake.BotName+" "+text
	}
	if at == thread {
		s.Thread = telegramTopic
	}
	return s
}

func (s telegramStage) say(who int, at spot, text string) string {
	return fmt.Sprint(s.Speak(s.speech(who, at, text)).Message)
}

func (s telegramStage) rewrite(at spot, id, text string) {
	sp := s.speech(ada, at, text)
	s.Rewrite(sp.Chat, number(id), sp.Text)
}

func number(id string) int64 {
	n, _ := strconv.ParseInt(id, 10, 64) // ids are the simulator's own
	return n
}

func (s telegramStage) give(who int, at spot, name, content, text string) {
	sp := s.speech(who, at, text)
	sp.File = &fake.File{Name: name, Data: []byte(content)}
	s.Speak(sp)
}

func (s telegramStage) command(who int, at spot, line string) {
	sp := s.speech(who, at, "")
	sp.Text = "/" + line
	s.Speak(sp)
}

func (telegramStage) offered(*testing.T) []string { return nil }

func (s telegramStage) press(who int, at spot, l line, label string) {
	s.Press(telegramPerson(who), s.speech(who, at, "").Chat, number(l.id), l.buttons[label])
}

func (s telegramStage) fill(t *testing.T, who int, at spot, l line, text string) []string {
	s.press(who, at, l, "Edit")
	var asked line
	err := s.Await(t.Context(), func() bool {
		for _, l := range s.posted(at) {
			if strings.Contains(l.text, "Reply to this message") {
				asked = l
			}
		}
		return asked.id != ""
	})
	if err != nil {
		t.Fatal(err)
	}
	sp := s.speech(who, at, "")
	sp.Text, sp.ReplyTo = text, number(asked.id)
	s.Speak(sp)
	return []string{"New skill", "Reply to this message"}
}

func (s telegramStage) like(who int, at spot, l line) {
	id := s.speech(who, at, "").Chat
	s.Inject("message_reaction", map[string]any{
		"chat": map[string]any{"id": id, "type": "private"}, "message_id": number(l.id),
		"user": map[string]any{"id": telegramPerson(who), "first_name": "Ada"}, "date": time.Now().Unix(), "old_reaction": []any{},
		"new_reaction": []any{map[string]any{"type": "emoji", "emoji": "👍"}},
	})
}

func (s telegramStage) refuse() {
	s.Break(fake.Fault{Method: "sendMessage", Code: 429, Description: "Too Many Requests: retry after 1", RetryAfter: 1})
}

func (s telegramStage) cut() { s.Break(fake.Fault{Method: "getUpdates", Cut: fake.CutAfter}) }

func (s telegramStage) taken(id string) bool {
	for _, u := range s.Updates() {
		if u.Message == number(id) && u.Confirmed.IsZero() {
			return false
		}
	}
	return true
}

func (s telegramStage) posted(at spot) (all []line) {
	sp := s.speech(ada, at, "")
	for _, m := range s.Sent(sp.Chat) {
		if m.Thread != sp.Thread || m.Text == "…" {
			continue
		}
		l := line{id: fmt.Sprint(m.ID), to: fmt.Sprint(m.ReplyTo), text: m.Text, buttons: map[string]string{}}
		if m.File != nil {
			l.files = []string{string(m.File.Data)}
		}
		for _, row := range m.Buttons {
			for _, b := range row {
				l.buttons[b.Text] = b.Data
			}
		}
		all = append(all, l)
	}
	return all
}

func (s telegramStage) await(ctx context.Context, c func() bool) error { return s.Await(ctx, c) }
func (s telegramStage) breaches() []string                             { return s.Breaches() }
func (s telegramStage) close()                                         { s.Close() }
