package command

import (
	"context"
	"fmt"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/wording"
)

// ForSession are the commands about the session that they are given in.
func ForSession() []Command {
	return []Command{
		{Name: "new", Summary: "start afresh, forgetting this conversation (not what I remember about you)", Now: true, Role: person.Guest, Run: reset},
		{Name: "stop", Args: "[all]", Summary: "stop what I am doing", Now: true, Role: person.Guest, Run: stop,
			Options: []Option{{Name: "whose", Summary: "everybody's, for admins", Choices: []string{"all"}}}},
		{Name: "status", Summary: "what I am doing in this conversation", Now: true, Role: person.Guest, Run: status},
	}
}

func reset(ctx context.Context, c Call) (chat.Post, error) {
	c.Session.Stop(ctx, false)
	if err := c.Session.Reset(ctx); err != nil {
		return chat.Post{}, fmt.Errorf("begin a new session: %w", err)
	}
	return wording.Say(ctx, "A fresh start. What was said before is no longer in my mind here; `/search` still finds it."), nil
}

func stop(ctx context.Context, c Call) (chat.Post, error) {
	all := strings.EqualFold(c.Args, "all")
	if all && !person.AtLeast(c.Who.Role, person.Admin) {
		return wording.Say(ctx, "`/stop all` stops everybody's requests, so it needs the role **admin**. `/stop` stops yours."), nil
	}
	switch n := c.Session.Stop(ctx, all); n {
	case 0:
		return wording.Say(ctx, "Nothing was running."), nil
	case 1:
		return wording.Say(ctx, "Stopped."), nil
	default:
		return wording.Say(ctx, "Stopped %d requests.", n), nil
	}
}

func status(ctx context.Context, c Call) (chat.Post, error) {
	s, err := c.Session.Status(ctx)
	if err != nil {
		return chat.Post{}, err
	}
	var b strings.Builder
	switch {
	case s.Running && s.Doing != "":
		b.WriteString(wording.Text(ctx, "Working on your request: %s.", s.Doing))
	case s.Running:
		b.WriteString(wording.Text(ctx, "Working on your request."))
	default:
		b.WriteString(wording.Text(ctx, "Nothing is running."))
	}
	if s.Queued > 0 {
		b.WriteString(wording.Text(ctx, " Waiting after it: %d.", s.Queued))
	}
	b.WriteString(wording.Text(ctx, " Exchanges in this conversation: %d.", s.Turns))
	return chat.Post{Markdown: b.String()}, nil
}
