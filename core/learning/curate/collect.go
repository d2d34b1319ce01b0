package curate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"strings"

	"talaria/core/chat"
	"talaria/core/learning/outline"
	"talaria/core/learning/propose"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
)

// met is what the uses of a skill met that its text does not tell of.
type met struct {
	files  manifest.Bundle
	text   manifest.Manifest
	points []string
	from   []skill.Provenance
	origin chat.Origin
}

// met looks through the uses of the revision in force, the latest first. What
// came of a task that failed is no way around anything.
func (c *Curator) met(ctx context.Context, s Subject) (met, error) {
	out := met{origin: chat.Member}
	if len(s.Uses) == 0 {
		return out, nil
	}
	var err error
	if out.files, _, err = c.cfg.Upkeep.Bundle(ctx, s.Ref.At(0)); err != nil {
		return out, err
	}
	if out.text, _, err = out.files.Manifest(s.Name); err != nil {
		return met{}, nil // the health check tells of it
	}
	most := c.cfg.Limits.Pitfalls
	for _, u := range s.Uses {
		if !u.Success || len(out.points) >= most {
			continue
		}
		t, o, ok, err := c.task(ctx, s.Scope, u)
		if err != nil {
			return out, err
		}
		known := out.text.Body + "\n" + strings.Join(out.points, "\n")
		found := propose.Pitfalls(o.Observation, known, most-len(out.points))
		if !ok || len(found) == 0 {
			continue
		}
		out.points = append(out.points, found...)
		out.from = append(out.from, occasion(t, ""))
		for _, step := range t.Steps {
			out.origin = chat.Worst(out.origin, step.Origin)
		}
	}
	return out, nil
}

// pitfalls: its uses met some that it does not tell of. The same ones are proposed
// once.
func pitfalls(s Subject, l Look) (Action, bool) {
	if len(s.Pitfalls) == 0 || s.Pending > 0 || !l.looked(s) {
		return Action{}, false
	}
	a := s.about(Collect, "its uses met pitfalls that it does not tell of (%d)", len(s.Pitfalls))
	sum := sha256.Sum256([]byte(strings.Join(s.Pitfalls, "\n")))
	a.Once += fmt.Sprintf(" %x", sum[:6])
	return a, true
}

// collected is the proposal of a revision that tells of the pitfalls as well. All
// of a night's are in one; no model writes any of it.
func (c *Curator) collected(ctx context.Context, s skill.Skill) (skill.Proposal, error) {
	one, err := c.subject(ctx, s)
	if err != nil {
		return skill.Proposal{}, err
	}
	m, err := c.met(ctx, one)
	if err != nil {
		return skill.Proposal{}, err
	}
	front, ok := bytes.CutSuffix(m.text.Bytes(), []byte(m.text.Body))
	if !ok || len(m.points) == 0 {
		return skill.Proposal{}, fmt.Errorf("%w: it tells of all that its uses met", ErrNoBetter)
	}
	next := maps.Clone(m.files)
	next[manifest.MainFile] = append(bytes.Clone(front), outline.Add(m.text.Body, outline.Pitfalls, m.points...)...)
	return skill.Proposal{
		Ref: s.Ref.At(0), Base: s.Hash, Files: next, ByAgent: true, Origin: m.origin, Provenance: m.from,
		Reason: "its uses met pitfalls that it does not tell of",
	}, nil
}
