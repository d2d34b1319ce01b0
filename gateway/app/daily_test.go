package app_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/chat"
	"talaria/scheduler"
	"talaria/scheduler/when"
)

func TestABriefingIsSetUpByButtonsOnEveryPlatform(t *testing.T) {
	p := newProgram(t, privates, "TALARIA_SCHEDULER_ZONE=Europe/Berlin")
	p.day(t, "a day", 0, func(l *loop) {
		l.asks("hello", ".")
		l.orders("brief", "step 1 of 3")
		l.presses("Daily briefing", "8:00", "08:00.*Step 2 of 3")
		l.presses("Daily briefing", "Here", "Step 3 of 3")
		l.press(l.hears("Step 3 of 3"), "✓ Pages")
		l.presses("Daily briefing", "Done", "daily briefing.*08:00.*Europe/Berlin.*Next: .*08:00, .*08:00, .*08:00.*schedules of the next day")
		l.orders("brief show", "daily briefing.*comes")
		l.orders("jobs add in 90 minutes remind me to water 3 red plants", "Job ")
		l.orders("brief now", "being gathered")
		l.hears("Coming up.*water 3 red plants")
		l.asks("save it to list.txt", "list.txt")
		l.asks("read list.txt", "Coming up.*water 3 red plants")
		l.orders("brief pause", "paused")
		l.orders("brief show", "It is paused")
		l.orders("brief resume", "on again")
		l.orders("brief at every weekday at 7:30", "07:30")
		l.orders("brief off", "not come any more")
		l.orders("brief show", "no briefing")
	})
}

func TestABriefingOfAPlaceTellsOfThatPlaceOnEveryPlatform(t *testing.T) {
	for name, open := range stages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTroupe(t, open(t))
			w.speak(cy, "remember that the launch is on May 4")
			w.hears(0, "May 4")
			w.command(cy, "brief")
			card := w.hears(0, "step 1 of 3")
			w.press(ben, card, "9:00")
			w.hears(0, "for whoever asked")
			w.press(cy, card, "9:00")
			card = w.becomes(card, "Step 2 of 3")
			w.press(cy, card, "Here")
			card = w.becomes(card, "Step 3 of 3")
			w.press(cy, card, "Done")
			w.becomes(card, "briefing of this place.*09:00")
			w.command(ben, "brief now")
			w.hears(0, "set up no briefing")
			w.command(cy, "brief now")
			news := "(?s)In channels.*launch is on May 4"
			if name == "telegram" {
				news = "(?s)In channels.*does not let bots read"
			}
			w.hears(0, news)
			for _, b := range w.breaches() {
				t.Error(b)
			}
		})
	}
}

func TestTheBriefingOfAPlaceThatIsLostComesToItsOwnerAndSaysSo(t *testing.T) {
	b := newBot(t)
	s := b.telegram
	s.Group(group, admin, stranger)
	b.start()
	s.Say(stranger, stranger, "hello")
	hears(t, s, stranger, ".")
	s.Say(admin, group, "/settings here on")
	hears(t, s, group, "full members")
	s.Say(stranger, group, "/brief")
	hears(t, s, group, "step 1 of 3")
	for _, label := range []string{"8:00", "Here", "Done"} {
		pressed(t, s, stranger, group, label)
	}
	hears(t, s, group, "briefing of this place")
	s.Say(stranger, group, "/jobs")
	id := regexp.MustCompile(`([a-z2-7]{5,}) `).FindStringSubmatch(hears(t, s, group, "(?s)[a-z2-7]{5,} .*Daily briefing: word"))[1]
	s.Restrict(group, stranger, "left")
	s.Say(stranger, stranger, "/jobs run "+id)
	hears(t, s, stranger, "(?s)no longer a member.*can tell nothing")
}

// pressed waits for a button in a chat and presses it.
func pressed(t *testing.T, s *fake.Server, who, chat int64, label string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	err := s.Await(ctx, func() bool {
		for _, m := range s.Sent(chat) {
			for _, row := range m.Buttons {
				for _, b := range row {
					if b.Text == label {
						go s.Press(who, chat, m.ID, b.Data)
						return true
					}
				}
			}
		}
		return false
	})
	if err != nil {
		t.Fatalf("there is no button %q in chat %d; said: %v", label, chat, said(s, chat))
	}
}

func TestAMissedBriefingComesOnceAndLate(t *testing.T) {
	b := newBot(t)
	b.start()
	b.telegram.Say(admin, admin, "hello")
	hears(t, b.telegram, admin, ".")
	b.telegram.Say(admin, admin, "/jobs add in 90 minutes remind me to water plants")
	hears(t, b.telegram, admin, jobID.String())
	b.stop()
	b.ago(5*time.Hour, "1", dm("1"), true, func(ctx context.Context, h scheduler.Handle) {
		each := when.Schedule{Kind: when.Recurring, Zone: "UTC", EverySeconds: 3600, From: time.Now().Add(-5*time.Hour - time.Minute)}
		_, err := h.Add(ctx, scheduler.Order{
			Key: "k", Prompt: "Daily briefing", Origin: chat.Self, Schedule: each, Data: []byte(`{"brief":{"sections":["schedules"]}}`),
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	b.start()
	text := hears(t, b.telegram, admin, "(?s)Coming up.*water plants")
	if !strings.Contains(text, "late") {
		t.Errorf("said %q, and not that it is late", text)
	}
	b.telegram.Say(admin, admin, "what is 20+3")
	hears(t, b.telegram, admin, "23")
	if n := strings.Count(strings.Join(said(b.telegram, admin), "\n"), "Coming up"); n != 1 {
		t.Errorf("the missed briefings came %d times", n)
	}
}

func TestAReminderIsAboutTheMessageThatWasRepliedTo(t *testing.T) {
	b := newBot(t)
	b.start()
	s := b.telegram
	s.Say(admin, admin, "what is 20+3")
	hears(t, s, admin, "23")
	var about int64
	for _, m := range s.Sent(admin) {
		if strings.Contains(m.Text, "23") {
			about = m.ID
		}
	}
	s.Speak(fake.Speech{User: admin, Chat: admin, Text: "remind me about this tomorrow", ReplyTo: about})
	made := hears(t, s, admin, "(?s)Job .*09:00")
	s.Say(admin, admin, "/jobs run "+jobID.FindStringSubmatch(made)[1])
	hears(t, s, admin, "(?s)^Reminder: this.*23")
}
