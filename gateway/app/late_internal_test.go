package app

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/inbox"
	"talaria/storage"
	"talaria/storage/teststore"
)

// everybody is a gate that lets all in.
type everybody struct{}

func (everybody) Admit(context.Context, chat.Event) (inbox.Verdict, error) {
	return inbox.Verdict{Take: true}, nil
}

// What somebody said before they were forgotten seems to come from the future
// to a replica whose clock is slow, and is refused all the same.
func TestASlowClockTakesNothingInOfAForgottenPerson(t *testing.T) {
	store := teststore.Open(t, filepath.Join(t.TempDir(), "t.db"), 20*time.Minute)
	directory, err := person.Open(t.Context(), store, person.Config{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	who := chat.Identity{Platform: "telegram", ID: "7"}
	if err := store.Bury(t.Context(), storage.Person(string(person.Home(who)))); err != nil {
		t.Fatal(err)
	}
	gate := lateGate{everybody{}, directory}
	for said, take := range map[time.Duration]bool{10 * time.Minute: false, 30 * time.Minute: true} {
		v, err := gate.Admit(t.Context(), chat.Event{At: time.Now().Add(said), Author: chat.Author{Identity: who}})
		if err != nil || v.Take != take {
			t.Errorf("said at %v, forgotten at 20m by the store's clock: %+v, %v", said, v, err)
		}
	}
}
