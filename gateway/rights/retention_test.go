package rights_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/tool"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/gateway/lane"
	"talaria/gateway/rights"
	"talaria/storage"
	"talaria/storage/teststore"
)

// chatted has one person talk to the program, and returns the store after it
// has ended, with when each line had been answered.
func chatted(t *testing.T, lines ...string) (st *storage.Store, answered []time.Time) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.db")
	s := fake.New(t, fake.Options{NoFlood: true})
	cfg, _, err := config.Load("", []string{
		"TALARIA_ADAPTERS_TELEGRAM_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_TELEGRAM_API_URL=" + s.URL(),
		"TALARIA_ADAPTERS_TELEGRAM_PEOPLE=*", "TALARIA_WEB_LISTEN=off", "TALARIA_STORAGE_URL=sqlite:" + path,
	})
	if err != nil {
		t.Fatal(err)
	}
	serve(t, cfg, func() {
		for n, line := range lines {
			s.Say(7, 7, line)
			err := s.Await(t.Context(), func() bool {
				sent := s.Sent(7)
				return len(sent) > n && sent[n].Text != "…"
			})
			if err != nil {
				t.Fatal(err)
			}
			answered = append(answered, time.Now())
		}
	})
	st = teststore.Open(t, path, 0)
	return st, answered
}

func serve(t *testing.T, cfg config.Config, talk func()) {
	t.Helper()
	ctx, cancel := contextOf(t)
	over := make(chan error, 1)
	go func() { over <- live(ctx, app.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)}) }()
	talk()
	cancel()
	if err := <-over; err != nil {
		t.Fatal(err)
	}
}

// kept is what a store holds of a conversation.
func kept(t *testing.T, s *storage.Store) string {
	t.Helper()
	place := chat.Address{Platform: "telegram", Chat: "7"}
	shard := storage.ShardOf(place.Platform, place.Workspace, place.Chat)
	turns := 0
	if err := memory.Turns(t.Context(), s, place, func(memory.Turn) error { turns++; return nil }); err != nil {
		t.Fatal(err)
	}
	files, err := tool.AllFiles(t.Context(), s, storage.Shard(shard), place.String())
	if err != nil {
		t.Fatal(err)
	}
	exchanges := 0
	who := person.Subject{People: []person.ID{person.Home(chat.Identity{Platform: "telegram", ID: "7"})}}
	err = lane.SessionsOf(t.Context(), s, who, func(told lane.Told) error {
		exchanges += len(told.Exchanges)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d turns, %d exchanges, %d files", turns, exchanges, len(files))
}

func TestOnlyWhatIsOldEnoughIsErased(t *testing.T) {
	s, answered := chatted(t, "what is 1+1", "write a file note.txt with hello", "what is 2+2")
	for _, step := range []struct {
		what   string
		before time.Time
		left   string
	}{
		{"nothing is old enough", answered[0].Add(-time.Hour), "6 turns, 3 exchanges, 1 files"},
		{"the first exchange is", answered[0], "4 turns, 2 exchanges, 1 files"},
		{"the file is", answered[1], "2 turns, 1 exchanges, 0 files"},
		{"all is", answered[2].Add(time.Hour), "0 turns, 0 exchanges, 0 files"},
	} {
		if err := rights.Sweep(t.Context(), s, step.before); err != nil {
			t.Fatal(err)
		}
		if left := kept(t, s); left != step.left {
			t.Errorf("%s: left are %s, want %s", step.what, left, step.left)
		}
	}
}

// live puts the program together, runs it until ctx ends, and takes it apart.
func live(ctx context.Context, o app.Options) error {
	a, err := app.New(ctx, o)
	if err != nil {
		return err
	}
	return errors.Join(a.Run(ctx), a.Close())
}
