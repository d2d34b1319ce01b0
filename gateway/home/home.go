package home

import (
	"context"
	"fmt"
	"hash/maphash"
	"log/slog"
	"strings"
	"sync"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/gateway/lane"
	"talaria/scheduler"
	"talaria/storage"
)

// Directory knows people and where they are.
type Directory interface {
	// Resolve makes the principal of an author with the rights they have now.
	Resolve(ctx context.Context, author chat.Author, place chat.Address, direct bool) (person.Principal, error)
	// Readable are the places whose messages p may read now.
	Readable(ctx context.Context, p person.Principal) ([]chat.Address, error)
}

// Drafts are what waits for a decision of p's, each with its button.
type Drafts func(ctx context.Context, p person.Principal) ([]chat.Post, error)

// Jobs gives a person the scheduler, bound to them.
type Jobs func(ctx context.Context, who person.Principal) (scheduler.Desk, error)

// Config is what pages are made from. Everything is required.
type Config struct {
	Store     *storage.Store
	Directory Directory
	Drafts    Drafts
	Jobs      Jobs
	Adapters  map[string]chat.Adapter
	// Link is the web address of a message, empty where it has none.
	Link func(place chat.Address, message string) string
	Log  *slog.Logger
}

// Home shows people what is theirs.
type Home struct {
	cfg   Config
	seed  maphash.Seed
	lanes [16]sync.Mutex // a page's makings follow one another: the last is the truest
}

// New returns a home.
func New(c Config) *Home { return &Home{cfg: c, seed: maphash.MakeSeed()} }

// Opened shows what belongs to a chat.Opened event. That it could not be shown is
// noted and no error: whoever opens it again sees it.
func (h *Home) Opened(ctx context.Context, e chat.Event) error {
	mu := &h.lanes[maphash.String(h.seed, e.Author.Identity.String())%uint64(len(h.lanes))]
	mu.Lock()
	defer mu.Unlock()
	show := h.page
	if e.Address.Thread != "" {
		show = h.greet
	}
	if err := show(ctx, e); err != nil && ctx.Err() == nil {
		h.cfg.Log.Warn("what a person opened is not shown", "platform", e.Address.Platform, "err", err)
	}
	return nil
}

// greet offers what may be said in an empty conversation.
func (h *Home) greet(ctx context.Context, e chat.Event) error {
	s, ok := h.cfg.Adapters[e.Address.Platform].(chat.Suggester)
	if !ok {
		return nil
	}
	w := wordsFor(e.Author.Language)
	return s.Suggest(ctx, e.Address, w.heading, w.prompts)
}

// page shows a person their page. Those who may nothing get none.
func (h *Home) page(ctx context.Context, e chat.Event) error {
	keeper, ok := h.cfg.Adapters[e.Address.Platform].(chat.HomeKeeper)
	if !ok || !e.Direct {
		return nil
	}
	who, err := h.cfg.Directory.Resolve(ctx, e.Author, e.Address, true)
	if err != nil || !person.AtLeast(who.Role, person.Guest) {
		return err
	}
	p, err := h.made(ctx, who, wordsFor(e.Author.Language))
	if err != nil {
		return err
	}
	return keeper.ShowHome(ctx, e.Address, e.Author.Identity, p)
}

// Forgotten takes what stands on a person's pages away from the platforms that
// keep them, once the person is forgotten.
func (h *Home) Forgotten(ctx context.Context, accounts []chat.Identity) {
	empty := chat.Page{Sections: []chat.Section{{Title: english.memory, Entries: []chat.Post{{Markdown: "I keep nothing about you."}}}}}
	for _, i := range accounts {
		keeper, ok := h.cfg.Adapters[i.Platform].(chat.HomeKeeper)
		if !ok {
			continue
		}
		if err := keeper.ShowHome(ctx, chat.Address{Platform: i.Platform, Workspace: i.Workspace}, i, empty); err != nil {
			h.cfg.Log.Warn("the page of somebody who was forgotten is not emptied", "platform", i.Platform, "err", err)
		}
	}
}

func (h *Home) made(ctx context.Context, who person.Principal, w words) (chat.Page, error) {
	var p chat.Page
	for _, part := range []struct {
		title, none string // without words for nothing, an empty part is left out
		entries     func(context.Context, person.Principal) ([]chat.Post, error)
	}{
		{w.requests, w.noRequests, h.requests},
		{w.drafts, "", h.cfg.Drafts},
		{w.memory, w.noMemory, h.cards},
		{w.jobs, w.noJobs, h.jobs},
	} {
		entries, err := part.entries(ctx, who)
		if err != nil {
			return p, fmt.Errorf("make a page: %w", err)
		}
		if len(entries) == 0 && part.none != "" {
			entries = []chat.Post{{Markdown: part.none}}
		}
		if len(entries) > 0 {
			p.Sections = append(p.Sections, chat.Section{Title: part.title, Entries: entries})
		}
	}
	return p, nil
}

// maxAsked is how many characters of a request are shown.
const maxAsked = 200

// requests are the person's own that wait, are under way or failed.
func (h *Home) requests(ctx context.Context, who person.Principal) ([]chat.Post, error) {
	places, err := h.cfg.Directory.Readable(ctx, who)
	if err != nil {
		return nil, err
	}
	all, err := lane.RequestsAt(ctx, h.cfg.Store, places, who.Person)
	var out []chat.Post
	for _, q := range all {
		text := fmt.Sprintf("%s: %s", q.State, command.Clipped(q.Text, maxAsked))
		if link := h.cfg.Link(q.Place, q.Message); link != "" && !strings.ContainsAny(link, " ()<>\n") {
			text += fmt.Sprintf(" ([link](%s))", link)
		}
		out = append(out, chat.Post{Markdown: text})
	}
	return out, err
}

// cards are what is remembered for the person where they are alone with the bot.
func (h *Home) cards(ctx context.Context, who person.Principal) ([]chat.Post, error) {
	all, err := memory.For(h.cfg.Store, who).List(ctx)
	var out []chat.Post
	for _, c := range all {
		if c.State != memory.Archived {
			out = append(out, command.CardEntry(c))
		}
	}
	return out, err
}

func (h *Home) jobs(ctx context.Context, who person.Principal) ([]chat.Post, error) {
	if !person.AtLeast(who.Role, person.Member) {
		return nil, nil
	}
	desk, err := h.cfg.Jobs(ctx, who)
	if err != nil {
		return nil, err
	}
	all, err := desk.List(ctx)
	var out []chat.Post
	for _, j := range all {
		out = append(out, command.JobEntry(j))
	}
	return out, err
}
