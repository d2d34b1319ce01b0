package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/wording"
)

var (
	// ErrCode: the code that was to confirm something is not good, or no longer.
	ErrCode = errors.New("that code is not good, or no longer")
	// ErrForgotten is the ErrCode of somebody who was forgotten not long ago, and
	// has asked for no other code since.
	ErrForgotten = fmt.Errorf("%w: they were forgotten", ErrCode)
)

// Rights carries out what people may demand about what is kept of them.
type Rights interface {
	// Ask makes the code that confirms forgetting.
	Ask(ctx context.Context, who person.Principal) (code string, err error)
	// Confirm returns ErrCode, or ErrForgotten, unless the code is the one that
	// Ask made.
	Confirm(ctx context.Context, who person.Principal, code string) error
	// Forget erases all that is kept of somebody, the code with it. request names
	// the command. It may be repeated.
	Forget(ctx context.Context, who person.Principal, request string) error
	// Export is all that is kept of somebody, as a file.
	Export(ctx context.Context, who person.Principal) (chat.Upload, error)
}

// ForRights are the commands by which people get, and erase, what is kept of
// them.
func ForRights(r Rights) []Command {
	return []Command{
		{Name: "forget", Args: "me [CODE]", Summary: "erase everything that I keep about you", Now: true, Role: person.Guest, Direct: true,
			Options: []Option{
				{Name: "what", Summary: "everything about you", Required: true, Choices: []string{"me"}},
				{Name: "code", Summary: "the code that confirms it"},
			},
			Run: func(ctx context.Context, c Call) (chat.Post, error) { return forget(ctx, r, c) }},
		{Name: "export", Summary: "everything that I keep about you, as a file", Now: true, Role: person.Guest, Direct: true,
			Run: func(ctx context.Context, c Call) (chat.Post, error) { return exported(ctx, r, c) }},
	}
}

const privately = "Please write that to me in a direct conversation: it concerns nobody else."

func forget(ctx context.Context, r Rights, c Call) (chat.Post, error) {
	words := strings.Fields(c.Args)
	switch {
	case len(words) == 0 || len(words) > 2 || !strings.EqualFold(words[0], "me"):
		return wording.Say(ctx, "`/forget me` erases everything that I keep about you. For a single thing: `/memory delete ID`, `/whoami strike N`."), nil
	case !c.Who.Direct:
		return wording.Say(ctx, privately), nil
	case len(words) == 1:
		return warn(ctx, r, c)
	}
	switch err := forgetOnce(ctx, r, c, bareCode(words[1])); {
	case errors.Is(err, ErrForgotten):
		return wording.Say(ctx, "That code has done its work: you were forgotten. `/forget me` gives you a new one for what you said since."), nil
	case errors.Is(err, ErrCode):
		return wording.Say(ctx, "That code is not good, or no longer. Nothing was erased; `/forget me` gives you a new one."), nil
	case err != nil:
		return chat.Post{}, err
	}
	return wording.Say(ctx, "You are forgotten. Within a minute nothing is left of what you said to me and what I remembered of you. "+
		"An older backup still holds it; whoever runs me can restore that without bringing you back. What is in this chat itself is yours to delete."), nil
}

// How far a run of the command had come that was cut off.
const (
	confirmed = "confirmed" // the code was good, and may be erased with the rest
	forgotten = "forgotten"
)

// forgetOnce goes on where a run of the command that was cut off had come to.
func forgetOnce(ctx context.Context, r Rights, c Call, code string) error {
	if c.Chosen == "" {
		if err := r.Confirm(ctx, c.Who, code); err != nil {
			return err
		}
	}
	reached, _, err := c.Choose(ctx, confirmed)
	if err != nil || reached == forgotten {
		return err
	}
	if err := r.Forget(ctx, c.Who, c.Event.Key()); err != nil || c.Keep == nil {
		return err
	}
	return c.Keep(ctx, forgotten)
}

// warn says what forgetting means and how to confirm it.
func warn(ctx context.Context, r Rights, c Call) (chat.Post, error) {
	code, err := r.Ask(ctx, c.Who)
	if err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "This erases, for good and at once, everything that I keep about you, on all your linked accounts: what I remember, "+
		"our conversations and their files, what you said to me in shared places and my answers to it, cards that you gave a space, "+
		"your jobs, settings, roles given in chat and links. It can't be taken back. `/export` gives you a copy first.\n\n"+
		"If you are sure, send within ten minutes: `/forget me %s`", code), nil
}

func exported(ctx context.Context, r Rights, c Call) (chat.Post, error) {
	if !c.Who.Direct {
		return wording.Say(ctx, privately), nil
	}
	file, err := r.Export(ctx, c.Who)
	if err != nil {
		return chat.Post{}, err
	}
	return chat.Post{
		Markdown: wording.Text(ctx, "Everything that I keep about you: `readable.md` to read, `everything.json` with all of it, and your files."),
		Files:    []chat.Upload{file},
	}, nil
}
