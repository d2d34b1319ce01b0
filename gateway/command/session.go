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

// Domains tells where an admin has the say.
type Domains func(ctx context.Context, admin person.Principal) (person.Domain, error)

// ForSession are the commands about the session that they are given in.
func ForSession(domains Domains) []Command {
	return []Command{
		{Name: "new", Summary: "start afresh, forgetting this conversation (not what I remember about you)", Now: true, Role: person.Guest, Run: reset},
		{Name: "stop", Args: "[all]", Summary: "stop what I am doing", Now: true, Role: person.Guest, Run: domains.stop,
			Lines:   true, // whoever wants an end gets it, whatever else they say
			Options: []Option{{Name: "whose", Summary: "everybody's, for admins", Choices: []string{"all"}}}},
		{Name: "status", Summary: "what I am doing in this conversation", Now: true, Role: person.Guest, Run: status},
	}
}

func reset(ctx context.Context, c Call) (chat.Post, error) {
	c.Session.Stop(ctx, c.Who.Person)
	if err := c.Session.Reset(ctx); err != nil {
		return chat.Post{}, fmt.Errorf("begin a new session: %w", err)
	}
	return wording.Say(ctx, "A fresh start. What was said before is no longer in my mind here; `/search` still finds it."), nil
}

func (d Domains) stop(ctx context.Context, c Call) (chat.Post, error) {
	if strings.EqualFold(c.Args, "all") {
		return d.stopAll(ctx, c)
	}
	switch n := c.Session.Stop(ctx, c.Who.Person); n {
	case 0:
		return wording.Say(ctx, "Nothing was running."), nil
	case 1:
		return wording.Say(ctx, "Stopped."), nil
	default:
		return wording.Say(ctx, "Stopped %d requests.", n), nil
	}
}

// stopAll stops everybody's requests where the admin has the say.
func (d Domains) stopAll(ctx context.Context, c Call) (chat.Post, error) {
	domain, err := d(ctx, c.Who)
	switch {
	case errors.Is(err, person.ErrForbidden):
		return wording.Say(ctx, "`/stop all` stops everybody's requests, so it needs the role **admin**. `/stop` stops yours."), nil
	case err != nil:
		return chat.Post{}, fmt.Errorf("stop everything: %w", err)
	}
	c.Session.StopAll(ctx, domain)
	return wording.Say(ctx, "Everything is stopped that was under way where you are an admin."), nil
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
