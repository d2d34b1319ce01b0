package app_test

import (
	"strings"
	"testing"

	fake "talaria/adapters/fake/telegram"
)

// TestAMemberOfAGroupIsLearnedFrom: somebody without a role of their own, who
// may talk because the group was let in, gets a draft of what they did, told of
// by its card alone, and calls it as Telegram lets them.
func TestAMemberOfAGroupIsLearnedFrom(t *testing.T) {
	t.Parallel()
	s := serve(t, "TALARIA_LEARNING_REFLECTION_QUIET=1s")
	s.Group(group, admin, stranger)
	s.Say(admin, group, "/settings here on")
	hears(t, s, group, "full members")
	s.Say(stranger, group, "@"+fake.BotName+` write "we sail at noon" to plan.txt, then read plan.txt`)
	hears(t, s, group, "we sail at noon")
	s.Say(stranger, group, "@"+fake.BotName+" remember how this is done")
	hears(t, s, group, "New skill: .{0,4}write-text-read")
	pressed(t, s, admin, group, "Approve")
	hears(t, s, group, "Approved by")
	s.Say(admin, group, "/usage")
	hears(t, s, group, `Learning may use 300000 tokens a day here, of which \d+ are left`)
	s.Say(stranger, group, `/write_text_read@`+fake.BotName+` "ahoy" to notes.txt`)
	hears(t, s, group, "(?s)I followed the skill .{0,4}write-text-read.*ahoy")
	s.Say(admin, group, "/settings learning off")
	hears(t, s, group, "I learn nothing more from")
	s.Say(stranger, group, "@"+fake.BotName+" what is 20+3")
	hears(t, s, group, "23")
	s.Say(stranger, group, "/reflect@"+fake.BotName)
	hears(t, s, group, "Learning is switched off here")
	s.Say(admin, group, "/settings learning on")
	hears(t, s, group, "I learn from .+ again")
	s.Say(admin, admin, "/settings learning off")
	hears(t, s, admin, "I learn nothing more from")
	s.Say(admin, admin, "/settings")
	hears(t, s, admin, "I learn nothing from")
	for _, text := range append(said(s, group), said(s, stranger)...) {
		if strings.Contains(text, "I learned") {
			t.Errorf("beside the card there was a notice: %q", text)
		}
	}
}
