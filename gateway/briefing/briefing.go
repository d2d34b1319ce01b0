package briefing

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill/match"
	"talaria/core/tool"
	"talaria/core/tool/script"
	"talaria/core/vector"
	"talaria/gateway/inbox"
	"talaria/gateway/lane"
	"talaria/gateway/wording"
	"talaria/storage"
)

//go:embed persona.md
var persona string

// Briefing implements lane.Briefing.
type Briefing struct {
	store    *storage.Store
	tools    *tool.Set
	searcher *memory.Searcher
	skills   *skills
	embedder vector.Embedder
	author   Author
	scripts  *script.Runner
	desk     Desk
	models   Models
	meter    *Meter
	link     func(at chat.Address, message string) string
	room     memory.Room
	unlearn  string // what is said of learning in the prefix
	log      *slog.Logger
}

var _ lane.Briefing = (*Briefing)(nil)

// Config is what a briefing is made from. Everything but Link is required; the
// meter is run by the caller.
type Config struct {
	Store    *storage.Store
	Tools    *tool.Set
	Searcher *memory.Searcher
	Library  Library
	Embedder vector.Embedder // nil: skills and cards are found by words alone
	Author   Author
	Scripts  *script.Runner
	Desk     Desk
	Models   Models // that jobs may name
	Meter    *Meter
	// Link is where a message is found on the web. Nil: nowhere.
	Link func(at chat.Address, message string) string
	// LearningOff: the operator has learning switched off, so that the bot does
	// not promise to.
	LearningOff bool
	// SkillRoom and MemoryRoom are what skills and cards may take of a prompt. Zero:
	// the defaults of their packages.
	SkillRoom  match.Room
	MemoryRoom memory.Room
	Log        *slog.Logger
}

// Author binds the proposing of skills to a turn that answers a message.
type Author func(who person.Principal, message string) tool.Author

// New returns a briefing.
func New(c Config) *Briefing {
	unlearn := ""
	if c.LearningOff {
		unlearn = learningOff
	}
	return &Briefing{
		unlearn: unlearn, room: cmp.Or(c.MemoryRoom, memory.DefaultRoom()),
		store: c.Store, tools: c.Tools, searcher: c.Searcher, skills: newSkills(c), embedder: c.Embedder, author: c.Author, scripts: c.Scripts,
		desk: c.Desk, models: c.Models, meter: c.Meter, link: c.Link, log: c.Log,
	}
}

// learningOff is said where nothing is learned.
const learningOff = "\nLearning is switched off by your operator: nobody looks back at how work was done, and no skill comes of it. If somebody asks you to remember how something is done, say so.\n"

// Prefix is the persona, the person's wishes, the list of skills, and what is
// remembered for the principal where they are.
func (b *Briefing) Prefix(ctx context.Context, who person.Principal) (string, error) {
	remembered, err := memory.For(b.store, who).Within(b.room).Snapshot(ctx)
	if err != nil {
		return "", fmt.Errorf("read memory: %w", err)
	}
	listed, err := b.skills.listing(ctx, who)
	if err != nil {
		return "", fmt.Errorf("list skills: %w", err)
	}
	wishes, err := b.wishes(ctx, who)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(persona + b.unlearn + "\n" + wishes + listed + "\n" + remembered), nil
}

// Block is what is recalled for a message and is not in the prefix, and the
// skills that fit it.
func (b *Briefing) Block(ctx context.Context, who person.Principal, e chat.Event, prefix string) (string, error) {
	recalled, err := memory.For(b.store, who).Within(b.room).ByMeaning(b.embedder).Recall(ctx, e.Text, prefix)
	fitting, err2 := b.skills.block(ctx, who, e)
	return strings.TrimSpace(recalled + "\n" + fitting), errors.Join(err, err2)
}

