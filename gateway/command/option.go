package command

import (
	"context"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
)

// Verb is one thing that a command does, for platforms that have a form for
// that. It declares what Run reads from the text, which stays the same
// everywhere.
type Verb struct {
	Name, Summary string
	Unsaid        bool // it is what the command does without a verb
	Options       []Option
}

// Option is a value after a command or a verb.
type Option struct {
	Name, Summary string
	Required      bool
	Choices       []string // all that it can be, where that is settled
	Complete      Complete // what it may be; nil where anything can be said
}

// Complete lists what an option can be for somebody: nothing that they may not
// see where they are. What is typed already is not its concern.
type Complete func(ctx context.Context, who person.Principal) ([]chat.Choice, error)

// maxChoices is the most that is offered at once: as many as Discord shows
// (discord.com/developers/docs/interactions/application-commands#autocomplete).
const maxChoices = 25

// Complete answers a question about a half-typed option. It offers nothing
// where who may not use the command.
func (t *Table) Complete(ctx context.Context, who person.Principal, q chat.QueryData) ([]chat.Choice, error) {
	cmd, ok := t.Lookup(q.Command)
	if !ok || !allowed(who.Role, cmd.Role) {
		return nil, nil
	}
	o, ok := cmd.option(q.Verb, q.Option)
	if !ok || o.Complete == nil {
		return nil, nil
	}
	all, err := o.Complete(ctx, who)
	return fitting(all, q.Typed), err
}

func (c Command) option(verb, name string) (Option, bool) {
	options := c.Options
	if n := slices.IndexFunc(c.Verbs, func(v Verb) bool { return v.Name == verb }); n >= 0 {
		options = c.Verbs[n].Options
	}
	n := slices.IndexFunc(options, func(o Option) bool { return o.Name == name })
	if n < 0 {
		return Option{}, false
	}
	return options[n], true
}

// fitting are the choices that hold what was typed, those first that begin with
// it.
func fitting(all []chat.Choice, typed string) []chat.Choice {
	typed = strings.ToLower(strings.TrimSpace(typed))
	var begin, hold []chat.Choice
	for _, c := range all {
		value, label := strings.ToLower(c.Value), strings.ToLower(c.Label)
		switch {
		case strings.HasPrefix(value, typed), strings.HasPrefix(label, typed):
			begin = append(begin, c)
		case strings.Contains(value, typed), strings.Contains(label, typed):
			hold = append(hold, c)
		}
	}
	fit := append(begin, hold...)
	return fit[:min(maxChoices, len(fit))]
}

// menuVerbs and menuOptions are what the menu tells of the declarations.
func menuVerbs(verbs []Verb) (out []chat.MenuVerb) {
	for _, v := range verbs {
		out = append(out, chat.MenuVerb{Name: v.Name, Description: v.Summary, Unsaid: v.Unsaid, Options: menuOptions(v.Options)})
	}
	return out
}

func menuOptions(options []Option) (out []chat.MenuOption) {
	for _, o := range options {
		out = append(out, chat.MenuOption{
			Name: o.Name, Description: o.Summary, Required: o.Required, Choices: o.Choices, Completed: o.Complete != nil,
		})
	}
	return out
}

// Labelled is a choice by an id that says little, shown with what it stands
// for. Platforms cut labels, and read no markup in them.
func Labelled(id, text string) chat.Choice {
	return chat.Choice{Value: id, Label: id + ": " + strings.Join(strings.Fields(text), " ")}
}
