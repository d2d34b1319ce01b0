package telegram_test

import (
	"slices"
	"strconv"
	"testing"

	"talaria/core/chat"
)

func TestAGroupHasItsTitleAndUsername(t *testing.T) {
	r := newRig(t, nil)
	r.Server.Named(group, "Ops Team", "opsteam")
	at := chat.Address{Platform: "telegram", Chat: strconv.Itoa(group)}
	if got, err := r.Adapter.Names(r.Ctx, at); err != nil || !slices.Equal(got, []string{"Ops Team", "opsteam"}) {
		t.Errorf("%q, %v", got, err)
	}
	r.Server.Say(ada, ada, "hello")
	at.Chat = strconv.Itoa(ada)
	if got, err := r.Adapter.Names(r.Ctx, at); err != nil || got != nil {
		t.Errorf("a direct conversation: %q, %v", got, err)
	}
}
