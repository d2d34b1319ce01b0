package discord_test

import (
	"testing"

	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"
)

func TestWhoDoesNotSeeAChannelIsNoMemberOfIt(t *testing.T) {
	r := newRig(t, simulator.Options{})
	const hidden, thread, insider, outsider, owner = "1180000000000000001", "1180000000000000002", "1190000000000000001", "1190000000000000002", "1190000000000000003"
	r.Server.Guild(guild, insider, outsider, owner)
	r.Server.Own(guild, owner)
	r.Server.Channel(guild, hidden)
	r.Server.Private(hidden, insider)
	r.Server.PrivateThread(lobby, thread, insider)
	for _, c := range []struct {
		channel, who string
		want         bool
	}{
		{hidden, insider, true}, {hidden, owner, true}, {hidden, outsider, false}, {lobby, outsider, true}, {lobby, "1190000000000000009", false},
		{thread, insider, true}, {thread, outsider, false},
	} {
		at := chat.Address{Platform: "discord", Workspace: guild, Chat: c.channel}
		if got, err := r.Adapter.Member(r.Ctx, at, chat.Identity{Platform: "discord", ID: c.who}); got != c.want || err != nil {
			t.Errorf("%s in %s: %v, %v", c.who, c.channel, got, err)
		}
	}
	at := chat.Address{Platform: "discord", Workspace: guild, Chat: "1180000000000000009"}
	if in, err := r.Adapter.Member(r.Ctx, at, chat.Identity{Platform: "discord", ID: outsider}); in || chat.KindOf(err) != chat.Gone {
		t.Errorf("in no channel: %v, %v", in, err)
	}
}
