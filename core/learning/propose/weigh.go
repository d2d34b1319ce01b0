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
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/match"
	"talaria/core/trace"
	"talaria/storage"
)

// verdict is what a correction does to a skill that was in use.
type verdict int

const (
	counts verdict = iota // it is changed for it
	waits                 // it stays as it is until that is said again
	undoes                // its last change is taken back
)

// weigh decides about a correction of a task that used a skill. What went without
// objection when it was last used, or else when it was learned, is not overturned
// by one word, which may be a slip, a whim or an untruth: the next task would
// suffer for it. Said again before the skill has done well once more, it counts.
// What asks for more, and what says that it holds from now on, denies nothing of
// what went well, and counts at once.
func (p *Proposer) weigh(ctx context.Context, c Case, r skill.Ref) (verdict, error) {
	objections := denials(c.Observed)
	used := slices.ContainsFunc(c.Task.Skills, func(u trace.Use) bool { return u.Skill == r.Name })
	if len(objections) == 0 || !used {
		return counts, nil
	}
	s, err := p.config.Library.Upkeep().Skill(ctx, r)
	if errors.Is(err, skill.ErrNotFound) {
		return counts, nil // what was used is of another shelf and is called the same
	}
	if err != nil {
		return counts, err
	}
	uses, err := p.config.Library.Upkeep().Uses(ctx, r, p.config.Limits.Uses) // the latest first
	if err != nil {
		return counts, err
	}
	for _, u := range uses {
		switch {
		case u.Task == c.Task.ID:
		case u.Corrections == 0 && u.Success && u.Number <= s.InForce: // else it speaks for what was taken back since
			return waits, nil
		case u.Corrections == 0: // what failed for another reason speaks neither for nor against it
		case u.Number < s.InForce: // it was changed for what was said then, and has not held since
			return p.disputed(ctx, s, uses, objections)
		default:
			again, err := p.saidIn(ctx, skill.Provenance{Task: u.Task, Place: u.Place}, objections, false)
			if err != nil || again {
				return counts, err
			}
		}
	}
	return p.founded(ctx, s)
}

// founded decides about a skill that no use of speaks for yet: what it was learned
// from does, where nobody had to correct it.
func (p *Proposer) founded(ctx context.Context, s skill.Skill) (verdict, error) {
	past, now, err := p.history(ctx, s)
	if err != nil || now < 0 {
		return counts, err
	}
	if well, err := p.unopposed(ctx, past[now]); err != nil || !well {
		return counts, err
	}
	return waits, nil
}

// untried reports whether what a correction asks for is to wait before a new skill
// is made of it: work of this kind went without objection the last time, with no
// skill at all.
func (p *Proposer) untried(ctx context.Context, c Case) (bool, error) {
	objections := denials(c.Observed)
	if len(objections) == 0 || c.Observed.Kind == "" {
		return false, nil
	}
	kind, err := learning.KindOf(ctx, p.config.Store, c.Task.Place, c.Task.Scope(), c.Observed.Kind)
	if err != nil {
		return false, err
	}
	for _, t := range slices.Backward(kind.Points) {
		switch {
		case t.Task == c.Task.ID, !t.Corrected && !t.Success:
		case !t.Corrected:
			return true, nil
		default:
			again, err := p.saidIn(ctx, skill.Provenance{Task: t.Task, Place: c.Task.Place.String()}, objections, false)
			if err != nil || again {
				return false, err
			}
		}
	}
	return false, nil
}

// disputed decides about a skill whose last change has not held yet. Where the
// correction asks for another thing in the place of that change, it is one word
// against another, and what was there before is better founded than either, if it
// did well or nobody had objected when it was learned.
func (p *Proposer) disputed(ctx context.Context, s skill.Skill, uses []skill.Use, objections []string) (verdict, error) {
	past, now, err := p.history(ctx, s)
	if err != nil {
		return counts, err
	}
	before := slices.IndexFunc(past, func(r skill.Revision) bool { return r.Number < s.InForce && r.State == skill.Approved })
	if now < 0 || before < 0 || past[now].Grant == nil || past[now].Grant.Policy == "" {
		return counts, nil // a person decided on it
	}
	against, err := p.saidIn(ctx, founding(past[now]), objections, true)
	if err != nil || !against {
		return counts, err
	}
	held := slices.ContainsFunc(uses, func(u skill.Use) bool {
		return u.Number == past[before].Number && u.Corrections == 0 && u.Success
	})
	if held {
		return undoes, nil
	}
	if well, err := p.unopposed(ctx, past[before]); err != nil || !well {
		return counts, err
	}
	return undoes, nil
}

// history is a skill's revisions, the latest first, and the place among them of the
// one in force, -1 where it is gone.
func (p *Proposer) history(ctx context.Context, s skill.Skill) (past []skill.Revision, now int, err error) {
	past, err = p.config.Library.Upkeep().History(ctx, s.Ref)
	return past, slices.IndexFunc(past, func(r skill.Revision) bool { return r.Number == s.InForce }), err
}

// unopposed reports whether it is known that nobody objected when a revision was
// learned.
func (p *Proposer) unopposed(ctx context.Context, r skill.Revision) (bool, error) {
	o, known, err := p.seen(ctx, founding(r))
	return known && !o.Corrected, err
}

// founding is the occasion that a revision comes from.
func founding(r skill.Revision) skill.Provenance {
	if len(r.Provenance) == 0 {
		return skill.Provenance{}
	}
	return r.Provenance[len(r.Provenance)-1]
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
		if v, err := p.weigh(ctx, c, s.Ref); err != nil || v == waits {
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

// saidIn reports whether what was said of a task is in the sense of one of the
// objections, or else, if it is asked whether it is against them, asks for another
// thing in their place.
func (p *Proposer) saidIn(ctx context.Context, task skill.Provenance, objections []string, against bool) (bool, error) {
	o, _, err := p.seen(ctx, task)
	return slices.ContainsFunc(denials(o), func(said string) bool {
		return slices.ContainsFunc(objections, func(x string) bool { return match.Rivals(said, x) == against })
	}), err
}

// seen is what was observed of a task, false where it is gone.
func (p *Proposer) seen(ctx context.Context, task skill.Provenance) (learning.Observed, bool, error) {
	place, ok := chat.ParseAddress(task.Place)
	if !ok || task.Task == "" {
		return learning.Observed{}, false, nil
	}
	o, err := learning.ObservationOf(ctx, p.config.Store, person.ShardOf(place), task.Task)
	if errors.Is(err, storage.ErrNotFound) {
		return o, false, nil
	}
	return o, err == nil, err
}
