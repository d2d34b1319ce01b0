package scheduler_test

import (
	"strings"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/scheduler"
)

func TestSentencesBecomeJobs(t *testing.T) {
	w := memory(t)
	d, err := w.replica("a").Desk(t.Context(), somebody("ann"))
	if err != nil {
		t.Fatal(err)
	}
	d.Zone, _ = time.LoadLocation("Europe/Rome")
	tests := []struct{ sentence, cron, say, prompt string }{
		{"every Friday at 17:00 remind me to send the report", "0 17 * * 5", "Reminder: send the report", ""},
		{"remind us every weekday at 9:30 about the stand-up", "30 9 * * 1-5", "Reminder: the stand-up", ""},
		{"every day at 8 summarise what was decided", "0 8 * * *", "", "summarise what was decided"},
		{"0 9 * * 1-5 remind me to water the plants", "0 9 * * 1-5", "Reminder: water the plants", ""},
		{"0 9 L * * list what is unpaid", "0 9 L * *", "", "list what is unpaid"},
		{"每天早上9点提醒我喝水", "0 9 * * *", "提醒：喝水", ""},
	}
	for n, tt := range tests {
		text, err := d.Create(t.Context(), tt.sentence, "", tt.sentence, false, chat.Member)
		if err != nil {
			t.Errorf("%q: %v", tt.sentence, err)
			continue
		}
		list, err := d.List(t.Context())
		if err != nil || len(list) != n+1 {
			t.Fatalf("%d jobs, %v", len(list), err)
		}
		for _, j := range list {
			if j.Key == tt.sentence && (strings.Join(j.Schedule.Cron, ";") != tt.cron || j.Say != tt.say || j.Prompt != tt.prompt) {
				t.Errorf("%q became %v, %q, %q", tt.sentence, j.Schedule.Cron, j.Say, j.Prompt)
			}
		}
		if !strings.Contains(text, "Europe/Rome") || strings.Count(text, ":") < 4 {
			t.Errorf("%q is read back as %q", tt.sentence, text)
		}
	}
}

func TestARepliedMessageIsRemindedOfInThePersonsOwnWords(t *testing.T) {
	w := memory(t)
	d, err := w.replica("a").Desk(t.Context(), somebody("ann"))
	if err != nil {
		t.Fatal(err)
	}
	about := chat.Quote{User: "bob", Name: "bob", Text: "every minute remind me to pay"}
	for words, want := range map[string]string{
		"remind me about this tomorrow":          "09:00",
		"remind me about this tomorrow at 15:00": "15:00",
		"明天提醒我这件事":                               "09:00",
	} {
		text, made, err := d.Remind(t.Context(), words, words, about, "https://chat.example/1")
		if err != nil || !made || !strings.Contains(text, want) {
			t.Errorf("%q came to %q, %v, %v", words, text, made, err)
		}
	}
	if _, made, err := d.Remind(t.Context(), "k", "what is this about?", about, ""); made || err != nil {
		t.Errorf("a question made a reminder: %v, %v", made, err)
	}
	list, err := d.List(t.Context())
	if err != nil || len(list) != 3 {
		t.Fatalf("%d jobs, %v", len(list), err)
	}
	for _, j := range list {
		if j.About == nil || *j.About != about || strings.Contains(j.Say, "pay") || !strings.Contains(j.Say, "https://chat.example/1") {
			t.Errorf("made %+v", j)
		}
	}
	bob := person.Home(chat.Identity{Platform: "test", ID: "bob"})
	if err := w.replica("a").Erase(t.Context(), person.Subject{People: []person.ID{bob}}); err != nil {
		t.Fatal(err)
	}
	list, err = d.List(t.Context())
	if err != nil || len(list) != 3 {
		t.Fatalf("%d jobs after bob was forgotten, %v", len(list), err)
	}
	for _, j := range list {
		if j.About != nil {
			t.Errorf("bob is forgotten, and quoted: %+v", j.About)
		}
	}
}

func TestUnclearSentencesAreAnswered(t *testing.T) {
	w := memory(t)
	d, err := w.replica("a").Desk(t.Context(), somebody("ann"))
	if err != nil {
		t.Fatal(err)
	}
	for _, sentence := range []string{"remind me to eat", "30m", "every 2 minutes remind me to blink", "on February 30 at 9 remind me", "every day at 9"} {
		_, err := d.Create(t.Context(), sentence, "", sentence, false, chat.Member)
		if scheduler.Refusal(scheduler.English, err) == "" {
			t.Errorf("%q: %v", sentence, err)
		}
	}
	if list, _ := d.List(t.Context()); len(list) > 0 {
		t.Errorf("jobs were made: %v", list)
	}
}

func TestOneThingAboutAJobIsChanged(t *testing.T) {
	w := memory(t)
	d, err := w.replica("a").Desk(t.Context(), in(somebody("ann"), "channel"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Create(t.Context(), "k", "0 9 * * *", "drink", true, chat.Member); err != nil {
		t.Fatal(err)
	}
	list, _ := d.List(t.Context())
	id := list[0].ID
	for _, change := range [][2]string{{"when", "every weekday at 10:00"}, {"text", "drink more"}, {"to", "here dm"}, {"quiet", "22:00-07:00"}} {
		if _, err := d.Set(t.Context(), id, change[0], change[1]); err != nil {
			t.Errorf("%v: %v", change, err)
		}
	}
	j, err := d.Get(t.Context(), id)
	if err != nil || j.Schedule.Cron[0] != "0 10 * * 1-5" || j.Say != "drink more" || len(j.Targets) != 2 || j.Rules.Quiet.From != 22*60 {
		t.Errorf("job %+v, %v", j, err)
	}
	story := j.Story(scheduler.English)
	for _, part := range []string{id, "drink more", "quiet: 22:00-07:00", "your direct conversation", "runs: 0"} {
		if !strings.Contains(story, part) {
			t.Errorf("the story %q has no %q", story, part)
		}
	}
	for _, bad := range [][2]string{{"to", "the moon"}, {"when", "sometimes"}, {"text", ""}, {"overlap", "maybe"}} {
		if _, err := d.Set(t.Context(), id, bad[0], bad[1]); scheduler.Refusal(scheduler.English, err) == "" && bad[0] != "text" {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func FuzzRules(f *testing.F) {
	for _, seed := range [][2]string{{"quiet", "22:00-07:00"}, {"window", "12h"}, {"limit", "3"}, {"until", "2027-03-31"}, {"tools", "a, b"}, {"overlap", "queue"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		before := scheduler.Defaults(false)
		after := before
		if err := after.Set(name, value); err != nil {
			if scheduler.Refusal(scheduler.English, err) == "" {
				t.Errorf("%q %q: %v is no answer", name, value, err)
			}
			if after.Text(scheduler.English) != before.Text(scheduler.English) {
				t.Errorf("%q %q changed the rules and was refused", name, value)
			}
		}
		_ = after.Text(scheduler.English)
	})
}
