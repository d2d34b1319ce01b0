package isolation_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/storage"
)

// bare opens an empty store with a directory over it, without the program.
func bare(t *testing.T, storeURL string, c person.Config) (*storage.Store, *person.Directory) {
	t.Helper()
	cfg, _, err := config.Load("", []string{"TALARIA_STORAGE_URL=" + storeURL, "TALARIA_STORAGE_DIR=" + t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := app.OpenStore(t.Context(), cfg.Storage)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d, err := person.Open(t.Context(), s, c, slog.New(slog.DiscardHandler), memory.NewLinked(s))
	if err != nil {
		t.Fatal(err)
	}
	return s, d
}

// TestTenantsWithTheSameIdsDoNotMeet has two workspaces whose people and
// channels have the same ids, at work at the same time.
func TestTenantsWithTheSameIdsDoNotMeet(t *testing.T) {
	tenants := []string{"T1", "T2"}
	config := person.Config{People: map[string][]chat.Identity{}}
	for _, tenant := range tenants {
		config.People["slack"] = append(config.People["slack"], chat.Identity{Platform: "slack", Workspace: tenant, ID: "U1"})
	}
	onBothStores(t, func(t *testing.T, storeURL string) {
		s, d := bare(t, storeURL, config)
		searcher := memory.NewSearcher(s, d, nil)
		visit := func(n int) error {
			tenant := tenants[n%2]
			author := chat.Author{Identity: chat.Identity{Platform: "slack", Workspace: tenant, ID: "U1"}, Name: "Anna"}
			for _, direct := range []bool{true, false} {
				place := chat.Address{Platform: "slack", Workspace: tenant, Chat: map[bool]string{true: "D1", false: "C1"}[direct]}
				who, err := d.Resolve(t.Context(), author, place, direct)
				if err != nil {
					return err
				}
				if err := use(t.Context(), s, d, searcher, who, tenant, n); err != nil {
					return fmt.Errorf("%s, call %d: %w", tenant, n, err)
				}
			}
			return nil
		}
		var wg sync.WaitGroup
		for n := range 50 {
			wg.Go(func() {
				if err := visit(n); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

// use has a principal remember, say and look for something, and returns an
// error where anything of another tenant is seen.
func use(ctx context.Context, s *storage.Store, d *person.Directory, searcher *memory.Searcher, who person.Principal, tenant string, n int) error {
	if err := d.Been(ctx, who); err != nil {
		return err
	}
	h := memory.For(s, who)
	statement := fmt.Sprintf("number %d of tenant %s is canary", n, tenant)
	if _, err := h.Add(ctx, memory.Work, statement, memory.Source{Origin: chat.Member, Spoken: statement}); err != nil {
		return err
	}
	a := who.Place
	b := storage.On(person.ShardOf(a))
	memory.IndexTurns(b, a, memory.Turn{Session: a.String(), Number: n + 1, Who: who.Person, Name: who.Name, Text: statement, Message: fmt.Sprint(n)})
	if _, err := s.Commit(ctx, b); err != nil {
		return err
	}
	snapshot, err := h.Snapshot(ctx)
	if err != nil {
		return err
	}
	hits, err := searcher.Search(ctx, who, "canary tenant number", 50)
	if err != nil {
		return err
	}
	seen := snapshot
	for _, hit := range hits {
		seen += hit.Snippet.Text + hit.Before + hit.After
	}
	other := map[string]string{"T1": "tenant T2", "T2": "tenant T1"}[tenant]
	switch {
	case strings.Contains(seen, other):
		return errors.New("what is the other tenant's was seen")
	case !strings.Contains(seen, "tenant "+tenant):
		return errors.New("not even its own was seen")
	}
	return nil
}

// TestImpostorsGetNothing has somebody with the same display name, and with
// codes that are used, foreign or made up, try to be another person.
func TestImpostorsGetNothing(t *testing.T) {
	account := func(id string) chat.Identity { return chat.Identity{Platform: "slack", Workspace: "T1", ID: id} }
	config := person.Config{People: map[string][]chat.Identity{"slack": {account("U1"), account("U2")}}, Everyone: map[string]bool{"telegram": true, "discord": true}}
	onBothStores(t, func(t *testing.T, storeURL string) {
		s, d := bare(t, storeURL, config)
		as := func(i chat.Identity, direct bool) person.Principal {
			t.Helper()
			p, err := d.Resolve(t.Context(), chat.Author{Identity: i, Name: "Anna"}, chat.Address{Platform: i.Platform, Workspace: i.Workspace, Chat: "D" + i.ID}, direct)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		anna := as(account("U1"), true)
		const secret = "the safe opens with canary"
		if _, err := memory.For(s, anna).Add(t.Context(), memory.Work, secret, memory.Source{Origin: chat.Member, Spoken: secret}); err != nil {
			t.Fatal(err)
		}
		nothing := func(p person.Principal, what string) {
			t.Helper()
			text, err := memory.For(s, p).Snapshot(t.Context())
			if err != nil || strings.Contains(text, "canary") || p.Person == anna.Person {
				t.Errorf("%s is Anna: %q, %v", what, text, err)
			}
		}
		code, err := d.LinkCode(t.Context(), anna)
		if err != nil {
			t.Fatal(err)
		}
		telegram := chat.Identity{Platform: "telegram", ID: "5"}
		for what, p := range map[string]person.Principal{
			"the same name": as(account("U2"), true), "the same id elsewhere": as(chat.Identity{Platform: "discord", ID: "U1"}, true),
			"the same id in another workspace": as(chat.Identity{Platform: "slack", Workspace: "T2", ID: "U1"}, true),
		} {
			nothing(p, what)
			if _, err := d.Link(t.Context(), p, "AAAA-AAAA"); !errors.Is(err, person.ErrCode) && !errors.Is(err, person.ErrForbidden) {
				t.Errorf("%s: a made-up code: %v", what, err)
			}
		}
		if _, err := d.Link(t.Context(), as(telegram, false), code); !errors.Is(err, person.ErrForbidden) {
			t.Errorf("a code in a shared place: %v", err)
		}
		if _, err := d.Link(t.Context(), as(account("U2"), true), code); !errors.Is(err, person.ErrSameWorkspace) {
			t.Errorf("a code used by a colleague: %v", err)
		}
		if _, err := d.Link(t.Context(), as(telegram, true), code); err != nil {
			t.Fatalf("her own second account: %v", err)
		}
		late := chat.Identity{Platform: "discord", ID: "6"}
		if _, err := d.Link(t.Context(), as(late, true), code); !errors.Is(err, person.ErrCode) {
			t.Errorf("a code used a second time: %v", err)
		}
		nothing(as(late, true), "who came too late")
		if as(telegram, true).Person != anna.Person {
			t.Error("her second account is not hers")
		}
	})
}
