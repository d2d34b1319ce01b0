package home_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/gateway/home"
	"talaria/gateway/inbox"
	"talaria/scheduler"
	"talaria/storage"
	"talaria/storage/teststore"
)

var (
	room = chat.Address{Platform: "test", Chat: "room"}
	ann  = chat.Identity{Platform: "test", ID: "ann"}
	bob  = chat.Identity{Platform: "test", ID: "bob"}
)

func direct(i chat.Identity) chat.Address { return chat.Address{Platform: "test", Chat: "dm-" + i.ID} }

func principal(i chat.Identity, role person.Role) person.Principal {
	return person.Principal{Person: person.ID(i.ID), Identity: i, Place: direct(i), Direct: true, Role: role}
}

// directory knows everybody by their role; all of them read the room.
type directory map[chat.Identity]person.Role

func (d directory) Resolve(_ context.Context, a chat.Author, _ chat.Address, _ bool) (person.Principal, error) {
	return principal(a.Identity, d[a.Identity]), nil
}

func (directory) Readable(_ context.Context, p person.Principal) ([]chat.Address, error) {
	return []chat.Address{room, p.Place}, nil
}

// platform shows pages and prompts.
type platform struct {
	chat.Adapter
	pages   map[chat.Identity]chat.Page
	prompts []chat.Prompt
	fails   error
}

func (p *platform) ShowHome(_ context.Context, _ chat.Address, who chat.Identity, page chat.Page) error {
	if p.fails == nil {
		p.pages[who] = page
	}
	return p.fails
}

func (p *platform) Suggest(_ context.Context, _ chat.Address, _ string, prompts []chat.Prompt) error {
	p.prompts = prompts
	return p.fails
}

// shown is everything on a person's page.
func (p *platform) shown(who chat.Identity) string {
	var all []string
	for _, s := range p.pages[who].Sections {
		all = append(all, "# "+s.Title)
		for _, e := range s.Entries {
			all = append(all, e.Markdown)
		}
	}
	return strings.Join(all, "\n")
}

func newHome(t *testing.T, d directory) (*home.Home, *platform, *storage.Store) {
	t.Helper()
	s := teststore.Memory(t)
	p := &platform{pages: map[chat.Identity]chat.Page{}}
	return home.New(home.Config{
		Store: s, Directory: d, Adapters: map[string]chat.Adapter{"test": p}, Log: slog.New(slog.DiscardHandler),
		Drafts: func(_ context.Context, p person.Principal) ([]chat.Post, error) {
			return slices.DeleteFunc([]chat.Post{{Markdown: "a draft"}}, func(chat.Post) bool { return p.Role != person.Approver }), nil
		},
		Jobs: func(context.Context, person.Principal) (scheduler.Desk, error) {
			return scheduler.Desk{}, errors.New("guests have none")
		},
		Link: func(a chat.Address, message string) string { return "https://x.example/" + a.Chat + "/" + message },
	}), p, s
}

func opened(i chat.Identity, thread, language string) chat.Event {
	at := direct(i)
	at.Thread = thread
	return chat.Event{Kind: chat.Opened, Address: at, Direct: true, Author: chat.Author{Identity: i, Language: language}}
}

func TestAPageHoldsWhatIsItsPersonsOwn(t *testing.T) {
	h, p, s := newHome(t, directory{ann: person.Guest, bob: person.Guest})
	for _, c := range []struct {
		who        chat.Identity
		said, card string
	}{{ann, "count the apples", "Ann likes apples"}, {bob, "count the pears", "Bob likes pears"}} {
		who := principal(c.who, person.Member)
		e := chat.Event{Kind: chat.Message, Keys: []string{c.said}, Message: c.said[:5], Text: c.said, Address: room, At: time.Now()}
		b := storage.On(storage.Shard(storage.ShardOf("test", "", "room"))).Receive(e.Keys, inbox.Envelope{Event: e, Who: who}, time.Hour)
		if _, err := s.Commit(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if _, err := memory.For(s, who).Add(t.Context(), memory.Work, c.card, memory.Source{Origin: chat.Member, Spoken: c.card}); err != nil {
			t.Fatal(err)
		}
		if err := h.Opened(t.Context(), opened(c.who, "", "")); err != nil {
			t.Fatal(err)
		}
	}
	for who, words := range map[chat.Identity][2]string{ann: {"apples", "pears"}, bob: {"pears", "apples"}} {
		page := p.shown(who)
		if strings.Count(page, words[0]) != 2 || strings.Contains(page, words[1]) || !strings.Contains(page, "waiting: count the") || !strings.Contains(page, "https://x.example/room/") {
			t.Errorf("the page of %s:\n%s", who, page)
		}
	}
}

func TestAPageIsForThoseWhoMayHaveOne(t *testing.T) {
	h, p, _ := newHome(t, directory{bob: person.Guest})
	for _, i := range []chat.Identity{ann, bob} {
		if err := h.Opened(t.Context(), opened(i, "", "zh-TW")); err != nil {
			t.Fatal(err)
		}
	}
	if page := p.shown(bob); len(p.pages) != 1 || !strings.Contains(page, "# 你的请求") || strings.Contains(page, "draft") {
		t.Errorf("pages %v", p.pages)
	}
	h.Forgotten(t.Context(), []chat.Identity{bob, {Platform: "other", ID: "x"}})
	if page := p.shown(bob); !strings.Contains(page, "nothing about you") || strings.Contains(page, "请求") {
		t.Errorf("a forgotten person's page: %s", page)
	}
	p.fails = errors.New("away")
	if err := h.Opened(t.Context(), opened(bob, "", "")); err != nil {
		t.Errorf("what can't be shown is to be tried for ever: %v", err)
	}
}

func TestAnEmptyConversationOffersThingsToSay(t *testing.T) {
	for language, want := range map[string]string{"": "What can you do?", "de-DE": "What can you do?", "zh-CN": "你能做什么？"} {
		h, p, _ := newHome(t, directory{ann: person.Member}) // who was answered in Chinese once is known for it
		if err := h.Opened(t.Context(), opened(ann, "t1", language)); err != nil {
			t.Fatal(err)
		}
		if len(p.prompts) != 4 || p.prompts[0].Label != want || len(p.pages) != 0 {
			t.Errorf("in %q: %+v", language, p.prompts)
		}
	}
}
