package skills

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
)

// change is a verb that puts a skill into another state.
func (d *Desk) change(do func(context.Context, person.Principal, skill.Ref, string) (skill.Skill, error), done, undo string) func(context.Context, request) (chat.Post, error) {
	return func(ctx context.Context, r request) (chat.Post, error) {
		name, reason := r.first()
		s, err := d.library.Find(ctx, r.Who, name)
		if err != nil {
			return chat.Post{}, err
		}
		if s, err = do(ctx, r.Who, s.Ref.At(0), reason); err != nil {
			return chat.Post{}, err
		}
		return say("**%s** is %s, for %s. `/skills %s %s` undoes that.", s.Name, done, whose(s.Scope, r.Who), undo, s.Name), nil
	}
}

func (d *Desk) pin(pinned bool) func(context.Context, request) (chat.Post, error) {
	return func(ctx context.Context, r request) (chat.Post, error) {
		name, _ := r.first()
		s, err := d.library.Find(ctx, r.Who, name)
		if err != nil {
			return chat.Post{}, err
		}
		if s, err = d.library.Pin(ctx, r.Who, s.Ref.At(0), pinned); err != nil {
			return chat.Post{}, err
		}
		if pinned {
			return say("**%s** is pinned: no upkeep touches it. `/skills unpin %s` ends that.", s.Name, s.Name), nil
		}
		return say("**%s** is no longer pinned.", s.Name), nil
	}
}

func (d *Desk) rollback(ctx context.Context, r request) (chat.Post, error) {
	name, number := r.first()
	s, err := d.library.Find(ctx, r.Who, name)
	if err != nil {
		return chat.Post{}, err
	}
	to := 0
	if number != "" {
		if to, err = strconv.Atoi(number); err != nil || to < 1 {
			return say("`%s` is no revision; `/skills history %s` lists them.", code(number), s.Name), nil
		}
	} else if to, err = d.before(ctx, r.Who, s); err != nil {
		return chat.Post{}, err
	}
	if to == 0 {
		return say("**%s** has no earlier revision to go back to; `/skills disable %s` takes it out of use.", s.Name, s.Name), nil
	}
	was := s.InForce
	if s, err = d.library.Rollback(ctx, r.Who, s.At(to), "rolled back by hand"); err != nil {
		return chat.Post{}, err
	}
	return say("**%s** is back at revision %d. `/skills rollback %s %d` undoes that.", s.Name, s.InForce, s.Name, was), nil
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
	least, days, wrong := 0.5, 30, ""
	words := strings.Fields(strings.ReplaceAll(r.words, "=", " "))
	for i := 0; i+1 < len(words) && wrong == ""; i += 2 {
		var err error
		switch words[i] {
		case "--min-confidence":
			least, err = strconv.ParseFloat(words[i+1], 64)
		case "--inactive-days":
			days, err = strconv.Atoi(words[i+1])
		default:
			err = strconv.ErrSyntax
		}
		if err != nil {
			wrong = words[i]
		}
	}
	if wrong != "" || len(words)%2 != 0 {
		return say("Usage: `/skills cleanup --min-confidence 0.5 --inactive-days 30`."), nil
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
		if why := superfluous(s, st, least, days, time.Now()); why != "" {
			fmt.Fprintf(&b, "- `%s`: %s\n", s.Name, why)
		}
	}
	if b.Len() == 0 {
		return say("Nothing has to go: every skill here was used within %d days and helps in at least %.0f %% of its uses.", days, 100*least), nil
	}
	return say("These may go:\n\n%s\n`/skills archive NAME` puts one away; it can be restored.", b.String()), nil
}

// superfluous says why a skill may go, empty where it should stay.
func superfluous(s skill.Skill, st skill.Stats, least float64, days int, now time.Time) string {
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
		return fmt.Sprintf("helped in %d of %d uses", st.Successes, st.Uses())
	case idle >= days:
		return fmt.Sprintf("not used for %d days", idle)
	}
	return ""
}
