package app_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/gateway/app"
	"talaria/gateway/config"
)

// admin and stranger are two people.
const (
	admin    = 1
	stranger = 2
	group    = -100500
)

// serve runs the program with the embedded store and the rehearsal model
// against a simulated Telegram.
func serve(t *testing.T, environ ...string) *fake.Server {
	t.Helper()
	s := fake.New(t, fake.Options{NoFlood: true})
	cfg, _, err := config.Load("", append([]string{
		"TALARIA_ADAPTERS_TELEGRAM_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_TELEGRAM_API_URL=" + s.URL(),
		"TALARIA_PEOPLE_ADMINS=telegram:1", "TALARIA_WEB_LISTEN=off",
		"TALARIA_STORAGE_URL=sqlite:" + filepath.Join(t.TempDir(), "t.db"),
	}, environ...))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { over <- live(ctx, app.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)}) }()
	t.Cleanup(func() {
		stop()
		if err := <-over; err != nil {
			t.Errorf("the program ended with %v", err)
		}
	})
	return s
}

// hears waits until the bot has said something that fits in a chat.
func hears(t *testing.T, s *fake.Server, chat int64, pattern string) string {
	t.Helper()
	fits := regexp.MustCompile(pattern)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var found string
	err := s.Await(ctx, func() bool {
		for _, m := range s.Sent(chat) {
			if fits.MatchString(m.Text) {
				found = m.Text
			}
		}
		return found != ""
	})
	if err != nil {
		t.Fatalf("nothing like %q was said in chat %d; said: %v", pattern, chat, said(s, chat))
	}
	return found
}

func said(s *fake.Server, chat int64) (texts []string) {
	for _, m := range s.Sent(chat) {
		texts = append(texts, m.Text)
	}
	return texts
}

func TestAStrangerIsLetInByAnAdmin(t *testing.T) {
	s := serve(t)
	s.Say(stranger, stranger, "hello")
	code := regexp.MustCompile(`/pair (\S+)`).FindStringSubmatch(hears(t, s, stranger, `/pair \S+`))[1]
	s.Say(admin, admin, "/pair "+code)
	hears(t, s, admin, "may talk to me now")
	hears(t, s, stranger, "You are let in")
	s.Say(stranger, stranger, "remember that the launch is on May 4")
	hears(t, s, stranger, "May 4")
}

func TestAGroupIsLetInByAnAdmin(t *testing.T) {
	s := serve(t)
	s.Group(group, admin, stranger)
	s.Say(stranger, group, "@"+fake.BotName+" what is 2+2")
	s.Say(admin, group, "/settings here on")
	hears(t, s, group, "full members")
	s.Say(stranger, group, "nobody asked you")
	s.Say(stranger, group, "@"+fake.BotName+" what is 20+3")
	hears(t, s, group, "23")
	for _, text := range said(s, group) {
		if strings.Contains(text, "= 4") || strings.Contains(text, "could not work out") {
			t.Errorf("said %q: the first question came before the group was let in, and names are no requests", text)
		}
	}
}

func TestNobodysMemoryIsAnothers(t *testing.T) {
	s := serve(t, "TALARIA_ADAPTERS_TELEGRAM_PEOPLE=*")
	s.Say(admin, admin, "remember that the launch code is heron")
	hears(t, s, admin, "heron")
	s.Say(stranger, stranger, "what do you know about me?")
	hears(t, s, stranger, ".{10,}")
	s.Say(stranger, stranger, "what did we say about the launch code?")
	s.Say(stranger, stranger, "/search heron")
	hears(t, s, stranger, "Nothing was found")
	for _, text := range said(s, stranger) {
		if strings.Contains(text, "is heron") {
			t.Errorf("another person's memory was said: %q", text)
		}
	}
}
