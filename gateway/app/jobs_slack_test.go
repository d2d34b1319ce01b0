package app_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"talaria/adapters/fake/slack"
	"talaria/gateway/app"
	"talaria/gateway/config"
)

func TestAThreadUnderAReminderInSlackIsAboutIt(t *testing.T) {
	const ada, bob, general = "UADA", "UBOB", "CGENERAL"
	s, err := slack.Start(slack.Options{NoLimits: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.People(slack.Person{ID: ada, Name: "ada"}, slack.Person{ID: bob, Name: "bob"})
	s.Channel(general, ada, bob)
	cfg, _, err := config.Load("", []string{
		"TALARIA_ADAPTERS_SLACK_BOT_TOKEN=" + s.BotToken(), "TALARIA_ADAPTERS_SLACK_APP_TOKEN=" + s.AppToken(),
		"TALARIA_ADAPTERS_SLACK_API_URL=" + s.URL(), "TALARIA_ADAPTERS_SLACK_PEOPLE=*", "TALARIA_WEB_LISTEN=off",
		"TALARIA_STORAGE_URL=sqlite:" + filepath.Join(t.TempDir(), "t.db"),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	over, ready := make(chan error, 1), make(chan struct{})
	go func() {
		over <- app.Serve(ctx, app.Options{Config: cfg, Log: slog.New(slog.DiscardHandler), Ready: func() { close(ready) }})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-over; err != nil {
			t.Errorf("the program ended with %v", err)
		}
	})
	<-ready
	heard := func(pattern string) slack.Message {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		fits := regexp.MustCompile(pattern)
		var found slack.Message
		err := s.Await(ctx, func() bool {
			for _, m := range s.Sent(general) {
				if fits.MatchString(m.Text) {
					found = m
				}
			}
			return found.TS != ""
		})
		if err != nil {
			t.Fatalf("nothing like %q was said: %v", pattern, s.Sent(general))
		}
		return found
	}
	s.Slash(ada, general, "jobs add every weekday at 9:00 remind us to bring 3 red apples")
	id := regexp.MustCompile("Job `([a-z2-7]+)`").FindStringSubmatch(heard("Job `").Text)[1]
	s.Slash(ada, general, "jobs run "+id)
	said := heard("^Reminder: bring 3 red apples$")
	if said.Thread != "" {
		t.Errorf("a reminder for the channel was said in thread %s", said.Thread)
	}
	s.Speak(slack.Speech{User: bob, Channel: general, Thread: said.TS, Text: "save it to list.txt"})
	s.Speak(slack.Speech{User: bob, Channel: general, Thread: said.TS, Text: "read list.txt"})
	if reply := heard("(?s)list.txt.*Reminder: bring 3 red apples"); reply.Thread != said.TS {
		t.Errorf("answered in thread %q, not under the reminder", reply.Thread)
	}
	for _, b := range s.Breaches() {
		t.Error(b)
	}
}
