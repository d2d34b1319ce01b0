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
	"talaria/gateway/wording"
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
	lanes [16]chan struct{} // a page's makings follow one another: the last is the truest

	mu     sync.Mutex
	opened int
	newest map[string]int // by who and what was opened: the opening that is to be shown
}

// New returns a home.
func New(c Config) *Home {
	h := &Home{cfg: c, seed: maphash.MakeSeed(), newest: map[string]int{}}
	for n := range h.lanes {
		h.lanes[n] = make(chan struct{}, 1)
	}
	return h
}

// Opened shows what belongs to a chat.Opened event. That it could not be shown is
// noted and no error: whoever opens it again sees it. Of openings that wait for
// one another only the last is shown, so nobody's haste holds up others.
func (h *Home) Opened(ctx context.Context, e chat.Event) error {
	latest, done := h.enter(e)
	defer done()
	lane := h.lanes[maphash.String(h.seed, e.Author.Identity.String())%uint64(len(h.lanes))]
	lane <- struct{}{}
	defer func() { <-lane }()
	if !latest() {
		return nil
	}
	show := h.page
	if e.Address.Thread != "" {
		show = h.greet
	}
	if err := h.answer(ctx, e, show); err != nil && ctx.Err() == nil {
		h.cfg.Log.Warn("what a person opened is not shown", "platform", e.Address.Platform, "err", err)
	}
	return nil
}

// enter notes an opening. It is to be shown as long as it is the latest.
func (h *Home) enter(e chat.Event) (latest func() bool, done func()) {
	key := e.Author.Identity.String() + " " + e.Address.String()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.opened++
	n := h.opened
	h.newest[key] = n
	latest = func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.newest[key] == n
	}
	done = func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.newest[key] == n {
			delete(h.newest, key)
		}
	}
	return latest, done
}

// answer shows something to whoever opened it, in their language.
func (h *Home) answer(ctx context.Context, e chat.Event, show func(context.Context, chat.Event, person.Principal) error) error {
	who, err := h.cfg.Directory.Resolve(ctx, e.Author, e.Address, true)
	if err != nil {
		return err
	}
	ctx, err = wording.For(ctx, h.cfg.Store, who, e)
	if err != nil {
		return err
	}
	return show(ctx, e, who)
}

// greet offers what may be said in an empty conversation.
func (h *Home) greet(ctx context.Context, e chat.Event, _ person.Principal) error {
	s, ok := h.cfg.Adapters[e.Address.Platform].(chat.Suggester)
	if !ok {
		return nil
	}
	l := wording.In(ctx)
	return s.Suggest(ctx, e.Address, l.Text("Some things to begin with"), prompts(l))
}

// page shows a person their page. Those who may nothing get none.
func (h *Home) page(ctx context.Context, e chat.Event, who person.Principal) error {
	keeper, ok := h.cfg.Adapters[e.Address.Platform].(chat.HomeKeeper)
	if !ok || !e.Direct || !person.AtLeast(who.Role, person.Guest) {
		return nil
	}
	p, err := h.made(ctx, who)
	if err != nil {
		return err
	}
	return keeper.ShowHome(ctx, e.Address, e.Author.Identity, p)
}

// Forgotten takes what stands on a person's pages away from the platforms that
// keep them, once the person is forgotten.
func (h *Home) Forgotten(ctx context.Context, accounts []chat.Identity) {
	empty := chat.Page{Sections: []chat.Section{{Title: wording.Text(ctx, "What I remember"), Entries: []chat.Post{wording.Say(ctx, "I keep nothing about you.")}}}}
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

func (h *Home) made(ctx context.Context, who person.Principal) (chat.Page, error) {
	var p chat.Page
	for _, part := range []struct {
		title, none string // without words for nothing, an empty part is left out
		entries     func(context.Context, person.Principal) ([]chat.Post, error)
	}{
		{"Your requests", "Nothing of yours is under way.", h.requests},
		{"Waiting for your decision", "", h.cfg.Drafts},
		{"What I remember", "Nothing yet. Tell me \"remember that ...\", or use `/memory add TEXT`.", h.cards},
		{"Your jobs", "None. `/jobs add every Friday at 17:00 remind me to send the report` makes one.", h.jobs},
	} {
		entries, err := part.entries(ctx, who)
		if err != nil {
			return p, fmt.Errorf("make a page: %w", err)
		}
		if len(entries) == 0 && part.none != "" {
			entries = []chat.Post{{Markdown: wording.In(ctx).Of(part.none)}}
		}
		if len(entries) > 0 {
			p.Sections = append(p.Sections, chat.Section{Title: wording.In(ctx).Of(part.title), Entries: entries})
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
		text := fmt.Sprintf("%s: %s", wording.In(ctx).Of(string(q.State)), command.Clipped(q.Text, maxAsked))
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
			out = append(out, command.CardEntry(ctx, c))
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
		out = append(out, command.JobEntry(ctx, j))
	}
	return out, err
}
