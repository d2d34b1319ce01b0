package daily

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/gateway/command"
	"talaria/scheduler"
	"talaria/storage"
)

// Directory knows people and where they are.
type Directory interface {
	// DirectOf is p in their direct conversation, false where none is known.
	DirectOf(ctx context.Context, p person.Principal) (person.Principal, bool, error)
	// Present is p with the rights that it has now, as a member of its place.
	Present(ctx context.Context, p person.Principal) (person.Principal, error)
	// Readable are the places whose messages p may read now.
	Readable(ctx context.Context, p person.Principal) ([]chat.Address, error)
}

// Library knows what waits for a decision.
type Library interface {
	// Pending are the drafts that p may see where p acts.
	Pending(ctx context.Context, p person.Principal) ([]skill.Revision, error)
}

// Jobs gives a person the scheduler, bound to them and their time zone.
type Jobs func(ctx context.Context, who person.Principal) (scheduler.Desk, error)

// Reader fetches a page; its errors are words for the person.
type Reader func(ctx context.Context, who person.Principal, address string) (tool.Page, error)

// Config is what briefings are made from. Everything is required.
type Config struct {
	Store     *storage.Store
	Directory Directory
	Jobs      Jobs
	Library   Library
	Reader    Reader
	// Tell posts a card, once for its key.
	Tell command.Tell
	// Histories are the platforms that tell what was said, by name.
	Histories map[string]chat.Historian
	// Link is the web address of a message, empty where it has none.
	Link func(place chat.Address, message string) string
	Log  *slog.Logger
}

// Gatherer collects what a briefing has to tell.
type Gatherer struct{ cfg Config }

// NewGatherer returns a gatherer.
func NewGatherer(c Config) *Gatherer { return &Gatherer{c} }

// gathering is one briefing while it is gathered.
type gathering struct {
	Config
	who    person.Principal // where the briefing goes
	spec   Spec
	job    string
	now    time.Time
	before memory
	after  memory
}

// Gather implements lane.Config.Gather: what there is to tell in Markdown, empty
// for nothing new; false for a run that is no briefing's.
func (g *Gatherer) Gather(ctx context.Context, e chat.Event, who person.Principal) (string, bool, error) {
	ticket, ok := scheduler.TicketOf(e)
	if !ok {
		return "", false, nil
	}
	spec, ok := specOf(ticket.Data)
	if !ok {
		return "", false, nil
	}
	now, err := g.cfg.Store.Now(ctx)
	if err != nil {
		return "", true, err
	}
	before, err := base(ctx, g.cfg.Store, who.Person, ticket.Job, e.Key(), now)
	if err != nil {
		return "", true, err
	}
	r := &gathering{
		Config: g.cfg, who: who, spec: spec, job: ticket.Job, now: now, before: before,
		after: memory{At: now, Read: map[string]string{}, Pages: map[string][]string{}},
	}
	text, err := r.text(ctx)
	if err != nil {
		return "", true, err
	}
	return text, true, keep(ctx, g.cfg.Store, who.Person, ticket.Job, record{Run: e.Key(), Place: who.Place, Before: before, After: r.after})
}

// text gathers the sections, and leaves out those without news.
func (r *gathering) text(ctx context.Context) (string, error) {
	find := map[Section]func(context.Context) ([]item, error){
		Requests: r.requests, Approvals: r.approvals, Schedules: r.schedules, Channels: r.channels, Pages: r.pages,
	}
	lost, err := r.outside(ctx)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, s := range sections {
		var items []item
		if !r.spec.has(s.Section) {
			continue
		}
		if !lost {
			if items, err = find[s.Section](ctx); err != nil {
				return "", fmt.Errorf("gather %s: %w", s.Section, err)
			}
		}
		if text := written(r.spec.Lang.Of(s.title), r.after.fresh(r.before, items)); text != "" && b.Len()+len(text) <= maxWhole {
			b.WriteString(text + "\n")
		}
	}
	if lost {
		gone := item{"lost " + r.spec.Space.String(), r.spec.Lang.Text("I can tell nothing of %s any more: it is gone, or you are no member of it.", r.spec.Space)}
		b.WriteString(written(r.spec.Lang.Text("Briefing"), r.after.fresh(r.before, []item{gone})))
	}
	return strings.TrimSpace(b.String()), nil
}

// outside reports whether a space's briefing goes elsewhere, and its owner is no
// member of the space.
func (r *gathering) outside(ctx context.Context) (bool, error) {
	if !r.spec.team() || r.who.Place.Place() == r.spec.Space.Place() {
		return false, nil
	}
	member, err := r.member(ctx, r.spec.Space)
	return !member, err
}

// member reports whether the owner is a member of a space at this moment.
func (r *gathering) member(ctx context.Context, space chat.Address) (bool, error) {
	there := r.who
	there.Place, there.Direct = space, false
	now, err := r.Directory.Present(ctx, there)
	return person.AtLeast(now.Role, person.Guest), err
}
