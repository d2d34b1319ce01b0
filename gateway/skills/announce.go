package skills

import (
	"context"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// flood is from how many waiting drafts on no more cards are posted of their
// own: one line says how many wait, at most once an hour.
const flood = 4

// Announce tells those who decide about a draft that was not asked for in so
// many words: with its card at the place it belongs to, or to the people who
// may decide. It is said once for each text of a draft.
func (d *Desk) Announce(ctx context.Context, p person.Principal, out skill.Outcome) error {
	return d.announce(ctx, p, out, chat.Address{})
}

// announce leaves out the place where the card is the answer to a command.
func (d *Desk) announce(ctx context.Context, p person.Principal, out skill.Outcome, but chat.Address) error {
	readers, err := d.readers(ctx, p, out.Revision)
	if err != nil {
		return fmt.Errorf("announce draft: %w", err)
	}
	if len(readers) == 0 {
		d.log.Info("draft waits unannounced: nobody who may decide ever wrote in private", "skill", out.Revision.Name)
	}
	for _, reader := range readers {
		at := reader.Place.Place()
		if at == but {
			continue
		}
		told, err := d.speaking(ctx, reader, out.Revision)
		if err != nil {
			return fmt.Errorf("announce draft: %w", err)
		}
		key, post, err := d.announcement(told, reader, out)
		if err != nil {
			return fmt.Errorf("announce draft: %w", err)
		}
		if err := d.tell(ctx, key+"/"+at.String(), at, post); err != nil {
			return fmt.Errorf("announce draft: %w", err)
		}
	}
	return nil
}

// readers are those who are told of a draft of p's, each where they are told:
// a place's as its reader p; a team's where it came from, or in private those
// who may approve it; a person's as that person, and where it asks for new
// rights the admins.
func (d *Desk) readers(ctx context.Context, p person.Principal, r skill.Revision) ([]person.Principal, error) {
	switch {
	case r.Scope.Kind == skill.Space:
		p.Place, p.Direct = r.Scope.Place, false
		return []person.Principal{p}, nil
	case r.Scope.Kind == skill.Team && !p.Direct:
		return []person.Principal{p}, nil
	case r.Scope.Kind == skill.Team:
		return d.inPrivate(ctx, p, person.Approver)
	case r.Adds.Privileged():
		return d.inPrivate(ctx, p, person.Admin)
	}
	return d.inPrivate(ctx, p, person.Nobody)
}

// inPrivate are p and, unless role is Nobody, the others of a role in p's team,
// in their direct conversations as far as these are known.
func (d *Desk) inPrivate(ctx context.Context, p person.Principal, role person.Role) ([]person.Principal, error) {
	var out []person.Principal
	direct, known := p, p.Direct
	if !known {
		var err error
		if direct, known, err = d.Directory.DirectOf(ctx, p); err != nil {
			return nil, err
		}
	}
	if known {
		out = append(out, direct)
	}
	if role == person.Nobody {
		return out, nil
	}
	others, err := d.Directory.Others(ctx, p, role)
	return append(out, others...), err
}

// announcement is what a reader is told, and the key by which it is told once.
func (d *Desk) announcement(ctx context.Context, p person.Principal, out skill.Outcome) (string, chat.Post, error) {
	key := "skill:" + token(out.Revision)
	if out.Live {
		return key, wording.Say(ctx, "I changed the skill **%s** (revision %d): %s\n\n`/skills diff %s` shows how, `/skills rollback %s` undoes it.",
			code(out.Revision.Name), out.Revision.Number, command.Plain(out.Revision.Reason), out.Revision.Name, out.Revision.Name), nil
	}
	waiting, err := d.library.Pending(ctx, p)
	if err != nil {
		return "", chat.Post{}, err
	}
	if len(waiting) >= flood {
		post := wording.Say(ctx, "%s The newest is `%s`. `/skills pending` lists them.", plural(ctx, len(waiting), "draft waits", "drafts wait for a decision"), code(out.Revision.Name))
		return "skill.digest:" + time.Now().UTC().Format("2006010215"), post, nil
	}
	post, err := d.card(ctx, p, out.Revision)
	return key, post, err
}

// speaking is the language that a draft is told of in: its reader's in private,
// in a shared place that of whoever's work it came from.
func (d *Desk) speaking(ctx context.Context, reader person.Principal, r skill.Revision) (context.Context, error) {
	who := reader.Person
	if !reader.Direct {
		who = r.Author.Person
		for _, from := range r.Provenance {
			if len(from.People) > 0 {
				who = from.People[0]
			}
		}
	}
	return wording.ForUnasked(ctx, d.Store, who)
}
