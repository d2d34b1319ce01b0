package home_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/home"
	"talaria/storage/teststore"
)

// slow is a platform that shows nothing until it is let.
type slow struct {
	chat.Adapter
	let   chan struct{}
	shows atomic.Int32
}

func (s *slow) ShowHome(context.Context, chat.Address, chat.Identity, chat.Page) error {
	s.shows.Add(1)
	<-s.let
	return nil
}

func TestWhoOpensAPageAgainAndAgainIsShownTheLastOfIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{let: make(chan struct{})}
		h := home.New(home.Config{
			Store: teststore.Memory(t), Directory: directory{ann: person.Guest}, Adapters: map[string]chat.Adapter{"test": s},
			Drafts: func(context.Context, person.Principal) ([]chat.Post, error) { return nil, nil },
			Log:    slog.New(slog.DiscardHandler),
		})
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				if err := h.Opened(t.Context(), opened(ann, "", "")); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		close(s.let)
		all.Wait()
		if n := s.shows.Load(); n == 0 || n > 2 {
			t.Errorf("the page was made %d times", n)
		}
	})
}
