package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/scheduler"
	"talaria/storage"
	"talaria/storage/teststore"
)

// nightsBefore has the look at what people said been done two days ago, and
// somebody say the same on three occasions since.
func (b *bot) nightsBefore(account chat.Identity, words string) person.Principal {
	b.t.Helper()
	s := teststore.Open(b.t, b.path, -2*24*time.Hour)
	defer s.Close()
	people, err := person.Open(b.t.Context(), s, person.Config{Admins: []chat.Identity{account}}, slog.New(slog.DiscardHandler))
	if err != nil {
		b.t.Fatal(err)
	}
	who, err := people.Resolve(b.t.Context(), chat.Author{Identity: account}, dm(account.ID), true)
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.t.Context())
	past := scheduler.New(scheduler.Config{Store: s, People: people, Replica: "past", Log: slog.New(slog.DiscardHandler), Zone: time.UTC})
	past.System("learning: people", scheduler.Every(50*time.Millisecond), func(context.Context) error { stop(); return nil })
	past.Run(ctx)
	batch := storage.On(person.ShardOf(who.Place))
	for n := range 3 {
		at := time.Now().UTC().Add(time.Duration(n-30) * time.Hour)
		trace.Put(batch, trace.Task{
			ID: fmt.Sprintf("%s-%d", at.Format("20060102T150405Z"), n), Session: "s", Person: who.Person, Asker: account, Place: who.Place, Direct: true, Start: trace.Direct,
			Request: words, Settled: trace.ByIdle, Turns: []trace.Turn{{ID: "1", Who: who.Person, Message: fmt.Sprint(n), Began: at, Ended: at, Asked: words}},
		}, storage.Absent, 30*24*time.Hour)
	}
	if _, err := s.Commit(b.t.Context(), batch); err != nil {
		b.t.Fatal(err)
	}
	return who
}

// cards waits until a person's shelf holds something.
func (b *bot) cards(who person.Principal) []memory.Card {
	b.t.Helper()
	s := teststore.Open(b.t, b.path, 0)
	defer s.Close()
	ctx, cancel := context.WithTimeout(b.t.Context(), 3*time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		if cards, err := memory.For(s, who).List(ctx); err == nil && len(cards) > 0 {
			return cards
		}
	}
	return nil
}

func TestAtNightWhatAPersonSaidBecomesALineThatTheyStrike(t *testing.T) {
	b := newBot(t)
	who := b.nightsBefore(chat.Identity{Platform: "telegram", ID: "1"}, "I prefer tabs over spaces.")
	b.start()
	if cards := b.cards(who); len(cards) != 1 || cards[0].State != memory.Active || !cards[0].Inferred {
		t.Fatalf("remembered: %+v", cards)
	}
	b.telegram.Say(1, 1, "/whoami")
	hears(t, b.telegram, 1, "(?s)1\\. I prefer tabs over spaces .*90% sure; concluded from what you said, 3×.*on telegram")
	b.telegram.Say(1, 1, "/whoami strike 1")
	hears(t, b.telegram, 1, "Struck: I prefer tabs over spaces")
}
