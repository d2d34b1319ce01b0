package skills

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// Remind tells of drafts that are about to expire and of those that did, once
// each, and takes up what is new in skills that others follow. Several replicas
// may do it at once.
func (d *Desk) Remind(ctx context.Context) error {
	upkeep := d.library.Upkeep()
	return upkeep.Scopes(ctx, func(s skill.Scope) error {
		soon, err := upkeep.Remind(ctx, s)
		if err != nil {
			return err
		}
		late, err := upkeep.Expire(ctx, s)
		if err != nil {
			return err
		}
		for _, notes := range []struct {
			drafts []skill.Revision
			post   func(context.Context, person.Principal, []skill.Revision) (chat.Post, error)
		}{{soon, d.reminder}, {late, expiry}} {
			if err := d.note(ctx, s, notes.drafts, notes.post); err != nil {
				return err
			}
		}
		if s.Kind == skill.Person {
			return d.follow(ctx, s)
		}
		return nil
	})
}

// note tells the readers of drafts of one scope about all of them at once.
func (d *Desk) note(ctx context.Context, s skill.Scope, drafts []skill.Revision, post func(context.Context, person.Principal, []skill.Revision) (chat.Post, error)) error {
	type told struct {
		reader person.Principal
		drafts []skill.Revision
	}
	byPlace := map[chat.Address]told{}
	for _, r := range drafts {
		p, ok, err := d.proposer(ctx, s, r)
		if err != nil || !ok {
			if err != nil {
				return err
			}
			continue
		}
		readers, err := d.readers(ctx, p, r)
		if err != nil {
			return err
		}
		for _, reader := range readers {
			at := reader.Place.Place()
			byPlace[at] = told{reader, append(byPlace[at].drafts, r)}
		}
	}
	for at, t := range byPlace {
		told, err := d.speaking(ctx, t.reader, t.drafts[0])
		if err != nil {
			return err
		}
		say, err := post(told, t.reader, t.drafts)
		if err != nil {
			return fmt.Errorf("remind of drafts: %w", err)
		}
		last := t.drafts[len(t.drafts)-1]
		key := fmt.Sprintf("skill.%s:%s/%s", last.State, token(last), at)
		if err := d.tell(ctx, key, at, say); err != nil {
			return fmt.Errorf("remind of drafts: %w", err)
		}
	}
	return nil
}

// proposer stands for where a draft came from: the place of its scope, the
// shared place that it was last learned in, or its person in private.
func (d *Desk) proposer(ctx context.Context, s skill.Scope, r skill.Revision) (person.Principal, bool, error) {
	if s.Kind == skill.Space {
		return person.Principal{Team: s.Team, Place: s.Place, Role: person.Member}, true, nil
	}
	who := s.Person
	for _, from := range slices.Backward(r.Provenance) {
		if who == "" && len(from.People) > 0 {
			who = from.People[0]
		}
	}
	if who == "" {
		who = r.Author.Person
	}
	return d.Directory.Reach(ctx, who)
}

// reminder is the card of one draft, and a list of several.
func (d *Desk) reminder(ctx context.Context, p person.Principal, drafts []skill.Revision) (chat.Post, error) {
	if len(drafts) == 1 {
		post, err := d.card(ctx, p, drafts[0])
		post.Markdown = wording.Text(ctx, "This draft still waits, until %s.\n\n", drafts[0].Expires.UTC().Format(wording.Text(ctx, "2 January, 15:04 UTC"))) + post.Markdown
		return post, err
	}
	return wording.Say(ctx, "%s about to expire:\n\n%s\n`/skills show NAME` shows one with its buttons.", count(ctx, len(drafts), "draft is", "drafts are"), names(drafts)), nil
}

func expiry(ctx context.Context, _ person.Principal, drafts []skill.Revision) (chat.Post, error) {
	return wording.Say(ctx, "Nobody decided in time, so this expired:\n\n%s\nIt can be proposed again.", names(drafts)), nil
}

func names(drafts []skill.Revision) string {
	var b strings.Builder
	for _, r := range drafts {
		fmt.Fprintf(&b, "- `%s` %s\n", code(r.Name), command.Clipped(r.Description, 100))
	}
	return b.String()
}

// follow proposes what is new in the skills that somebody's copies follow.
func (d *Desk) follow(ctx context.Context, s skill.Scope) error {
	all, err := d.library.Upkeep().Shelf(ctx, s)
	if err != nil || !slices.ContainsFunc(all, func(k skill.Skill) bool { return k.Follows != nil }) {
		return err
	}
	p, ok, err := d.Directory.Reach(ctx, s.Person)
	if err != nil || !ok {
		return err
	}
	for _, k := range all {
		if k.Follows == nil || !k.Live() {
			continue
		}
		out, err := d.library.Refresh(ctx, p, k.Name)
		switch {
		case refusal(ctx, err) != "" || errors.Is(err, person.ErrForbidden):
		case err != nil:
			return err
		case !out.Merged:
			if err := d.Announce(ctx, p, out); err != nil {
				return err
			}
		}
	}
	return nil
}
