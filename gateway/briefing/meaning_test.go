package briefing

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/model/modeltest"
	"talaria/core/model/openai"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/match"
	"talaria/core/vector"
	"talaria/storage/teststore"
)

// garage has one skill.
type garage struct{ Library }

func (garage) Visible(context.Context, person.Principal) ([]skill.Skill, error) {
	return []skill.Skill{{Ref: skill.Ref{Name: "book-garage"}}}, nil
}

func (garage) Matchable(context.Context, person.Principal) ([]match.Skill, error) {
	return []match.Skill{{Name: "book-garage", Description: "Books an appointment for the automobile."}}, nil
}

func (garage) Settings(context.Context, person.Principal, string) ([]skill.Setting, error) {
	return nil, nil
}

func TestATurnEmbedsItsMessageOnce(t *testing.T) {
	e := modeltest.StartEmbeddings("car automobile", "henri")
	t.Cleanup(e.Close)
	log := slog.New(slog.DiscardHandler)
	vectors := vector.NewShared(openai.NewEmbedder(openai.Config{Name: "small", BaseURL: e.URL(), Client: e.Client()}), time.Minute, log)
	store := teststore.Memory(t)
	who := person.Principal{Person: "ana", Role: person.Member, Direct: true, Place: chat.Address{Platform: "test", Chat: "dm"}}
	if _, err := memory.For(store, who).Add(t.Context(), memory.Work, "The automobile is looked after on Mondays", memory.Source{Origin: chat.Member}); err != nil {
		t.Fatal(err)
	}
	b := New(Config{Store: store, Library: garage{}, Embedder: vectors, Log: log})
	for _, message := range []string{"book an appointment at a garage for my car", "book the garage for my other car"} {
		block, err := b.Block(t.Context(), who, chat.Event{Text: message}, "")
		if err != nil || !strings.Contains(block, "on Mondays") || !strings.Contains(block, "book-garage") {
			t.Errorf("%v\n%s", err, block)
		}
		asked := slices.Concat(e.Asked()...)
		if n := len(asked) - len(slices.DeleteFunc(asked, func(s string) bool { return s == message })); n != 1 {
			t.Errorf("the message was embedded %d times", n)
		}
	}
	if n := len(e.Asked()); n != 3 {
		t.Errorf("two messages, a card and a skill took %d calls", n)
	}
}
