package scheduler_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/scheduler"
)

func TestWhatAJobWorksWithIsSaidInTheRequest(t *testing.T) {
	w := memory(t)
	d, err := w.replica("a").Desk(t.Context(), somebody("ann"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		request, prompt string
		use             scheduler.Use
	}{
		{"every Friday at 16:00 sum the week up with the skill weekly", "sum the week up", scheduler.Use{Skills: []string{"weekly"}}},
		{"every Friday at 16:00, using the weekly skill, sum the week up", "sum the week up", scheduler.Use{Skills: []string{"weekly"}}},
		{"every day at 8 look what broke with the model careful, with at most 20,000 tokens a run", "look what broke",
			scheduler.Use{Model: "careful", Tokens: 20000}},
		{"every day at 8 tell the time with only the tool `time`", "tell the time", scheduler.Use{Tools: []string{"time"}}},
		{"every day at 8 do both with the skills weekly and `weekly`, with at most 3000 tokens", "do both",
			scheduler.Use{Skills: []string{"weekly", "weekly"}, Tokens: 3000}},
		{"every Monday at 8 plan with the skill weekly, with the careful model", "plan", scheduler.Use{Skills: []string{"weekly"}, Model: "careful"}},
		{"每周五下午四点用技能weekly总结这一周，最多20000个token", "总结这一周", scheduler.Use{Skills: []string{"weekly"}, Tokens: 20000}},
		{"每天早上八点用careful模型检查一下", "检查一下", scheduler.Use{Model: "careful"}},
		{"every day at 8 describe a walk with the skill of a poet", "describe a walk with the skill of a poet", scheduler.Use{}},
		{"every day at 8 remind me to work with the skill weekly", "", scheduler.Use{}},
	}
	for _, tt := range tests {
		text, err := d.Create(t.Context(), tt.request, "", tt.request, false, chat.Member)
		if err != nil {
			t.Errorf("%q: %v", tt.request, err)
			continue
		}
		list, err := d.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range list {
			if j.Key != tt.request {
				continue
			}
			if diff := cmp.Diff(tt.use, j.Rules.Use); diff != "" || j.Prompt != tt.prompt {
				t.Errorf("%q is to do %q %s", tt.request, j.Prompt, diff)
			}
			if tt.use.Model != "" && (!strings.Contains(text, "careful") || !strings.Contains(j.Story(scheduler.English), "model: careful")) {
				t.Errorf("%q is read back as %q, and shown as %q", tt.request, text, j.Story(scheduler.English))
			}
		}
	}
	for _, request := range []string{"every day at 8 do it with the skill `none`", "every day at 7 do it with the skill nosuch", "每天早上八点总结这一周，用技能nosuch，",
		"every day at 7, with the model nosuch, do it", "every day at 7 with the model no-such do it", "every day at 7 using the skill weekly-none do it", "every day at 8 do it with at most 5 tokens"} {
		if text, err := d.Create(t.Context(), request, "", request, false, chat.Member); scheduler.Refusal(scheduler.English, err) == "" {
			t.Errorf("%q came to %q, %v", request, text, err)
		}
	}
}

func TestABriefingIsNoJobOfThoseWords(t *testing.T) {
	w := memory(t)
	d, err := w.replica("a").Desk(t.Context(), somebody("ann"))
	if err != nil {
		t.Fatal(err)
	}
	for request, refused := range map[string]bool{
		"every day at 8 give me a briefing": true, "give me my daily briefing every morning at 8": true, "每天早上八点给我简报": true,
		"brief me every weekday at 8": true, "每个工作日早上8点发一份每日简报给我": true,
		"every day at 8 give me a briefing on the harvest": false, "每天早上八点给我天气简报": false, "every day at 8 remind me of the briefing": false,
	} {
		_, err := d.Create(t.Context(), request, "", request, false, chat.Member)
		if errors.Is(err, scheduler.ErrBriefing) != refused || !refused && err != nil {
			t.Errorf("%q came to %v", request, err)
		}
	}
}

func TestWhatAJobWorksWithIsCheckedWhenItIsSetAndAtEachRun(t *testing.T) {
	w := memory(t)
	s := w.replica("a")
	d, err := s.Desk(t.Context(), somebody("ann"))
	if err != nil {
		t.Fatal(err)
	}
	work := w.add(s, somebody("ann"), scheduler.Order{Prompt: "look", Schedule: cron("UTC", "0 9 * * *")})
	words := w.add(s, somebody("ann"), scheduler.Order{Say: "drink", Schedule: cron("UTC", "0 9 * * *")})
	for _, bad := range [][2]string{{"skills", "none-such"}, {"model", "none-such"}, {"tools", "time, none-such"}, {"tokens", "many"}, {"tokens", "3"}} {
		if _, err := d.Set(t.Context(), work.ID, bad[0], bad[1]); scheduler.Refusal(scheduler.English, err) == "" {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if _, err := d.Set(t.Context(), words.ID, "model", "careful"); scheduler.Refusal(scheduler.English, err) == "" {
		t.Errorf("a reminder took a model: %v", err)
	}
	for _, good := range [][2]string{{"skills", "`weekly`"}, {"model", "careful"}, {"tools", "time"}, {"tokens", "20_000"}} {
		if _, err := d.Set(t.Context(), work.ID, good[0], good[1]); err != nil {
			t.Errorf("%v: %v", good, err)
		}
	}
	w.gone["weekly"] = true
	if _, err := d.RunNow(t.Context(), work.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Round(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(w.events()) != 1 {
		t.Fatalf("%d events", len(w.events()))
	}
	ticket, _ := scheduler.TicketOf(w.events()[0])
	want := scheduler.Use{Skills: []string{"weekly"}, Model: "careful", Tools: []string{"time"}, Tokens: 20000}
	if diff := cmp.Diff(want, ticket.Use); diff != "" || ticket.Note != "There is no `weekly`." {
		t.Errorf("the run has the note %q and %s", ticket.Note, diff)
	}
}