// Kit binds the tools to the principal.
func (b *Briefing) Kit(ctx context.Context, s lane.Setting) (lane.Kit, error) {
	shelf, err := b.skills.open(ctx, s.Who, s.Before)
	if err != nil {
		return lane.Kit{}, fmt.Errorf("read skills: %w", err)
	}
	desk, err := b.desk(ctx, s.Who)
	if err != nil {
		return lane.Kit{}, fmt.Errorf("read jobs: %w", err)
	}
	tools, allow := b.tools.Bind(tool.Binding{
		Zone: desk.Zone, Schedules: b.schedules(desk, s.Event),
		Principal: s.Who, Message: s.Event.Message, Asker: s.Asker, Approved: s.Approved,
		Memory:   memory.For(b.store, s.Who),
		Searcher: searcher{b.searcher, s.Who},
		Files:    tool.NewFiles(b.store, s.Shard.Fence(), s.Session, nil),
		Skills:   shelf, Author: b.author(s.Who, s.Event.Message), Beyond: shelf.beyond, Scripts: shelf.scripts(b.scripts),
	})
	return b.forJob(ctx, lane.Kit{Tools: tools, Allow: allow}, s), nil
}

// Attach files attachments with the session.
func (b *Briefing) Attach(ctx context.Context, session string, s *inbox.Shard, files []chat.Attachment) error {
	return tool.NewFiles(b.store, s.Fence(), session, nil).Attach(ctx, files)
}

// Keep makes an exchange findable by those who may read its place, and keeps
// its thread awake.
func (b *Briefing) Keep(batch *storage.Batch, who person.Principal, x lane.Exchange) {
	asked := memory.Turn{
		Session: x.Session, Number: 2*x.Number - 1, At: x.At, Message: x.Message,
		Who: who.Person, Name: who.Name, Text: x.Asked,
	}
	answered := memory.Turn{Session: x.Session, Number: 2 * x.Number, At: x.At, Message: x.Message, Text: x.Answered}
	if quotes(x.Messages) {
		answered.Text = "" // it would be found in place of what it quotes
	}
	memory.IndexTurns(batch, who.Place, asked, answered)
	if !who.Direct {
		person.KeepAwake(batch, who.Place, person.AwakeFor)
	}
}

// quotes reports whether an answer was made from what was said before.
func quotes(messages []agent.Message) bool {
	return slices.ContainsFunc(messages, func(m agent.Message) bool {
		return slices.ContainsFunc(m.Calls, func(c agent.Call) bool { return c.Name == tool.SessionSearch })
	})
}

// Spent books what a turn used.
func (b *Briefing) Spent(who person.Principal, u agent.Usage) { b.meter.Spent(who.Person, u) }

// Refuse says so where the day's budget is used up.
func (b *Briefing) Refuse(ctx context.Context, who person.Principal) (string, error) {
	over, err := b.meter.Over(ctx, who.Person)
	if err != nil || !over {
		return "", err
	}
	return wording.Text(ctx, "You have used up today's budget with me. It starts anew at midnight UTC; `/usage` shows it, and an admin can raise it."), nil
}

// searcher binds the search to a principal.
type searcher struct {
	all *memory.Searcher
	who person.Principal
}

// Search implements tool.Searcher.
func (s searcher) Search(ctx context.Context, query string, limit int) ([]tool.Hit, error) {
	found, err := s.all.Look(ctx, s.who, query, limit)
	if err != nil {
		return nil, err
	}
	hits := make([]tool.Hit, len(found))
	for n, f := range found {
		hits[n] = tool.Hit{At: f.At, Link: f.Link, Place: where(f, s.who), Snippet: spoken(f, s.who), Origin: chat.Member}
		if f.Who != s.who.Person && f.Who != "" {
			hits[n].Origin = chat.External
		}
	}
	return hits, nil
}

// where says in words where something was said.
func where(h memory.Hit, who person.Principal) string {
	if h.Place == who.Place.Place() {
		return "here"
	}
	return "in " + h.Place.String()
}

// spoken is a found turn with its neighbours, by speaker.
func spoken(h memory.Hit, who person.Principal) string {
	name := h.Name
	switch h.Who {
	case "":
		name = "Talaria"
	case who.Person:
		name = "the person themselves"
	}
	var b strings.Builder
	if h.Before != "" {
		fmt.Fprintf(&b, "(before: %s)\n", h.Before)
	}
	fmt.Fprintf(&b, "%s: %s", name, h.Snippet.Text)
	if h.After != "" {
		fmt.Fprintf(&b, "\n(after: %s)", h.After)
	}
	return b.String()
}
