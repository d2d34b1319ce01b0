package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/gateway/command"
)

// Typed is a chat command as the operator types it in the shell.
type Typed struct {
	As   chat.Identity `json:"as"` // on whose behalf
	At   chat.Address  `json:"at"` // where; without a chat it is the console
	Line string        `json:"line"`
}

// Command runs a chat command for the shell: with the rights that its author
// has where it is said, like any other.
func (a *App) Command(ctx context.Context, t Typed) (chat.Post, error) {
	if t.As.Platform == "" {
		t.As.Platform = consolePlatform
	}
	direct := t.At.Chat == ""
	if direct {
		t.At = chat.Address{Platform: consolePlatform, Chat: consolePlatform}
	}
	author := chat.Author{Identity: t.As}
	who, err := a.directory.Resolve(ctx, author, t.At, direct)
	if err != nil {
		return chat.Post{}, fmt.Errorf("find out whose command it is: %w", err)
	}
	name, args, _ := strings.Cut(strings.TrimPrefix(t.Line, "/"), " ")
	e := chat.Event{
		Kind: chat.Command, At: time.Now().UTC(), Address: t.At, Direct: direct, Author: author, Origin: chat.Member,
		Command: &chat.CommandCall{Name: name, Args: args},
	}
	return a.commands.Run(ctx, command.Call{Who: who, Event: e})
}
