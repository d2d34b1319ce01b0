package skills

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// change is a verb that puts a skill into another state.
func (d *Desk) change(do func(context.Context, person.Principal, skill.Ref, string) (skill.Skill, error), to skill.State, done, undo string) func(context.Context, request) (chat.Post, error) {
	return func(ctx context.Context, r request) (chat.Post, error) {
		name, reason := r.first()
		s, err := d.own(ctx, r, name)
		if err != nil {
			return chat.Post{}, err
		}
		was := s
		s, err = do(ctx, r.Who, s.Ref.At(0), reason)
		if errors.Is(err, skill.ErrUnchanged) {
			return unmoved(ctx, was, to)
		}
		if err != nil {
			return chat.Post{}, err
		}
		return wording.Say(ctx, "**%s** is %s, for %s. `/skills %s %s` undoes that.", s.Name, wording.In(ctx).Of(done), whose(ctx, s.Scope, r.Who), undo, s.Name), nil
	}
}

// unmoved says why a skill was not put into a state: it is in it, or in one that
// another verb ends.
func unmoved(ctx context.Context, s skill.Skill, to skill.State) (chat.Post, error) {
	switch {
	case s.State == to || to == skill.Active && s.Live():
		return wording.Say(ctx, "**%s** is %s already.", s.Name, wording.In(ctx).Of(string(s.State))), nil
	case s.State == skill.Disabled:
		return command.Refuse(ctx, "**%s** is disabled; `/skills enable %s` ends that.", s.Name, s.Name)
	case s.State == skill.Archived:
		return command.Refuse(ctx, "**%s** is archived; `/skills restore %s` brings it back.", s.Name, s.Name)
	case s.InForce == 0:
		return command.Refuse(ctx, "**%s** was never in force; `/skills show %s` shows its draft.", s.Name, s.Name)
	}
	return command.Refuse(ctx, "**%s** is %s, which this does not change.", s.Name, wording.In(ctx).Of(string(s.State)))
}

func (d *Desk) pin(pinned bool) func(context.Context, request) (chat.Post, error) {
	return func(ctx context.Context, r request) (chat.Post, error) {
		name, _ := r.first()
		s, err := d.own(ctx, r, name)
		if err != nil {
			return chat.Post{}, err
		}
		s, err = d.library.Pin(ctx, r.Who, s.Ref.At(0), pinned)
		if err != nil && !errors.Is(err, skill.ErrUnchanged) { // it is so already
			return chat.Post{}, err
		}
		if pinned {
			return wording.Say(ctx, "**%s** is pinned: no upkeep touches it. `/skills unpin %s` ends that.", s.Name, s.Name), nil
		}
		return wording.Say(ctx, "**%s** is no longer pinned.", s.Name), nil
	}
}

func (d *Desk) rollback(ctx context.Context, r request) (chat.Post, error) {
	name, number := r.first()
	s, err := d.own(ctx, r, name)
	if err != nil {
		return chat.Post{}, err
	}
	to := 0
	if number = cmp.Or(number, r.Chosen); number != "" {
		if to, err = strconv.Atoi(number); err != nil || to < 1 || to > s.Last {
			return command.Refuse(ctx, "`%s` is no revision; `/skills history %s` lists them.", code(number), s.Name)
		}
	} else if to, err = d.before(ctx, r.Who, s); err != nil {
		return chat.Post{}, err
	}
	if to == 0 {
		return command.Refuse(ctx, "**%s** has no earlier revision to go back to; `/skills disable %s` takes it out of use.", s.Name, s.Name)
	}
	if _, _, err := r.Choose(ctx, strconv.Itoa(to)); err != nil {
		return chat.Post{}, err
	}
	was := s.InForce
	if to == was {
		return wording.Say(ctx, "**%s** is at revision %d already.", s.Name, to), nil
	}
	if s, err = d.library.Rollback(ctx, r.Who, s.At(to), "rolled back by hand"); err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "**%s** is back at revision %d. `/skills rollback %s %d` undoes that.", s.Name, s.InForce, s.Name, was), nil
}

// before is the number of the authorised revision before the one in force,
// zero for none.
func (d *Desk) before(ctx context.Context, p person.Principal, s skill.Skill) (int, error) {
	all, err := d.library.History(ctx, p, s.Ref)
	if err != nil {
		return 0, err
	}
	for _, v := range all {
		if v.Number < s.InForce && v.Grant != nil {
			return v.Number, nil
		}
	}
	return 0, nil
}

// cleanup lists the skills that hardly help or lie unused. It changes nothing:
// what goes is for people to say.
func (d *Desk) cleanup(ctx context.Context, r request) (chat.Post, error) {
	if r.words == "--dry-run" {
		return d.planned(ctx, r.Who)
	}
	least, days, ok := thresholds(r.words)
	if !ok {
		return command.Misused(ctx, "Usage: `/skills cleanup --min-confidence 0.5 --inactive-days 30`; the first is from 0 to 1, the second at least 1.")
	}
	all, err := d.library.List(ctx, r.Who)
	if err != nil {
		return chat.Post{}, err
	}
	var b strings.Builder
	for _, s := range all {
		st, err := d.stats(ctx, r.Who, s)
		if err != nil {
			return chat.Post{}, err
		}
		if why := superfluous(ctx, s, st, least, days, time.Now()); why != "" {
			fmt.Fprintf(&b, "- `%s`: %s\n", s.Name, why)
		}
	}
	if b.Len() == 0 {
		return wording.Say(ctx, "Nothing has to go: every skill here was used lately (days: %d) and helps in at least %.0f %% of its uses.", days, 100*least), nil
	}
	return wording.Say(ctx, "These may go:\n\n%s\n`/skills archive NAME` puts one away; it can be restored.", b.String()), nil
}

// thresholds reads from when on cleanup lists a skill.
func thresholds(words string) (least float64, days int, ok bool) {
	least, days = 0.5, 30
	rest := strings.Fields(strings.ReplaceAll(words, "=", " "))
	for pair := range slices.Chunk(rest, 2) {
		var err error
		switch {
		case len(pair) < 2:
			err = strconv.ErrSyntax
		case pair[0] == "--min-confidence":
			least, err = strconv.ParseFloat(pair[1], 64)
		case pair[0] == "--inactive-days":
			days, err = strconv.Atoi(pair[1])
		default:
			err = strconv.ErrSyntax
		}
		if err != nil {
			return 0, 0, false
		}
	}
	return least, days, least >= 0 && least <= 1 && days >= 1
}

// superfluous says why a skill may go, empty where it should stay.
func superfluous(ctx context.Context, s skill.Skill, st skill.Stats, least float64, days int, now time.Time) string {
	if !s.Live() || s.Pinned {
		return ""
	}
	const enough = 5 // uses that say something
	last := st.LastUsed
	if last.IsZero() {
		last = s.Created
	}
	idle := int(now.Sub(last).Hours() / 24)
	switch {
	case st.Uses() >= enough && float64(st.Successes)/float64(st.Uses()) < least:
		return wording.Text(ctx, "helped in %d of %d uses", st.Successes, st.Uses())
	case idle >= days:
		return wording.Text(ctx, "days without use: %d", idle)
	}
	return ""
}
