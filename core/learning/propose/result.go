package propose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/text"
)

// skipped is that nothing comes of a proposal beyond the report.
func skipped(format string, args ...any) Result {
	return Result{Tier: TierReport, Skipped: fmt.Sprintf(format, args...)}
}

// refusals are the answers of memory and library that are no trouble of the
// store: a rule that is refused is told and not tried again.
var refusals = []error{
	memory.ErrSecret, memory.ErrHostile, memory.ErrInvalid, memory.ErrFull, memory.ErrForbidden,
	skill.ErrInvalid, skill.ErrNotFound, skill.ErrDecided, skill.ErrStale, skill.ErrUnchanged, skill.ErrDisabled, skill.ErrProtected,
	person.ErrForbidden,
}

// refused turns a refusal into a Result.
func refused(err error) (Result, error) {
	for _, r := range refusals {
		if errors.Is(err, r) {
			return skipped("%s", err), nil
		}
	}
	return Result{}, err
}

// short is one line of a text, for a line of others.
func short(s string) string {
	const most = 160
	return text.Clip(strings.Join(strings.Fields(s), " "), most)
}

// propose brings a change of a skill before the library, and tells those who
// decide about it.
func (p *Proposer) propose(ctx context.Context, c Case, pr skill.Proposal, confidence float64) (Result, error) {
	v, err := p.weigh(ctx, c, pr.Ref)
	switch {
	case err != nil:
		return refused(fmt.Errorf("look how %q has done: %w", pr.Ref.Name, err))
	case v == waits:
		return kept(p.config.In(ctx, c.Who.Person), pr.Ref.Name), nil
	case v == undoes:
		return p.takeBack(ctx, c, pr.Ref)
	}
	now, err := p.config.Store.Now(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("propose %q: %w", pr.Ref.Name, err)
	}
	pr.ByAgent, pr.Unattended = true, c.Unattended
	pr.Provenance = []skill.Provenance{p.provenance(c, confidence, now)}
	out, err := p.config.Library.Propose(ctx, c.Who, pr)
	if err != nil {
		return refused(err)
	}
	if err := p.cite(ctx, c, out.Revision); err != nil {
		return Result{}, err
	}
	if out.Known {
		return skipped("the draft of %s comes from this conversation already", pr.Ref.Name), nil
	}
	res := told(p.config.In(ctx, c.Who.Person), out)
	if out.Merged {
		return res, nil
	}
	if err := p.config.Announce(ctx, c.Who, out); err != nil {
		p.config.Log.WarnContext(ctx, "draft not announced", "skill", pr.Ref.Name, "err", err)
		return res, nil
	}
	res.Carded = !out.Live
	return res, nil
}

// kept is the result of a correction that does not change a skill yet, or without
// a name makes none. People are told, so that they can insist.
func kept(say Tongue, name string) Result {
	if name == "" {
		return Result{Tier: TierReport, Line: say("I noted the correction. This kind of work did well before, so it stays as it is until this is said once more, or “from now on” with it.")}
	}
	return Result{
		Tier: TierReport, See: "/skills show " + name,
		Line: say("I noted the correction. The skill %s did well before, so it stays as it is until this is said once more, or “from now on” with it.", name),
	}
}

// takeBack has a skill as it was before its last change.
func (p *Proposer) takeBack(ctx context.Context, c Case, r skill.Ref) (Result, error) {
	was, err := p.config.Library.Upkeep().Skill(ctx, r)
	if err == nil {
		_, err = p.config.Library.Upkeep().Revert(ctx, r, "it was contradicted before it did well")
	}
	if err != nil {
		return refused(err)
	}
	return Result{
		Tier: TierSkill, See: "/skills history " + r.Name, Undo: fmt.Sprintf("/skills rollback %s %d", r.Name, was.InForce),
		Line: p.config.In(ctx, c.Who.Person)("I took back the last change of the skill %s: it was contradicted before it did well once.", r.Name),
	}, nil
}

// told is the result of what the library did.
func told(say Tongue, out skill.Outcome) Result {
	r := out.Revision
	res := Result{Tier: TierSkill, See: "/skills diff " + r.Name}
	why := short(cmp.Or(r.Reason, r.Description))
	switch {
	case out.Live:
		res.Line, res.Undo = say("I changed the skill %s: %s", r.Name, why), "/skills rollback "+r.Name
	case out.Merged:
		res.Line = say("The draft of the skill %s was confirmed once more; it still waits for a decision.", r.Name)
	case r.State == skill.Blocked:
		res.Line = say("A draft of the skill %s is blocked by a check: %s", r.Name, why)
	case r.Base == "":
		res.Line, res.See = say("I drafted a skill, %s: %s", r.Name, why), "/skills pending"
	default:
		res.Line = say("I drafted a change of the skill %s: %s", r.Name, why)
	}
	return res
}
