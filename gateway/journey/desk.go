package journey

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/curve"
	"talaria/core/learning/graph"
	"talaria/core/learning/observe"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/trace"
	"talaria/gateway/command"
	"talaria/gateway/picture"
	"talaria/gateway/wording"
	"talaria/storage"
)

// Library is what is read and changed of skills.
type Library interface {
	List(ctx context.Context, p person.Principal) ([]skill.Skill, error)
	Stats(ctx context.Context, p person.Principal, r skill.Ref) (skill.Stats, error)
	Find(ctx context.Context, p person.Principal, name string) (skill.Skill, error)
	Archive(ctx context.Context, p person.Principal, r skill.Ref, reason string) (skill.Skill, error)
}

// Config is what a Desk works with.
type Config struct {
	Store   *storage.Store
	Library Library
	// Deleted is told of every card that somebody drops.
	Deleted func(ctx context.Context, who person.Principal, c memory.Card) error
	Graph   graph.Measures // zero: graph.DefaultMeasures
	Goal    float64        // share of success that the work is to reach; zero: curve.Goal
}

// Desk answers /journey and /curve.
type Desk struct{ cfg Config }

// New returns a desk.
func New(c Config) *Desk {
	c.Graph, c.Goal = cmp.Or(c.Graph, graph.DefaultMeasures()), cmp.Or(c.Goal, curve.Goal)
	return &Desk{c}
}

// Commands are the chat commands about what was learned.
func (d *Desk) Commands() []command.Command {
	return []command.Command{
		{
			Name: "journey", Args: "[delete ID | edit ID TEXT | --json]", Now: true, Lines: true, Role: person.Guest, Run: d.journey, Verbs: d.verbs(),
			Summary: "what I have learned here, as a graph; change or drop a part of it",
		},
		{
			Name: "curve", Args: "[--json]", Now: true, Role: person.Guest, Run: d.curve, Options: []command.Option{asJSON},
			Summary: "how the work goes: success, steps and use of skills over time",
		},
	}
}

var asJSON = command.Option{Name: "as", Summary: "as data instead of a picture", Choices: []string{"--json"}}

// verbs declares what journey reads.
func (d *Desk) verbs() []command.Verb {
	id := func(of command.Complete) command.Option {
		return command.Option{Name: "id", Summary: "which part", Required: true, Complete: of}
	}
	return []command.Verb{
		{Name: "show", Summary: "what I have learned here", Unsaid: true, Options: []command.Option{asJSON}},
		{Name: "delete", Summary: "drop a part of it", Options: []command.Option{id(d.nodes)}},
		{Name: "edit", Summary: "reword a card", Options: []command.Option{
			id(d.cards), {Name: "text", Summary: "what it is to say", Required: true},
		}},
	}
}

// cards are the ids of the cards that somebody sees where they are.
func (d *Desk) cards(ctx context.Context, who person.Principal) (all []chat.Choice, err error) {
	cards, err := memory.For(d.cfg.Store, who).List(ctx)
	for _, c := range cards {
		if c.State != memory.Archived {
			all = append(all, command.Labelled(graph.CardID(c), c.Text))
		}
	}
	return all, err
}

// nodes are cards and skills.
func (d *Desk) nodes(ctx context.Context, who person.Principal) ([]chat.Choice, error) {
	all, err := d.cards(ctx, who)
	if err != nil {
		return nil, err
	}
	list, err := d.cfg.Library.List(ctx, who)
	for _, s := range list {
		all = append(all, command.Labelled(s.Name, s.Description))
	}
	return all, err
}

func (d *Desk) journey(ctx context.Context, c command.Call) (chat.Post, error) {
	verb, rest, _ := strings.Cut(c.Args, " ")
	switch verb {
	case "":
	case "--json":
		g, err := d.graph(ctx, c.Who)
		if err != nil {
			return chat.Post{}, err
		}
		return document(ctx, c, "journey.json", g)
	case "delete":
		return d.drop(ctx, c.Who, strings.TrimSpace(rest))
	case "edit":
		id, text, _ := strings.Cut(strings.TrimSpace(rest), " ")
		return d.edit(ctx, c.Who, id, strings.TrimSpace(text))
	default:
		return command.Misused(ctx, "Usage: `/journey`, `/journey delete ID`, `/journey edit ID TEXT`.")
	}
	g, err := d.graph(ctx, c.Who)
	if err != nil {
		return chat.Post{}, err
	}
	if len(g.Nodes) == 0 {
		return wording.Say(ctx, "I have learned nothing here yet. It begins with the first things that you tell me to remember, and with the first work that is done again."), nil
	}
	post := chat.Post{Markdown: drawn(ctx, g)}
	return pictured(c, post, "journey.png", func() ([]byte, error) { return picture.Graph(g) })
}

func (d *Desk) graph(ctx context.Context, who person.Principal) (graph.Graph, error) {
	list, err := d.cfg.Library.List(ctx, who)
	if err != nil {
		return graph.Graph{}, err
	}
	var skills []graph.Skill
	for _, s := range list {
		st, err := d.cfg.Library.Stats(ctx, who, s.Ref)
		if err != nil {
			return graph.Graph{}, err
		}
		skills = append(skills, graph.Skill{Skill: s, Uses: st.Uses()})
	}
	cards, err := memory.For(d.cfg.Store, who).List(ctx)
	if err != nil {
		return graph.Graph{}, err
	}
	return graph.Build(skills, cards, d.cfg.Graph), nil
}

