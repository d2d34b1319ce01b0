package propose

import (
	"context"
	"errors"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/observe"
	"talaria/core/memory"
	"talaria/core/skill"
	"talaria/core/skill/match"
	"talaria/core/trace"
	"talaria/storage"
)

// lookedBack is how many uses of a skill are looked at for what speaks for it.
const lookedBack = 20

// stands reports whether a skill stays as it is although a task that used it was
// corrected. What went without objection when it was last used is not overturned
// by one word, which may be a slip, a whim or an untruth: the next task would
// suffer for it. Said again before the skill has done well once more, it counts.
// What asks for more, and what says that it holds from now on, denies nothing
// of what went well, and counts at once.
func (p *Proposer) stands(ctx context.Context, c Case, r skill.Ref) (bool, error) {
	objections := denials(c.Observed)
	used := slices.ContainsFunc(c.Task.Skills, func(u trace.Use) bool { return u.Skill == r.Name })
	if len(objections) == 0 || !used {
		return false, nil
	}
	s, err := p.config.Library.Upkeep().Skill(ctx, r)
	if err != nil {
		return false, err
	}
	uses, err := p.config.Library.Upkeep().Uses(ctx, r, lookedBack) // the latest first
	if err != nil {
		return false, err
	}
	for _, u := range uses {
		switch {
		case u.Task == c.Task.ID:
		case u.Corrections == 0 && u.Success:
			return true, nil
		case u.Corrections == 0: // what failed for another reason speaks neither for nor against it
		case u.Number != s.InForce: // it was changed for what was said then, and has not held since
			return false, nil
		default:
			again, err := p.saidIn(ctx, u, objections)
			if err != nil || again {
				return false, err
			}
		}
	}
	return false, nil
}

// denies names the skill in use that stands as it is, where a rule about the work
// says no more than the correction of it; empty where none does. A card would
// have it done otherwise too.
func (p *Proposer) denies(ctx context.Context, c Case, r Rule) (string, error) {
	if r.Kind != memory.Work || !memory.Said(r.Then, strings.Join(denials(c.Observed), "\n")) {
		return "", nil
	}
	for _, u := range c.Task.Skills {
		s, ok, err := p.own(ctx, c.Who, u.Skill)
		if err != nil {
			return "", err
		}
		if !ok {
			continue
		}
		if stands, err := p.stands(ctx, c, s.Ref); err != nil || stands {
			return s.Name, err
		}
	}
	return "", nil
}

// denials are the corrections of a task that say that the work was wrong.
func denials(o learning.Observed) []string {
	var out []string
	for _, f := range o.Feedback {
		switch {
		case f.Other || !f.Sign.Corrects():
		case observe.Changes(f.Text):
			return nil
		case !observe.Adds(f.Text):
			out = append(out, f.Text)
		}
	}
	return out
}

// saidIn reports whether the task of a use was corrected in the same sense. One
// that is gone can't tell.
func (p *Proposer) saidIn(ctx context.Context, u skill.Use, objections []string) (bool, error) {
	place, ok := chat.ParseAddress(u.Place)
	if !ok {
		return false, nil
	}
	o, err := learning.ObservationOf(ctx, p.config.Store, trace.ShardOf(place), u.Task)
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	again := slices.ContainsFunc(denials(o), func(said string) bool {
		return slices.ContainsFunc(objections, func(x string) bool { return !match.Rivals(said, x) })
	})
	return again, err
}
