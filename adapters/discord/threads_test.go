package discord_test

import (
	"testing"
	"time"

	simulator "talaria/adapters/fake/discord"
)

func TestActiveThreadsOfAChannelAreFound(t *testing.T) {
	r := newRig(t, simulator.Options{})
	r.Server.Thread(lobby, "7001", ada)
	r.Server.Thread(lobby, "7002", ada)
	r.Server.Say(ada, "7001", "first")
	r.Server.Say(ada, "7002", "second")
	r.Server.Say(ada, "7001", "third")
	at := toThread
	at.Thread = ""
	got, err := r.Adapter.Threads(r.Ctx, at, time.Now(), 2)
	if err != nil || len(got) != 2 || got[0].Thread != "7001" || got[1].Thread != "7002" || got[0].Place() != at {
		t.Errorf("threads %v, %v", got, err)
	}
	said, err := r.Adapter.History(r.Ctx, got[0], "", 10)
	if err != nil || len(said) != 2 || said[1].Text != "third" {
		t.Errorf("said there: %v, %v", said, err)
	}
}
