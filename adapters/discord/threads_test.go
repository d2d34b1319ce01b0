package discord_test

import (
	"testing"
	"time"

	simulator "talaria/adapters/fake/discord"
)

func TestActiveThreadsOfAChannelAreFound(t *testing.T) {
	r := newRig(t, simulator.Options{})
	r.server.Thread(lobby, "7001", ada)
	r.server.Thread(lobby, "7002", ada)
	r.server.Say(ada, "7001", "first")
	r.server.Say(ada, "7002", "second")
	r.server.Say(ada, "7001", "third")
	at := toThread
	at.Thread = ""
	got, err := r.adapter.Threads(r.ctx, at, time.Now(), 2)
	if err != nil || len(got) != 2 || got[0].Thread != "7001" || got[1].Thread != "7002" || got[0].Place() != at {
		t.Errorf("threads %v, %v", got, err)
	}
	said, err := r.adapter.History(r.ctx, got[0], "", 10)
	if err != nil || len(said) != 2 || said[1].Text != "third" {
		t.Errorf("said there: %v, %v", said, err)
	}
}
