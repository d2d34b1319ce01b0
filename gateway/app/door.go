package app

import (
	"context"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// door answers what can't wait: it completes options, and opens the forms that
// buttons lead to. It decides nothing: what a form submits and what a command
// says come through the inbox, and their author's rights are asked then.
type door struct{ gate *gate }

var _ chat.Door = door{}

// Answer implements chat.Door.
func (d door) Answer(ctx context.Context, e chat.Event) (chat.Reply, error) {
	switch {
	case e.Kind == chat.Query && e.Query != nil:
		return d.complete(ctx, e)
	case e.Kind != chat.Press || e.Author.Bot:
		return chat.Reply{}, nil
	}
	who, err := d.gate.directory.Resolve(ctx, e.Author, e.Address, e.Direct)
	if err != nil {
		return chat.Reply{}, err
	}
	if ctx, err = wording.For(ctx, d.gate.store, who, e); err != nil {
		return chat.Reply{}, err
	}
	form, err := d.gate.commands.Form(ctx, command.PressOf(who, e, nil))
	return chat.Reply{Form: form}, err
}

// complete offers what the asker may see where they are, to those alone whose
// command would be served.
func (d door) complete(ctx context.Context, e chat.Event) (chat.Reply, error) {
	known, who, err := d.gate.known(ctx, e)
	if err != nil {
		return chat.Reply{}, err
	}
	decision := person.Decide(e, known)
	if decision.Do != person.Serve {
		return chat.Reply{}, nil
	}
	who.Role = decision.Role
	if ctx, err = wording.For(ctx, d.gate.store, who, e); err != nil {
		return chat.Reply{}, err
	}
	choices, err := d.gate.commands.Complete(ctx, who, *e.Query)
	return chat.Reply{Choices: choices}, err
}
