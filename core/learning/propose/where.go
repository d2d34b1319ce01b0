package propose

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/core/skill/match"
)

// governing is the skill that a lesson belongs to.
type governing struct {
	skill skill.Skill
	used  bool // its body was in the prompt of the task
}

// governs finds the skill that a lesson about a task belongs to: the one in
// use, of several the one that it fits best, else the one that covers the
// work. Only a skill of the very scope is meant: what was said in a
// conversation does not go into a skill that others see. None is no error.
func (p *Proposer) governs(ctx context.Context, c Case, lesson string) (governing, bool, error) {
	var used []skill.Skill
	for _, u := range c.Task.Skills {
		s, ok, err := p.own(ctx, c.Who, u.Skill)
		if err != nil {
			return governing{}, false, err
		}
		if ok {
			used = append(used, s)
		}
	}
	if len(used) > 0 {
		return governing{fittest(used, lesson+"\n"+c.Task.Request), true}, true, nil
	}
	visible, err := p.config.Library.Matchable(ctx, c.Who)
	if err != nil {
		return governing{}, false, fmt.Errorf("look for the skill that a lesson belongs to: %w", err)
	}
	found := match.New(visible).Match(c.Task.Request, 1).Ranked
	if len(found) == 0 || found[0].Score < p.config.Limits.Covers {
		return governing{}, false, nil
	}
	s, ok, err := p.own(ctx, c.Who, found[0].Name)
	return governing{skill: s}, ok, err
}

// fittest is the one of some skills that a text fits best, the first if it fits
// none.
func fittest(skills []skill.Skill, text string) skill.Skill {
	var texts []match.Skill
	for _, s := range skills {
		texts = append(texts, match.Skill{Name: s.Name, Description: s.Description, Triggers: s.Triggers})
	}
	found := match.New(texts).Match(text, 1).Ranked
	if len(found) == 0 {
		return skills[0]
	}
	return skills[slices.IndexFunc(skills, func(s skill.Skill) bool { return s.Name == found[0].Name })]
}

// own is a live skill of the scope where somebody is, by its name.
func (p *Proposer) own(ctx context.Context, who person.Principal, name string) (skill.Skill, bool, error) {
	s, err := p.config.Library.Find(ctx, who, name)
	if errors.Is(err, skill.ErrNotFound) || errors.Is(err, skill.ErrInvalid) {
		return skill.Skill{}, false, nil
	}
	if err != nil {
		return skill.Skill{}, false, fmt.Errorf("look for the skill that a lesson belongs to: %w", err)
	}
	return s, s.Live() && s.Scope == skill.Here(who) && s.CreatedBy != skill.ByExternal, nil
}

// protected reports whether a skill is its owner's, and not the bot's, to change.
func protected(s skill.Skill) bool { return s.CreatedBy != skill.ByAgent || s.Pinned }

// version is a text of a skill that a change begins from.
type version struct {
	files  manifest.Bundle
	base   string // hash of the revision in force; empty: there is none
	number int    // of the draft that waits; zero: the one in force
}

// versions are the texts that a change of a skill may begin from: the bot's
// own draft that waits, whose place the change would take, then the one in
// force.
func (p *Proposer) versions(ctx context.Context, who person.Principal, s skill.Skill) ([]version, error) {
	var out []version
	draft, ok, err := p.waiting(ctx, who, s)
	if err != nil {
		return nil, err
	}
	if ok && draft.Author.Agent() && draft.Base == s.Hash {
		files, err := p.config.Library.Bundle(ctx, who, draft.Ref)
		if err != nil {
			return nil, fmt.Errorf("read the draft of %q: %w", s.Name, err)
		}
		out = append(out, version{files, s.Hash, draft.Number})
	}
	if s.InForce > 0 {
		files, err := p.config.Library.Bundle(ctx, who, s.At(s.InForce))
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", s.Name, err)
		}
		out = append(out, version{files, s.Hash, 0})
	}
	return out, nil
}

// waiting is the draft of a skill that waits for a decision.
func (p *Proposer) waiting(ctx context.Context, who person.Principal, s skill.Skill) (skill.Revision, bool, error) {
	if s.Pending == 0 {
		return skill.Revision{}, false, nil
	}
	r, err := p.config.Library.Revision(ctx, who, s.At(s.Pending))
	if errors.Is(err, skill.ErrNotFound) {
		return skill.Revision{}, false, nil
	}
	if err != nil {
		return skill.Revision{}, false, fmt.Errorf("read the draft of %q: %w", s.Name, err)
	}
	now, err := p.config.Store.Now(ctx)
	if err != nil {
		return skill.Revision{}, false, fmt.Errorf("read the draft of %q: %w", s.Name, err)
	}
	state := r.StateAt(now)
	return r, state == skill.Draft || state == skill.Blocked, nil
}

// nearest is the skill of the scope, drafts included, that is most like a new
// one, with how alike they are.
func (p *Proposer) nearest(ctx context.Context, who person.Principal, m manifest.Manifest) (skill.Skill, float64, error) {
	all, err := p.config.Library.List(ctx, who)
	if err != nil {
		return skill.Skill{}, 0, fmt.Errorf("look for a skill like %q: %w", m.Name, err)
	}
	var best skill.Skill
	most := 0.0
	here := skill.Here(who)
	for _, s := range all {
		alive := s.Live() || s.State == skill.Proposed
		if s.Scope != here || !alive || s.CreatedBy == skill.ByExternal {
			continue
		}
		alike := match.Similarity(match.Skill{Name: s.Name, Description: s.Description}, match.Skill{Name: m.Name, Description: m.Description})
		if s.Name == m.Name {
			alike = 1
		}
		if alike > most {
			best, most = s, alike
		}
	}
	return best, most, nil
}
