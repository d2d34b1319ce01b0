package review

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/reflect"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/gateway/command"
	"talaria/gateway/wording"
	"talaria/storage"
)

// Review reviews a task on somebody's wish.
type Review func(ctx context.Context, at chat.Address, task string, d reflect.Depth) (reflect.Report, error)

// Directory finds where somebody can be reached in private, and who they are
// elsewhere.
type Directory interface {
	DirectOf(ctx context.Context, p person.Principal) (person.Principal, bool, error)
	Renew(ctx context.Context, p person.Principal) (person.Principal, error)
}

// Config is what a Desk works with.
type Config struct {
	Store  *storage.Store
	Review Review
	// Catch has what was handed over in a shard observed now, so that a task is
	// known as soon as it is answered.
	Catch     func(ctx context.Context, shard int) error
	Directory Directory
	Tell      command.Tell
	// Run runs a chat command on somebody's press.
	Run   func(ctx context.Context, who person.Principal, line string) (chat.Post, error)
	Depth reflect.Depth // of /reflect without a depth
	Log   *slog.Logger
}

// Desk answers what is asked about reviews.
type Desk struct{ cfg Config }

// New returns a desk.
func New(c Config) *Desk { return &Desk{c} }

// The buttons below what was learned.
const (
	actSee  = "learned.see"
	actUndo = "learned.undo"
)

// Commands are the chat commands about reviews.
func (d *Desk) Commands() []command.Command {
	return []command.Command{{
		Name: "reflect", Args: "[quick | standard | deep | list | show ID]", Now: true, Role: person.Guest, Run: d.reflect, Verbs: d.verbs(),
		Summary: "what I learned from our work: look at it again, list the reports, see one",
	}}
}

// verbs declares what reflect reads.
func (d *Desk) verbs() []command.Verb {
	return []command.Verb{
		{Name: "now", Summary: "look at our last task again", Unsaid: true, Options: []command.Option{
			{Name: "depth", Summary: "how closely", Choices: []string{string(reflect.Quick), string(reflect.Standard), string(reflect.Deep)}},
		}},
		{Name: "list", Summary: "the reports"},
		{Name: "show", Summary: "one report", Options: []command.Option{
			{Name: "id", Summary: "which one", Required: true, Complete: d.ids},
		}},
	}
}

// ids are the reports that somebody may see, the latest first.
func (d *Desk) ids(ctx context.Context, who person.Principal) (all []chat.Choice, err error) {
	const most = 25
	found, err := d.reports(ctx, who, most)
	for _, r := range found {
		all = append(all, command.Labelled(r.ID, r.Request))
	}
	return all, err
}

// Actions are what the buttons do.
func (d *Desk) Actions() []command.Action {
	return []command.Action{
		{Name: actSee, Role: person.Guest, Run: d.see},
		{Name: actUndo, Role: person.Guest, Run: d.undo},
	}
}

func (d *Desk) reflect(ctx context.Context, c command.Call) (chat.Post, error) {
	verb, rest, _ := strings.Cut(c.Args, " ")
	switch depth := reflect.Depth(verb); {
	case verb == "list":
		return d.list(ctx, c.Who)
	case verb == "show":
		return d.show(ctx, c.Who, strings.TrimSpace(rest))
	case verb == "":
		return d.review(ctx, c, d.cfg.Depth)
	case depth == reflect.Quick, depth == reflect.Standard, depth == reflect.Deep:
		return d.review(ctx, c, depth)
	}
	return wording.Say(ctx, "Usage: `/reflect` looks at our last task again, `/reflect deep` more closely; `/reflect list` and `/reflect show ID` show reports."), nil
}

// review looks at the last task of the session that the command was given in.
func (d *Desk) review(ctx context.Context, c command.Call, depth reflect.Depth) (chat.Post, error) {
	at := c.Who.Place
	if err := d.cfg.Catch(ctx, storage.ShardOf(at.Platform, at.Workspace, at.Chat)); err != nil {
		return chat.Post{}, err
	}
	task, err := d.last(ctx, c.Who)
	if err != nil {
		return chat.Post{}, err
	}
	if task == "" {
		return wording.Say(ctx, "There is nothing to look at yet: I have no record of a task in this conversation."), nil
	}
	rep, err := d.cfg.Review(ctx, c.Who.Place, task, depth)
	switch {
	case errors.Is(err, learning.ErrStopped):
		return wording.Say(ctx, "Learning is switched off here; `/settings learning on` switches it on again."), nil
	case errors.Is(err, reflect.ErrGaveWay):
		return wording.Say(ctx, "I stopped looking, since you wrote. Send `/reflect` again when it is quiet."), nil
	case err != nil:
		return chat.Post{}, err
	case rep.ID == "":
		return wording.Say(ctx, "There was nothing to look at."), nil
	}
	return shown(ctx, rep), nil
}

