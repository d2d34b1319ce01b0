package skills

import (
	"context"

	"talaria/core/chat"
	"talaria/core/skill/foreign"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// maxHome bounds the skills of a home that is sent in chat.
const maxHome = 200

// takeHome takes in a home of another assistant that came with a message, as
// Import does from the shell: its skills as drafts, and what is the person's to
// them. Nobody vouches for what is in a file, so its cards wait to be confirmed.
// Where others are, the skills alone are taken.
func (d *Desk) takeHome(ctx context.Context, r request, home foreign.Home) (chat.Post, error) {
	if len(home.Skills) > maxHome {
		return command.Refuse(ctx, "There are %d skills in it; send at most %d at once, or use `talaria skills import`.", len(home.Skills), maxHome)
	}
	if r.Who.Direct {
		return d.bring(ctx, &importing{desk: d, who: r.Who, origin: chat.External}, home)
	}
	const private = "What it holds beside skills is yours alone: send it in our direct conversation."
	if len(home.Skills) == 0 {
		return command.Refuse(ctx, private)
	}
	post, err := d.takeAll(ctx, r, home)
	if err == nil {
		post.Markdown += "\n\n" + wording.Text(ctx, private)
	}
	return post, err
}