// cardOf is the card whose node has an id.
func (d *Desk) cardOf(ctx context.Context, who person.Principal, id string) (memory.Card, bool, error) {
	cards, err := memory.For(d.cfg.Store, who).List(ctx)
	if err != nil {
		return memory.Card{}, false, err
	}
	for _, c := range cards {
		if graph.CardID(c) == id {
			return c, true, nil
		}
	}
	return memory.Card{}, false, nil
}

// drop takes a node away: a skill is archived, a card too. Both come back.
func (d *Desk) drop(ctx context.Context, who person.Principal, id string) (chat.Post, error) {
	if strings.HasPrefix(id, graph.CardNode+":") {
		card, ok, err := d.cardOf(ctx, who, id)
		if err != nil {
			return chat.Post{}, err
		}
		if !ok {
			return missing(ctx, id)
		}
		if _, err := memory.For(d.cfg.Store, who).Adjust(ctx, card.ID, "deleted", memory.Archived, card.Confidence); err != nil {
			return refused(ctx, err)
		}
		if err := d.cfg.Deleted(ctx, who, card); err != nil {
			return chat.Post{}, err
		}
		return wording.Say(ctx, "Deleted: %s\n\n`/memory undo` takes it back.", command.Plain(card.Text)), nil
	}
	s, err := d.cfg.Library.Find(ctx, who, id)
	if errors.Is(err, skill.ErrNotFound) {
		return missing(ctx, id)
	}
	if err == nil {
		s, err = d.cfg.Library.Archive(ctx, who, s.Ref.At(0), "dropped from the graph")
	}
	if err != nil {
		return refused(ctx, err)
	}
	return wording.Say(ctx, "**%s** is put away. `/skills restore %s` brings it back.", s.Name, s.Name), nil
}

func (d *Desk) edit(ctx context.Context, who person.Principal, id, text string) (chat.Post, error) {
	card, ok, err := d.cardOf(ctx, who, id)
	switch {
	case err != nil:
		return chat.Post{}, err
	case !ok:
		return d.noCard(ctx, who, id)
	case text == "":
		return command.Misused(ctx, "Usage: `/journey edit %s TEXT`.", id)
	}
	_, err = memory.For(d.cfg.Store, who).Replace(ctx, card.ID, text, memory.Source{Origin: chat.Member, Spoken: text})
	if err != nil {
		return refused(ctx, err)
	}
	return wording.Say(ctx, "It says now: %s\n\n`/memory undo` takes it back.", command.Plain(text)), nil
}

// noCard says of an id that is no card's what it is.
func (d *Desk) noCard(ctx context.Context, who person.Principal, id string) (chat.Post, error) {
	s, err := d.cfg.Library.Find(ctx, who, id)
	switch {
	case errors.Is(err, skill.ErrNotFound):
		return missing(ctx, id)
	case err != nil:
		return refused(ctx, err)
	}
	return command.Refuse(ctx, "A skill is edited with `/skills edit %s`.", s.Name)
}

func missing(ctx context.Context, id string) (chat.Post, error) {
	return command.Refuse(ctx, "There is no `%s` in the graph; `/journey` shows the ids.", command.Plain(id))
}

// refused tells what speaks against a change.
func refused(ctx context.Context, err error) (chat.Post, error) {
	for _, known := range []error{
		person.ErrForbidden, skill.ErrProtected, skill.ErrUnchanged, memory.ErrForbidden, memory.ErrInvalid, memory.ErrSecret, memory.ErrHostile,
	} {
		if errors.Is(err, known) {
			return command.Refuse(ctx, "That did not work: %s.", wording.In(ctx).Of(known.Error()))
		}
	}
	return chat.Post{}, err
}

func (d *Desk) curve(ctx context.Context, c command.Call) (chat.Post, error) {
	kinds, err := d.kinds(ctx, c.Who)
	if err != nil {
		return chat.Post{}, err
	}
	curves := curve.Of(kinds, d.cfg.Goal)
	if c.Args == "--json" {
		return document(ctx, c, "curve.json", map[string]any{"kinds": curves})
	}
	if len(curves) == 0 {
		return wording.Say(ctx, "There is nothing to draw yet: no task is over here since I keep count. One is after `/new`, with another request, or after half an hour of silence."), nil
	}
	return pictured(c, chat.Post{Markdown: lines(ctx, curves)}, "curve.png", func() ([]byte, error) { return picture.Curve(curves) })
}

// kinds are the kinds of task of where somebody is.
func (d *Desk) kinds(ctx context.Context, who person.Principal) ([]observe.Kind, error) {
	scope := trace.Task{Direct: who.Direct, Person: who.Person, Place: who.Place}.Scope()
	return learning.Kinds(ctx, d.cfg.Store, who.Place, scope)
}

// document is a payload for programs: bare in the shell, a file in chat.
func document(ctx context.Context, c command.Call, name string, v any) (chat.Post, error) {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return chat.Post{}, fmt.Errorf("write %s: %w", name, err)
	}
	if c.Session == nil {
		return chat.Post{Markdown: string(data)}, nil
	}
	return chat.Post{Markdown: wording.Text(ctx, "The data:"), Files: []chat.Upload{{Name: name, MIME: "application/json", Data: data}}}, nil
}

// pictured adds a picture where pictures are looked at.
func pictured(c command.Call, post chat.Post, name string, draw func() ([]byte, error)) (chat.Post, error) {
	if c.Session == nil || c.Event.Address.Platform == "console" {
		return post, nil
	}
	data, err := draw()
	if err != nil {
		return chat.Post{}, err
	}
	post.Files = []chat.Upload{{Name: name, MIME: "image/png", Data: data}}
	return post, nil
}
