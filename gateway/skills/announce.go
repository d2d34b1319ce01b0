package skills

import (
	"context"
	"fmt"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
)

// flood is from how many waiting drafts on no more cards are posted of their
// own: one line says how many wait.
const flood = 4

// Announce tells those who decide about a draft that was not asked for in so
// many words: with its card at the place it belongs to, or to the person whose
// it is. It is said once for each text of a draft.
func (d *Desk) Announce(ctx context.Context, p person.Principal, out skill.Outcome) error {
	if out.Revision.Scope.Kind == skill.Person && !p.Direct {
		direct, ok, err := d.directory.DirectOf(ctx, p)
		if err != nil {
			return fmt.Errorf("announce draft: %w", err)
		}
		if !ok {
			d.log.Info("draft waits unannounced: its person never wrote in private", "skill", out.Revision.Name)
			return nil
		}
		p = direct
	}
	post, err := d.announcement(ctx, p, out)
	if err != nil {
		return fmt.Errorf("announce draft: %w", err)
	}
	return d.tell(ctx, "skill:"+token(out.Revision), p.Place.Place(), post)
}

func (d *Desk) announcement(ctx context.Context, p person.Principal, out skill.Outcome) (chat.Post, error) {
	if out.Live {
		return say("I changed the skill **%s** (revision %d): %s\n\n`/skills diff %s` shows how, `/skills rollback %s` undoes it.",
			code(out.Revision.Name), out.Revision.Number, plain(out.Revision.Reason), out.Revision.Name, out.Revision.Name), nil
	}
	waiting, err := d.library.Pending(ctx, p)
	if err != nil {
		return chat.Post{}, err
	}
	if len(waiting) >= flood {
		return say("%s The newest is `%s`. `/skills pending` lists them.", plural(len(waiting), "draft waits", "drafts wait for a decision"), code(out.Revision.Name)), nil
	}
	return d.card(ctx, p, out.Revision)
}