// last is the latest task of where somebody is: a thread's, or their own.
func (d *Desk) last(ctx context.Context, who person.Principal) (string, error) {
	var latest trace.Task
	err := trace.Each(ctx, d.cfg.Store, person.ShardOf(who.Place), func(t trace.Task) error {
		if t.Place == who.Place && (t.Person == who.Person || who.Place.Thread != "") && t.Last().After(latest.Last()) {
			latest = t
		}
		return nil
	})
	return latest.ID, err
}

func (d *Desk) list(ctx context.Context, who person.Principal) (chat.Post, error) {
	const most = 15
	all, err := d.reports(ctx, who, most)
	if err != nil {
		return chat.Post{}, err
	}
	if len(all) == 0 {
		return wording.Say(ctx, "There are no reports here yet. I look back at a task once it was quiet for a minute."), nil
	}
	var b strings.Builder
	for _, r := range all {
		fmt.Fprintf(&b, "- `%s` %s: %s", short(r), wording.In(ctx).Of(string(r.Outcome)), command.Clipped(r.Request, 80))
		for _, l := range r.Learned {
			b.WriteString("; " + command.Clipped(l, 120))
		}
		b.WriteByte('\n')
	}
	return wording.Say(ctx, "%s\n`/reflect show ID` shows one whole.", b.String()), nil
}

// reports are those of the place that somebody may see: in a direct
// conversation their own.
func (d *Desk) reports(ctx context.Context, who person.Principal, limit int) ([]reflect.Report, error) {
	all, err := reflect.Reports(ctx, d.cfg.Store, who.Place, limit)
	if err != nil {
		return nil, err
	}
	var out []reflect.Report
	for _, r := range all {
		if !who.Direct || r.Person == who.Person {
			out = append(out, r)
		}
	}
	return out, nil
}

func (d *Desk) show(ctx context.Context, who person.Principal, id string) (chat.Post, error) {
	if id == "" {
		return d.list(ctx, who) // whose lines begin with the ids
	}
	rep, err := d.find(ctx, who, id)
	if errors.Is(err, reflect.ErrNoReport) {
		return wording.Say(ctx, "No report here has the id `%s`; `/reflect list` shows them.", command.Clipped(id, 40)), nil
	}
	if err != nil {
		return chat.Post{}, err
	}
	return shown(ctx, rep), nil
}

// find finds a report that somebody may see: of where they are, or in their
// direct conversation, where they are told of them, of their own tasks anywhere.
func (d *Desk) find(ctx context.Context, who person.Principal, id string) (reflect.Report, error) {
	rep, err := reflect.ReportOf(ctx, d.cfg.Store, who.Place, id)
	switch {
	case err == nil && who.Direct && rep.Person != who.Person:
		return reflect.Report{}, reflect.ErrNoReport
	case !errors.Is(err, reflect.ErrNoReport) || !who.Direct:
		return rep, err
	}
	for n := range storage.Shards {
		err := reflect.Each(ctx, d.cfg.Store, storage.Shard(n), func(r reflect.Report) error {
			if r.Person == who.Person && short(r) == id {
				rep = r
			}
			return nil
		})
		if err != nil || rep.ID != "" {
			return rep, err
		}
	}
	return reflect.Report{}, reflect.ErrNoReport
}

// shown is a report as people see it. What stands in it are words of the model
// about words of others: no link and no mark-up of theirs works.
func shown(ctx context.Context, r reflect.Report) chat.Post {
	const most = 1000
	plain := func(s *string) { *s = command.Clipped(*s, most) }
	for _, s := range []*string{&r.Request, &r.WentWell, &r.WentWrong, &r.Why, &r.Differently, &r.Error} {
		plain(s)
	}
	r.Rules = slices.Clone(r.Rules)
	for n := range r.Rules {
		plain(&r.Rules[n].If)
		plain(&r.Rules[n].Then)
	}
	for _, list := range []*[]string{&r.Candidates, &r.Learned, &r.Declined, &r.Refused} {
		*list = plainLines(*list)
	}
	return chat.Post{Markdown: r.Worded(wording.In(ctx).Of), Buttons: buttons(ctx, r)}
}

func plainLines(lines []string) []string {
	const most = 300
	out := make([]string, len(lines))
	for n, l := range lines {
		out[n] = command.Clipped(l, most)
	}
	return out
}

// short is what names a report in chat.
func short(r reflect.Report) string { return r.ID[strings.LastIndexByte(r.ID, '-')+1:] }

func buttons(ctx context.Context, r reflect.Report) []chat.Button {
	if len(r.Undo) == 0 {
		return nil
	}
	return []chat.Button{{Label: wording.Text(ctx, "Undo"), Action: actUndo, Token: short(r), Style: "danger"}}
}
