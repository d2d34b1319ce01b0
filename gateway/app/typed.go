package app

import (
	"context"
	"errors"
	"fmt"

	"talaria/core/chat"
	"talaria/core/skill/foreign"
	"talaria/gateway/command"
)

// Typed is a chat command as the operator types it in the shell.
type Typed struct {
	As   chat.Identity `json:"as"` // on whose behalf
	At   chat.Address  `json:"at"` // where; without a chat it is the console
	Line string        `json:"line"`
	// Import is a path of this machine whose skills are taken in, in place of
	// Line; with Approve, those that no check has anything against are approved.
	Import  string `json:"import,omitempty"`
	Approve bool   `json:"approve,omitempty"`
}

// Answer is what comes of a command that was typed.
type Answer struct {
	chat.Post
	Outcome Outcome `json:"outcome,omitempty"`
}

// Outcome says whether a command did what it was asked.
type Outcome string

// The outcomes.
const (
	Done    Outcome = ""
	Refused Outcome = "refused"
	Misused Outcome = "misused" // it was not understood
)

// answer turns a refusal into an answer.
func answer(post chat.Post, err error) (Answer, error) {
	r, ok := errors.AsType[*command.Refusal](err)
	switch {
	case !ok:
		return Answer{Post: post}, err
	case r.Usage:
		return Answer{r.Post, Misused}, nil
	}
	return Answer{r.Post, Refused}, nil
}

// Command runs a chat command for the shell: with the rights that its author
// has where it is said, like any other.
func (a *App) Command(ctx context.Context, t Typed) (Answer, error) {
	return answer(a.typed(ctx, t))
}

func (a *App) typed(ctx context.Context, t Typed) (chat.Post, error) {
	if t.As.Platform == "" {
		t.As.Platform = consolePlatform
	}
	direct := t.At.Chat == ""
	if direct {
		t.At = chat.Address{Platform: consolePlatform, Chat: consolePlatform}
	}
	who, err := a.directory.Resolve(ctx, chat.Author{Identity: t.As}, t.At, direct)
	if err != nil {
		return chat.Post{}, fmt.Errorf("find out whose command it is: %w", err)
	}
	if err := a.consoleKnown(who); err != nil {
		return chat.Post{}, fmt.Errorf("%w; or say on whose behalf, with --as", err)
	}
	if t.Import == "" {
		return a.commands.Try(ctx, callAs(who, t.Line))
	}
	if who, err = a.directory.Renew(ctx, who); err != nil {
		return chat.Post{}, fmt.Errorf("find out whose command it is: %w", err)
	}
	home, err := foreign.Open(t.Import)
	if err != nil {
		return chat.Post{}, err
	}
	return a.skills.Import(ctx, who, home, t.Approve)
}
