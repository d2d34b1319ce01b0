package app_test

import (
	"testing"

	fake "talaria/adapters/fake/telegram"
)

// TestAMemberOfAGroupIsLearnedFrom: somebody without a role of their own, who
// may talk because the group was let in, gets a draft of what they did.
func TestAMemberOfAGroupIsLearnedFrom(t *testing.T) {
	t.Parallel()
	s := serve(t, "TALARIA_LEARNING_REFLECTION_QUIET=1s")
	s.Group(group, admin, stranger)
	s.Say(admin, group, "/settings here on")
	hears(t, s, group, "full members")
	s.Say(stranger, group, "@"+fake.BotName+` write "we sail at noon" to plan.txt, then read plan.txt`)
	hears(t, s, group, "we sail at noon")
	s.Say(stranger, group, "@"+fake.BotName+" remember how this is done")
	hears(t, s, group, "New skill: ")
}
