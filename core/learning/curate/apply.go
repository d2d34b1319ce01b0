package curate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
)

// Done is what came of one action.
type Done struct {
	Action
	Note string // what came of it beyond what the action says
	Undo string // the command that takes it back; empty where nothing was changed
}

// Report is what a look did and asks.
type Report struct {
	Plan
	Done []Done
}

// Apply carries a plan out. What no longer is as the plan has it is left alone.
func (c *Curator) Apply(ctx context.Context, p Plan) (Report, error) {
	r := Report{Plan: p}
	for _, a := range p.Actions {
		d, err := c.carryOut(ctx, p.Scope, a)
		switch {
		case isRefusal(err):
			c.cfg.Log.InfoContext(ctx, "left as it is", "action", a.Kind, "skill", a.Skill, "why", err)
		case err != nil:
			return r, fmt.Errorf("%s %s%s: %w", a.Kind, a.Skill, a.Card, err)
		default:
			r.Done = append(r.Done, d)
		}
	}
	return r, nil
}

// errMoved: the skill is not any more what was planned about.
var errMoved = errors.New("it has changed since")

func (c *Curator) carryOut(ctx context.Context, s skill.Scope, a Action) (Done, error) {
	if a.Skill != "" {
		now, err := c.cfg.Upkeep.Skill(ctx, skill.Ref{Scope: s, Name: a.Skill})
		if err == nil && (now.InForce != a.Revision || !now.Live()) {
			err = errMoved
		}
		if err != nil {
			return Done{}, err
		}
		return c.withSkill(ctx, now, a)
	}
	return c.withCard(ctx, c.memory(s), a)
}

func (c *Curator) withCard(ctx context.Context, h *memory.Handle, a Action) (Done, error) {
	var err error
	switch a.Kind {
	case Promote:
		const sure = 0.85
		_, err = h.Adjust(ctx, a.Card, "found to hold", memory.Active, sure)
	case Drop:
		_, err = h.Adjust(ctx, a.Card, "dropped", memory.Archived, 0)
	default:
		return Done{Action: a}, nil
	}
	if err != nil {
		return Done{}, err
	}
	changes, err := h.Changes(ctx)
	if err != nil || len(changes) == 0 {
		return Done{Action: a}, err
	}
	return Done{Action: a, Undo: fmt.Sprintf("/memory undo %d", changes[len(changes)-1].Number)}, nil
}

func (c *Curator) withSkill(ctx context.Context, s skill.Skill, a Action) (Done, error) {
	d := Done{Action: a}
	var err error
	switch a.Kind {
	case Rollback:
		d.Undo = fmt.Sprintf("/skills rollback %s %d", a.Skill, a.Revision)
		_, err = c.cfg.Upkeep.Revert(ctx, s.Ref, a.Why)
	case Stale:
		_, err = c.cfg.Upkeep.Retire(ctx, s.Ref, skill.Stale, a.Why)
	case Archive:
		d.Undo = "/skills restore " + a.Skill
		_, err = c.cfg.Upkeep.Retire(ctx, s.Ref, skill.Archived, a.Why)
	case Improve, Rewrite:
		d.Note, err = c.propose(ctx, s, func() (skill.Proposal, error) { return c.improved(ctx, s, a.Kind == Rewrite) })
	case Collect:
		d.Note, err = c.propose(ctx, s, func() (skill.Proposal, error) { return c.collected(ctx, s) })
	case Merge:
		d.Note, err = c.propose(ctx, s, func() (skill.Proposal, error) { return c.merged(ctx, s, a.With) })
	}
	return d, err
}

// propose makes a draft of what is written, and says what came of it. That
// nothing better was found is an answer too.
func (c *Curator) propose(ctx context.Context, s skill.Skill, write func() (skill.Proposal, error)) (string, error) {
	pr, err := write()
	if errors.Is(err, ErrNoBetter) {
		return err.Error(), nil
	}
	if err != nil {
		return "", err
	}
	team, err := c.cfg.Team(ctx, s.Scope)
	if err != nil {
		return "", err
	}
	pr.Unattended = true
	out, err := c.cfg.Upkeep.Propose(ctx, pr, team)
	if isRefusal(err) {
		return "a change was written and refused: " + err.Error(), nil
	}
	if err != nil {
		return "", err
	}
	if err := c.cfg.Announce(ctx, s.Scope, out); err != nil {
		c.cfg.Log.WarnContext(ctx, "draft not announced", "skill", pr.Ref.Name, "err", err)
	}
	note := "a draft waits: /skills diff " + pr.Ref.Name
	if out.Live {
		note = "changed: /skills diff " + pr.Ref.Name + " shows how, /skills rollback " + pr.Ref.Name + " undoes it"
	}
	if pr.Ref.Name != s.Name {
		note += "; it takes the place of " + strings.TrimPrefix(pr.Reason, joins)
	}
	return note, nil
}

// isRefusal reports whether an error is the library's or memory's answer, and
// no trouble of the store's.
func isRefusal(err error) bool {
	for _, r := range []error{
		errMoved, memory.ErrNotFound, person.ErrForbidden, skill.ErrInvalid, skill.ErrNotFound, skill.ErrDecided, skill.ErrStale,
		skill.ErrUnchanged, skill.ErrDisabled, skill.ErrProtected,
	} {
		if errors.Is(err, r) {
			return true
		}
	}
	return false
}
