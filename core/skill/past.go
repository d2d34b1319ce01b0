package skill

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"talaria/core/person"
	"talaria/core/skill/manifest"
	"talaria/core/skill/scan"
)

// Revision is one revision of a skill that p may see; Number zero is the one in
// force. An admin who is to decide about new rights of a person's skill sees
// that draft.
func (l *Library) Revision(ctx context.Context, p person.Principal, r Ref) (Revision, error) {
	rev, err := l.readable(ctx, p, r)
	if err != nil {
		return Revision{}, fmt.Errorf("read a revision of %q: %w", r.Name, err)
	}
	return rev, nil
}

func (l *Library) readable(ctx context.Context, p person.Principal, r Ref) (Revision, error) {
	s, err := l.load(ctx, r)
	if err != nil {
		return Revision{}, err
	}
	seen, err := l.sees(ctx, p, s.Value)
	if err != nil {
		return Revision{}, err
	}
	if r.Number == 0 {
		r.Number = s.Value.InForce
	}
	now, err := l.store.Now(ctx)
	if err != nil {
		return Revision{}, err
	}
	d, err := l.loadRevision(ctx, r)
	d.Value.State = d.Value.StateAt(now)
	if err != nil || seen {
		return d.Value, err
	}
	if r.Number == s.Value.InForce {
		if seen, err = l.subscribes(ctx, p, s.Value); err != nil || seen {
			return d.Value.abroad(), err
		}
	}
	asked := r.Scope.Kind == Person && r.Number == s.Value.Pending && d.Value.privileged()
	if !asked {
		return Revision{}, ErrNotFound
	}
	if _, err := l.mayWiden(ctx, p, d.Value); err != nil {
		return Revision{}, ErrNotFound
	}
	return d.Value, nil
}

// abroad is a revision for a space that subscribed to it: where it was learned
// in its own is not told, nor what was there before.
func (r Revision) abroad() Revision {
	r.Provenance, r.Base = nil, ""
	return r
}

// Bundle are the files of a revision that p may see. They must not be changed.
func (l *Library) Bundle(ctx context.Context, p person.Principal, r Ref) (manifest.Bundle, error) {
	rev, err := l.readable(ctx, p, r)
	if err != nil {
		return nil, fmt.Errorf("read the files of %q: %w", r.Name, err)
	}
	return l.bundle(ctx, rev)
}

// History are the revisions of a skill, the latest first; for a space that
// subscribed to it, the one in force alone.
func (l *Library) History(ctx context.Context, p person.Principal, r Ref) ([]Revision, error) {
	s, err := l.load(ctx, r)
	if err == nil {
		var seen bool
		if seen, err = l.sees(ctx, p, s.Value); err == nil && !seen {
			rev, err := l.Revision(ctx, p, r.At(s.Value.InForce))
			return []Revision{rev}, err
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read the history of %q: %w", r.Name, err)
	}
	return l.history(ctx, r.At(0))
}

// Diff is the unified difference that revision r.Number makes to an earlier one;
// from zero, to the revision it was made from.
func (l *Library) Diff(ctx context.Context, p person.Principal, r Ref, from int) (string, error) {
	rev, err := l.readable(ctx, p, r)
	if err == nil && from != 0 {
		_, err = l.readable(ctx, p, r.At(from))
	}
	if err != nil {
		return "", fmt.Errorf("compare revisions of %q: %w", r.Name, err)
	}
	after, err := l.bundle(ctx, rev)
	if err != nil {
		return "", fmt.Errorf("compare revisions of %q: %w", r.Name, err)
	}
	before := manifest.Bundle{}
	past, err := l.history(ctx, r.At(0))
	if err != nil {
		return "", fmt.Errorf("compare revisions of %q: %w", r.Name, err)
	}
	i := slices.IndexFunc(past, func(o Revision) bool {
		return o.Number == from || from == 0 && rev.Base != "" && o.Hash == rev.Base && o.Grant != nil
	})
	switch {
	case i >= 0:
		if before, err = l.bundle(ctx, past[i]); err != nil {
			return "", fmt.Errorf("compare revisions of %q: %w", r.Name, err)
		}
	case from != 0:
		return "", fmt.Errorf("compare revisions of %q: %w", r.Name, ErrNotFound)
	}
	return Diff(before, after), nil
}

// Diff is the unified difference between two bundles, file by file. Files that
// are no text are only named.
func Diff(before, after manifest.Bundle) string {
	paths := map[string]bool{}
	for path := range before {
		paths[path] = true
	}
	for path := range after {
		paths[path] = true
	}
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		old, had := before[path]
		now, has := after[path]
		if had == has && bytes.Equal(old, now) {
			continue
		}
		from, to := "a/"+path, "b/"+path
		if !had {
			from = "/dev/null"
		}
		if !has {
			to = "/dev/null"
		}
		before, readable := scan.Text(path, old)
		after, legible := scan.Text(path, now)
		if !readable || !legible {
			fmt.Fprintf(&b, "Binary files %s and %s differ\n", from, to)
			continue
		}
		b.WriteString(udiff.Unified(from, to, before, after))
	}
	return b.String()
}
