package skills

import (
	"context"
	"fmt"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// actCard is the action of the button that shows a draft's card.
const actCard = "skill.card"

// maxNamed is how many characters of a description stand in a list.
const maxNamed = 160

// Waiting are the drafts that p may decide on where p acts, in short. Nobody
// decides on what they have not seen: the one button shows the card.
func (d *Desk) Waiting(ctx context.Context, p person.Principal) ([]chat.Post, error) {
	all, err := d.library.Pending(ctx, p)
	if err != nil {
		return nil, err
	}
	var out []chat.Post
	for _, r := range all {
		if r.Scope.Kind != skill.Person && !person.AtLeast(p.Role, person.Approver) {
			continue
		}
		if err := d.keep(ctx, r); err != nil {
			return nil, err
		}
		post := wording.Say(ctx, "**%s** for %s: %s", code(r.Name), whose(ctx, r.Scope, p), command.Clipped(r.Description, maxNamed))
		post.Buttons = []chat.Button{{Label: wording.Text(ctx, "Look at it"), Action: actCard, Token: token(r)}}
		out = append(out, post)
	}
	return out, nil
}

// laidOut shows a draft's card to whoever asks for it.
func (d *Desk) laidOut(ctx context.Context, p command.Press, k kept) (command.Reaction, error) {
	r, err := d.open(ctx, p.Who, k)
	if err != nil {
		return command.Reaction{}, err
	}
	post, err := d.card(ctx, p.Who, r)
	if err != nil {
		return command.Reaction{}, fmt.Errorf("show a draft: %w", err)
	}
	return command.Reaction{Say: post}, nil
}
