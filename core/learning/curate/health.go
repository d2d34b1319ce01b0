package curate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"talaria/core/skill"
	"talaria/storage"
)

// Weekly checks the health of all skills, and puts the digest before those who
// decide about them.
func (c *Curator) Weekly(ctx context.Context) error {
	return c.each(ctx, func(s skill.Scope) error {
		failed, err := c.health(ctx, s)
		if err != nil {
			return err
		}
		d, err := c.Digest(ctx, s)
		if err != nil {
			return err
		}
		d.Failed = failed
		if d.Empty() {
			return nil
		}
		return c.cfg.Post(ctx, d)
	})
}

// health checks every live skill of a scope again, as it is in force. One that
// would not be let in today is deprecated, whoever made it: what the checks
// hold to be hostile, or what can't be read, is nobody's to keep in use.
func (c *Curator) health(ctx context.Context, s skill.Scope) ([]Entry, error) {
	shelf, err := c.cfg.Upkeep.Shelf(ctx, s)
	if err != nil {
		return nil, err
	}
	var out []Entry
	for _, k := range shelf {
		if !k.Live() {
			continue
		}
		why, err := c.ailing(ctx, k)
		if err != nil {
			return nil, fmt.Errorf("check %q: %w", k.Name, err)
		}
		if why == "" {
			continue
		}
		_, err = c.cfg.Upkeep.Retire(ctx, k.Ref, skill.Deprecated, "failed its health check: "+why)
		if err != nil && !isRefusal(err) {
			return nil, err
		}
		if err == nil {
			out = append(out, Entry{Name: k.Name, Revision: k.InForce, Why: why})
		}
	}
	return out, nil
}

// ailing says what is wrong with a skill, empty for nothing.
func (c *Curator) ailing(ctx context.Context, k skill.Skill) (string, error) {
	files, rev, err := c.cfg.Upkeep.Bundle(ctx, k.Ref.At(0))
	if errors.Is(err, storage.ErrCorrupt) {
		return "its files are not those that were approved", nil
	}
	if err != nil {
		return "", err
	}
	m, _, err := files.Manifest(k.Name)
	if err != nil {
		return "its SKILL.md can't be read", nil
	}
	candidate := skill.Candidate{
		Ref: k.Ref, Files: files, Manifest: m, Before: files, Permissions: skill.Declared(m, k.Scope), Origin: rev.Origin, Provenance: rev.Provenance,
	}
	var why []string
	for _, check := range c.cfg.Checks {
		found, err := check(ctx, candidate)
		if err != nil {
			return "", err
		}
		for _, f := range found {
			if f.Severity == skill.Block {
				why = append(why, f.Message)
			}
		}
	}
	return strings.Join(why, "; "), nil
}
