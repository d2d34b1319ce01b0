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
		failed, ailing, err := c.health(ctx, s)
		if err != nil {
			return err
		}
		d, err := c.Digest(ctx, s)
		if err != nil {
			return err
		}
		d.Failed, d.Ailing = failed, ailing
		if d.Empty() {
			return nil
		}
		return c.cfg.Post(ctx, d)
	})
}

// health checks every live skill of a scope again, as it is in force. Of those
// that would not be let in today, the bot's own are deprecated; what people
// wrote, took in or pinned is theirs to put away, and only told of.
func (c *Curator) health(ctx context.Context, s skill.Scope) (failed, ailing []Entry, err error) {
	shelf, err := c.cfg.Upkeep.Shelf(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	for _, k := range shelf {
		if !k.Live() {
			continue
		}
		why, err := c.ailing(ctx, k)
		if err != nil {
			return nil, nil, fmt.Errorf("check %q: %w", k.Name, err)
		}
		if why == "" {
			continue
		}
		e := Entry{Name: k.Name, Revision: k.InForce, Why: why}
		if !own(k) {
			ailing = append(ailing, e)
			continue
		}
		_, err = c.cfg.Upkeep.Retire(ctx, k.Ref, skill.Deprecated, "failed its health check: "+why)
		if err != nil && !isRefusal(err) {
			return nil, nil, err
		}
		if err == nil {
			failed = append(failed, e)
		}
	}
	return failed, ailing, nil
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
