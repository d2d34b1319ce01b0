package curate

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/learning/outline"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
)

// joins begins the reason of a merger.
const joins = "one skill for "

// merged is the proposal of one skill for the class of work that several are
// for: the lead's text, with the others' beside it as references. It is a new
// skill where their names have something in common that names the class, else
// a revision of the lead.
func (c *Curator) merged(ctx context.Context, lead skill.Skill, with []string) (skill.Proposal, error) {
	files, rev, err := c.cfg.Upkeep.Bundle(ctx, lead.Ref.At(0))
	if err != nil {
		return skill.Proposal{}, err
	}
	m, _, err := files.Manifest(lead.Name)
	if err != nil {
		return skill.Proposal{}, fmt.Errorf("%w: %w", ErrNoBetter, err)
	}
	pr := skill.Proposal{Ref: lead.Ref.At(0), Base: lead.Hash, ByAgent: true, Ask: true, Origin: rev.Origin, Provenance: rev.Provenance}
	pr.Reason = joins + strings.Join(append([]string{lead.Name}, with...), ", ")
	next := manifest.Bundle{}
	for p, data := range files {
		next[p] = data
	}
	f := m.Fields
	for _, name := range with {
		other, orev, err := c.cfg.Upkeep.Bundle(ctx, skill.Ref{Scope: lead.Scope, Name: name})
		if err != nil {
			return skill.Proposal{}, err
		}
		if err := include(next, &f, name, other); err != nil {
			return skill.Proposal{}, err
		}
		pr.Origin = chat.Worst(pr.Origin, orev.Origin)
		pr.Provenance = append(pr.Provenance, orev.Provenance...)
	}
	if name := className(lead.Name, with); name != "" {
		if _, err := c.cfg.Upkeep.Skill(ctx, skill.Ref{Scope: lead.Scope, Name: name}); err != nil {
			f.Name, pr.Ref.Name, pr.Base = name, name, ""
		}
	}
	next[manifest.MainFile] = manifest.Compose(f)
	pr.Files = next
	return pr, nil
}

// include puts one more skill into a bundle: its text as a reference with a
// pointer to it, what calls for it and what it may do beside the lead's.
func include(next manifest.Bundle, f *manifest.Fields, name string, files manifest.Bundle) error {
	m, _, err := files.Manifest(name)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoBetter, err)
	}
	file := path.Join("references", name+".md")
	for p, data := range files {
		if p == manifest.MainFile {
			p, data = file, []byte("# "+m.Description+"\n\n"+m.Body)
		}
		if _, taken := next[p]; taken {
			return fmt.Errorf("%w: both have a file %s", ErrNoBetter, p)
		}
		next[p] = data
	}
	f.Body = outline.Add(f.Body, outline.Related, "`"+file+"`: "+m.Description)
	f.Triggers = union(f.Triggers, append(slices.Clone(m.Triggers), m.Description))
	f.Tags, f.Tools = union(f.Tags, m.Tags), union(f.Tools, m.Tools)
	f.Permissions.Hosts = union(f.Permissions.Hosts, m.Permissions.Hosts)
	f.Permissions.Schedules = f.Permissions.Schedules || m.Permissions.Schedules
	f.Permissions.Memory = f.Permissions.Memory || m.Permissions.Memory
	f.Permissions.Scripts = f.Permissions.Scripts || m.Permissions.Scripts
	return nil
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// className are the words that all names have, in the order of the first;
// empty where these are too few to name a class of work.
func className(lead string, with []string) string {
	words := strings.Split(lead, "-")
	for _, name := range with {
		has := strings.Split(name, "-")
		words = slices.DeleteFunc(words, func(w string) bool { return !slices.Contains(has, w) })
	}
	if len(words) < 2 {
		return ""
	}
	return strings.Join(words, "-")
}
