package app

import (
	"context"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
)

// door opens the forms that buttons lead to. It decides nothing: what the form
// submits comes through the inbox, and its author's rights are asked then.
type door struct {
	directory *person.Directory
	commands  *command.Table
}

var _ chat.Door = door{}

// Answer implements chat.Door.
func (d door) Answer(ctx context.Context, e chat.Event) (chat.Reply, error) {
	if e.Kind != chat.Press || e.Author.Bot {
		return chat.Reply{}, nil
	}
	who, err := d.directory.Resolve(ctx, e.Author, e.Address, e.Direct)
	if err != nil {
		return chat.Reply{}, err
	}
	form, err := d.commands.Form(ctx, command.PressOf(who, e, nil))
	return chat.Reply{Form: form}, err
}
