package app_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/scheduler"
	"talaria/storage"
	"talaria/storage/teststore"
)

// then is the bot's store as it was some time ago.
func (b *bot) then(ago time.Duration, use func(s *storage.Store)) {
	b.t.Helper()
	s := teststore.Open(b.t, b.path, -ago)
	defer s.Close()
	use(s)
}

// looked has a nightly look been begun last at the time of a store.
func looked(t *testing.T, s *storage.Store) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	past := scheduler.New(scheduler.Config{Store: s, People: everybody{}, Replica: "past", Log: slog.New(slog.DiscardHandler), Zone: time.UTC})
	past.System("learning: curate", scheduler.Every(50*time.Millisecond), func(context.Context) error { stop(); return nil })
	past.Run(ctx)
}

func TestAtNightAnUnusedSkillIsPutAwayAndItsPersonIsTold(t *testing.T) {
	b := newBot(t)
	account := chat.Identity{Platform: "telegram", ID: "1"}
	log := slog.New(slog.DiscardHandler)
	b.then(40*24*time.Hour, func(s *storage.Store) {
		people, err := person.Open(t.Context(), s, person.Config{Admins: []chat.Identity{account}}, log)
		if err != nil {
			t.Fatal(err)
		}
		who, err := people.Resolve(t.Context(), chat.Author{Identity: account}, dm("1"), true)
		if err == nil {
			err = people.Been(t.Context(), who)
		}
		if err != nil {
			t.Fatal(err)
		}
		l := skill.New(s, people, skill.Config{Policy: map[skill.Kind]skill.Policy{skill.Person: skill.None}}, log)
		ref := skill.Ref{Scope: skill.OfPerson(who.Person), Name: "brew-tea"}
		files := manifest.Bundle{manifest.MainFile: []byte("---\nname: brew-tea\ndescription: How to brew tea.\n---\n\nBoil water.\n")}
		out, err := l.Upkeep().Propose(t.Context(), skill.Proposal{Ref: ref, Files: files, Origin: chat.Member}, who.Team)
		if err != nil || !out.Live {
			t.Fatalf("%+v, %v", out, err)
		}
	})
	b.then(2*24*time.Hour, func(s *storage.Store) { looked(t, s) })
	b.telegram.Say(1, 1, "hello")
	b.start()
	hears(t, b.telegram, 1, "(?s)put away.*brew-tea.*not used for 40 days.*/skills restore brew-tea")
}
