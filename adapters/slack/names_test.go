package slack_test

import (
	"slices"
	"testing"

	"talaria/core/chat"
)

func TestAChannelHasItsName(t *testing.T) {
	r := newRig(t, setup{})
	r.Server.Channel("COPS")
	at := chat.Address{Platform: "slack", Workspace: "T1", Chat: "COPS"}
	if got, err := r.Adapter.Names(r.Ctx, at); err != nil || !slices.Equal(got, []string{"ops"}) {
		t.Errorf("%q, %v", got, err)
	}
	at.Chat = "D1"
	if got, err := r.Adapter.Names(r.Ctx, at); err != nil || got != nil {
		t.Errorf("a direct conversation: %q, %v", got, err)
	}
	at.Chat = "CNOWHERE"
	if _, err := r.Adapter.Names(r.Ctx, at); chat.KindOf(err) != chat.Gone {
		t.Errorf("one that is not there: %v", err)
	}
}
