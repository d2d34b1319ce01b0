package discord_test

import (
	"slices"
	"testing"

	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"
)

func TestAChannelHasItsName(t *testing.T) {
	r := newRig(t, simulator.Options{})
	for range 2 { // asked for, and as the platform told
		at := chat.Address{Platform: "discord", Workspace: guild, Chat: lobby}
		if got, err := r.Adapter.Names(r.Ctx, at); err != nil || !slices.Equal(got, []string{"channel-" + lobby}) {
			t.Errorf("%q, %v", got, err)
		}
		r.run()
		r.listening()
	}
}
