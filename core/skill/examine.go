package skill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill/manifest"
	"talaria/core/text"
	"talaria/storage"
)

// examine reads and checks a proposal and keeps its files. The revision that
// it returns has no number yet.
func (l *Library) examine(ctx context.Context, p person.Principal, pr Proposal) (Revision, error) {
	if err := pr.Ref.check(); err != nil {
		return Revision{}, err
	}
	m, findings, err := readable(pr)
	if err != nil {
		return Revision{}, err
	}
	c := Candidate{
		Ref: pr.Ref.At(0), Files: pr.Files, Manifest: m, Permissions: Declared(m, pr.Ref.Scope),
		Origin: pr.Origin, ByAgent: pr.ByAgent, Provenance: pr.Provenance,
	}
	var had Permissions
	if c.Before, had, err = l.base(ctx, pr); err != nil {
		return Revision{}, err
	}
	if c.Neighbours, err = l.neighbours(ctx, pr.Ref); err != nil {
		return Revision{}, err
	}
	for _, check := range append([]Check{checkPaths, checkOrigin}, l.checks...) {
		found, err := check(ctx, c)
		if err != nil {
			return Revision{}, fmt.Errorf("check the files: %w", err)
		}
		findings = append(findings, found...)
	}
	slices.SortStableFunc(findings, func(a, b Finding) int { return b.Severity.weight() - a.Severity.weight() })
	r := Revision{
		Ref: c.Ref, Summary: summary(m), Hash: pr.Files.Hash(), State: Draft, Reason: clip(pr.Reason),
		Team: p.Team, Base: pr.Base, Origin: pr.Origin, Provenance: joined(nil, pr.Provenance), Findings: findings,
		Permissions: c.Permissions, Adds: Added(had, c.Permissions), Scripts: touchesScripts(c.Before, pr.Files),
	}
	if !pr.ByAgent {
		r.Author.Person = p.Person
	}
	if slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity == Block }) {
		r.State = Blocked
	}
	r.Files, err = l.keep(ctx, pr.Ref.Scope, pr.Files)
	return r, err
}

// readable reads the front matter. What can't be read, or is called otherwise,
// is no skill.
func readable(pr Proposal) (manifest.Manifest, []Finding, error) {
	total := 0
	for path, data := range pr.Files {
		total += len(data)
		if err := manifest.SafePath(path); err != nil {
			return manifest.Manifest{}, nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		if path != manifest.MainFile && len(data) > manifest.MaxSupportFile {
			return manifest.Manifest{}, nil, fmt.Errorf("%w: %s has %d bytes, at most %d", ErrInvalid, path, len(data), manifest.MaxSupportFile)
		}
	}
	if total > manifest.MaxBundle || len(pr.Files) > manifest.MaxFiles {
		return manifest.Manifest{}, nil, fmt.Errorf("%w: %d files of %d bytes, at most %d of %d",
			ErrInvalid, len(pr.Files), total, manifest.MaxFiles, manifest.MaxBundle)
	}
	m, messages, err := pr.Files.Manifest(pr.Ref.Name)
	if err != nil {
		return m, nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if m.Name != pr.Ref.Name {
		return m, nil, fmt.Errorf("%w: it calls itself %q, not %q", ErrInvalid, m.Name, pr.Ref.Name)
	}
	var findings []Finding
	for _, x := range messages {
		if x.Level == manifest.Warn {
			findings = append(findings, Finding{Check: "format", Severity: Warn, File: manifest.MainFile, Message: x.Text})
		}
	}
	return m, findings, nil
}

// base are the files and permissions that a proposal changes; none for a new skill.
func (l *Library) base(ctx context.Context, pr Proposal) (manifest.Bundle, Permissions, error) {
	doc, err := l.load(ctx, pr.Ref)
	switch {
	case errors.Is(err, ErrNotFound) && pr.Base == "":
		return nil, Permissions{}, nil
	case err != nil && !errors.Is(err, ErrNotFound):
		return nil, Permissions{}, err
	case doc.Value.Hash != pr.Base:
		return nil, Permissions{}, ErrStale
	case pr.Base == "":
		return nil, Permissions{}, nil
	}
	b, _, err := l.inForce(ctx, doc.Value)
	return b, doc.Value.Permissions, err
}

// neighbours are the other skills of the scope.
func (l *Library) neighbours(ctx context.Context, r Ref) ([]Skill, error) {
	shelf, err := l.shelf(ctx, r.Scope)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(shelf.skills), func(s Skill) bool { return s.Name == r.Name }), nil
}

// checkPaths: the agent writes the main file and the support folders alone.
func checkPaths(_ context.Context, c Candidate) ([]Finding, error) {
	if !c.ByAgent {
		return nil, nil
	}
	var out []Finding
	for _, path := range c.Files.Paths() {
		if had, ok := c.Before[path]; ok && bytes.Equal(had, c.Files[path]) {
			continue
		}
		if err := manifest.WritablePath(path); err != nil {
			out = append(out, Finding{Check: "paths", Severity: Block, File: path, Message: err.Error()})
		}
	}
	return out, nil
}

// checkOrigin: what was made from outside content may not act outside.
func checkOrigin(_ context.Context, c Candidate) ([]Finding, error) {
	if c.Origin < chat.External || !c.Permissions.outward() {
		return nil, nil
	}
	return []Finding{{Check: "origin", Severity: Block,
		Message: "made from outside content, it may not ask for the network or for schedules"}}, nil
}

// touchesScripts reports whether a change adds, alters or removes a script.
func touchesScripts(before, after manifest.Bundle) bool {
	for path, data := range after {
		if had, ok := before[path]; strings.HasPrefix(path, "scripts/") && !(ok && bytes.Equal(had, data)) {
			return true
		}
	}
	for path := range before {
		if _, ok := after[path]; strings.HasPrefix(path, "scripts/") && !ok {
			return true
		}
	}
	return false
}

// keep stores the files. What a conflict leaves unused is found again by its
// hash when the same is proposed.
func (l *Library) keep(ctx context.Context, s Scope, b manifest.Bundle) ([]File, error) {
	var out []File
	for _, path := range b.Paths() {
		hash, err := l.store.PutBlob(ctx, s.partition(), b[path])
		if err != nil {
			return nil, fmt.Errorf("keep %s: %w", path, err)
		}
		out = append(out, File{Path: path, Blob: hash, Size: len(b[path])})
	}
	return out, nil
}

// bundle reads the files of a revision and checks that they are what its hash
// stands for. What was checked once is kept in memory by that hash.
func (l *Library) bundle(ctx context.Context, r Revision) (manifest.Bundle, error) {
	if b, ok := l.files.get(r.Hash); ok {
		return b, nil
	}
	b := manifest.Bundle{}
	for _, f := range r.Files {
		data, err := l.store.GetBlob(ctx, r.Scope.partition(), f.Blob)
		if err != nil {
			return nil, fmt.Errorf("read %s of %q: %w", f.Path, r.Name, err)
		}
		b[f.Path] = data
	}
	if b.Hash() != r.Hash {
		return nil, fmt.Errorf("%w: the files of %q are not those of revision %d; restore it from a backup", storage.ErrCorrupt, r.Name, r.Number)
	}
	l.files.put(r.Hash, b)
	return b, nil
}

// maxReason bounds what somebody writes about a decision, in characters.
const maxReason = 1000

func clip(s string) string { return text.Clip(strings.ToValidUTF8(s, "\uFFFD"), maxReason) }
