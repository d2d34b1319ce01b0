package command

import (
	"context"
	"fmt"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/wording"
)

// mostHits is how many turns a search shows.
const mostHits = 8

func (r recollection) search(ctx context.Context, c Call) (chat.Post, error) {
	if c.Args == "" {
		return wording.Say(ctx, "Usage: `/search WORDS`. A day in it counts: yesterday, last Tuesday, 上周, 2026-05-01."), nil
	}
	settings, err := person.ReadSettings(ctx, r.store, c.Who)
	if err != nil {
		return chat.Post{}, err
	}
	hits, err := r.searcher.Look(ctx, c.Who, c.Args, mostHits)
	if err != nil {
		return chat.Post{}, err
	}
	if len(hits) == 0 {
		return wording.Say(ctx, "Nothing was found where you can read."), nil
	}
	var b strings.Builder
	for n, h := range hits {
		name := h.Name
		switch h.Who {
		case "":
			name = wording.Text(ctx, "I")
		case c.Who.Person:
			name = wording.Text(ctx, "you")
		}
		at := h.At.In(settings.Location()).Format(wording.Text(ctx, "2 Jan 2006 15:04"))
		if h.Link != "" {
			at = "[" + at + "](" + h.Link + ")"
		}
		fmt.Fprintf(&b, "%d. %s, **%s**: %s\n", n+1, at, plain(name), plain(h.Snippet.Text))
	}
	return chat.Post{Markdown: b.String()}, nil
}
