package skills

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"talaria/core/chat"
	"talaria/core/skill"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// configure shows what a skill asks to be set, or sets it for where it is said.
func (d *Desk) configure(ctx context.Context, r request) (chat.Post, error) {
	name, assignment := r.first()
	if assignment == "" {
		return d.settings(ctx, r, name)
	}
	key, value, ok := strings.Cut(assignment, "=")
	if !ok {
		return command.Misused(ctx, "Usage: `/skills config %s KEY=VALUE`; an empty value brings the default back.", code(name))
	}
	err := d.library.Configure(ctx, r.Who, name, strings.TrimSpace(key), strings.TrimSpace(value))
	if errors.Is(err, skill.ErrInvalid) {
		_, why, _ := strings.Cut(err.Error(), skill.ErrInvalid.Error()+": ")
		return command.Refuse(ctx, "**%s** can't be set so: %s. `/skills config %s` shows what it asks for.", code(name), command.Plain(why), code(name))
	}
	if err != nil {
		return chat.Post{}, err
	}
	where := wording.Text(ctx, "in this place")
	if r.Who.Direct {
		where = wording.Text(ctx, "for you")
	}
	return wording.Say(ctx, "`%s` is set for **%s**, %s. It stands in the prompt wherever the skill is used: it is no place for secrets.", code(strings.TrimSpace(key)), code(name), where), nil
}

func (d *Desk) settings(ctx context.Context, r request, name string) (chat.Post, error) {
	all, err := d.library.Settings(ctx, r.Who, name)
	if err != nil {
		return chat.Post{}, err
	}
	if len(all) == 0 {
		return wording.Say(ctx, "**%s** asks for no settings.", code(name)), nil
	}
	var b strings.Builder
	for _, s := range all {
		how := wording.Text(ctx, "the default")
		if s.Set {
			how = wording.Text(ctx, "set")
		}
		fmt.Fprintf(&b, "- `%s` = `%s` (%s): %s\n", code(s.Key), code(s.Value), how, command.Clipped(s.Description, 160))
	}
	return wording.Say(ctx, "**%s** asks for:\n\n%s\n`/skills config %s KEY=VALUE` sets one.", code(name), b.String(), code(name)), nil
}
