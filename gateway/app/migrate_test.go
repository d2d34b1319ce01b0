package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
)

// core.telegram.org/bots/api#message: both halves of a migration are told, in
// the old chat (migrate_to_chat_id) and in the new (migrate_from_chat_id).
// answers are what the bot said in a chat, placeholders left out.
func (s telegramStage) answers(chat int64) (all []string) {
	for _, m := range s.Sent(chat) {
		if m.Text != "…" {
			all = append(all, m.Text)
		}
	}
	return all
}

func TestWhatBelongsToAGroupFollowsItWhenItBecomesASupergroup(t *testing.T) {
	const old, fresh = -71, -1000071
	s := onTelegram(t).(telegramStage)
	s.Group(old, 1, 2)
	s.Group(fresh, 1, 2)
	w := newTroupe(t, s)
	said := func(chat int64, what string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := s.Await(ctx, func() bool {
			for _, m := range s.Sent(chat) {
				if strings.Contains(m.Text, what) {
					return true
				}
			}
			return false
		})
		if err != nil {
			t.Fatalf("%q was not said: %+v", what, s.Sent(chat))
		}
	}
	s.Say(1, old, "/settings here on")
	said(old, "may talk to me now")
	s.Say(1, old, fmt.Sprintf("@%s remember that the safe is green", fake.BotName))
	said(old, "safe is green")
	s.Say(1, old, "/status")
	said(old, "Exchanges in this conversation: 1.")

	for _, order := range [][2]string{{"/memory@%s add the door is red", "Noted"}, {"/settings@%s learning off", "learn nothing more"}} {
		s.Say(1, old, fmt.Sprintf(order[0], fake.BotName))
		said(old, order[1])
	}
	s.Say(1, old, fmt.Sprintf("/skills@%s import\n%s", fake.BotName, tea("one.txt")))
	said(old, "New skill")
	s.Say(1, old, fmt.Sprintf("/skills@%s approve teatime", fake.BotName))
	said(old, "Approved by")

	s.Migrate(old, fresh)
	// The new chat may be asked before the move is carried out, so it is asked
	// until the answer is that of the old one.
	for asked := 1; ; asked++ {
		s.Say(1, fresh, "/status")
		err := s.Await(t.Context(), func() bool { return len(s.answers(fresh)) == asked })
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(s.answers(fresh)[asked-1], "Exchanges in this conversation: 1.") {
			break
		}
	}
	for _, question := range [][2]string{
		{"/memory@%s", "door is red"}, {"/skills@%s show teatime", "active, revision 1"}, {"/settings@%s", "learn nothing"}, {"/search@%s safe", "the safe is green"},
	} {
		s.Say(1, fresh, fmt.Sprintf(question[0], fake.BotName))
		said(fresh, question[1])
	}
	for _, b := range w.breaches() {
		t.Error(b)
	}
}
