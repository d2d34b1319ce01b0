package app_test

import (
	"fmt"
	"strings"
	"testing"

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

func TestASessionGoesOnAfterItsGroupBecameASupergroup(t *testing.T) {
	const old, fresh = -71, -1000071
	s := onTelegram(t).(telegramStage)
	s.Group(old, 1)
	s.Group(fresh, 1)
	w := newTroupe(t, s)
	said := func(chat int64, what string) {
		t.Helper()
		err := s.Await(t.Context(), func() bool {
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
	for _, b := range w.breaches() {
		t.Error(b)
	}
}
