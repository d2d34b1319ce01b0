package skill

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/person"
	"talaria/core/skill/manifest"
	"talaria/core/skill/match"
	"talaria/core/skill/scan"
	"talaria/storage"
)

// listed is a skill with where it stands among those of one turn.
type listed struct {
	Skill
	rank   int // of its scope: the smaller, the narrower
	stats  Stats
	folder *folder // of an external one
}

// candidates are all skills that p's turn may see, in every state, the
// narrowest scope first and by name within it.
func (l *Library) candidates(ctx context.Context, p person.Principal) ([]listed, error) {
	scopes, err := l.scopes(ctx, p)
	if err != nil || len(scopes) == 0 {
		return nil, err
	}
	var out []listed
	if !p.Direct {
		shelf, err := l.shelf(ctx, OfPerson(p.Person))
		if err != nil {
			return nil, err
		}
		for _, s := range shelf.skills {
			if s.sharedWith(p) {
				out = append(out, listed{Skill: s, stats: shelf.stats[s.Name]})
			}
		}
	}
	for i, scope := range scopes {
		shelf, err := l.shelf(ctx, scope)
		if err != nil {
			return nil, err
		}
		for _, s := range shelf.skills {
			out = append(out, listed{Skill: s, rank: i + 1, stats: shelf.stats[s.Name]})
		}
		more, err := l.subscribed(ctx, shelf.links, i+1)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return append(out, l.external(ctx, scopes)...), nil
}

// visible are the live ones among the candidates that p can use, each name
// once: that of the narrowest scope.
func (l *Library) visible(ctx context.Context, p person.Principal) ([]listed, error) {
	found, err := l.candidates(ctx, p)
	if err != nil {
		return nil, err
	}
	var out []listed
	taken := map[string]bool{}
	for _, s := range found {
		if l.fit(p, s.Skill) && !taken[s.Name] {
			taken[s.Name] = true
			out = append(out, s)
		}
	}
	return out, nil
}

// Visible are the live skills for p's turn, narrower scopes first, each name
// once. It may be five seconds old; View is not.
func (l *Library) Visible(ctx context.Context, p person.Principal) ([]Skill, error) {
	found, err := l.visible(ctx, p)
	return plain(found), err
}

// List are all skills that p may see where p acts, in every state, narrower
// scopes first.
func (l *Library) List(ctx context.Context, p person.Principal) ([]Skill, error) {
	found, err := l.candidates(ctx, p)
	return plain(found), err
}

func plain(found []listed) []Skill {
	out := make([]Skill, len(found))
	for i, s := range found {
		out[i] = s.Skill
	}
	return out
}

// Matchable are the visible skills as package match takes them, with their
// bodies and proven success.
func (l *Library) Matchable(ctx context.Context, p person.Principal) ([]match.Skill, error) {
	found, err := l.visible(ctx, p)
	if err != nil {
		return nil, err
	}
	out := make([]match.Skill, 0, len(found))
	for _, s := range found {
		b, err := l.open(ctx, s)
		if err != nil {
			l.log.ErrorContext(ctx, "skill left out", "skill", s.Name, "err", err)
			continue
		}
		m, _, err := b.Manifest(s.Name)
		if err != nil {
			l.log.ErrorContext(ctx, "skill left out", "skill", s.Name, "err", err)
			continue
		}
		out = append(out, match.Skill{
			Name: s.Name, Description: s.Description, Triggers: slices.Concat(s.Triggers, s.Tags), Body: m.Body,
			Uses: s.stats.Uses(), Success: s.stats.Proven(), Stale: s.State == Stale, Scope: s.rank,
		})
	}
	return out, nil
}

// open reads the files of a live skill.
func (l *Library) open(ctx context.Context, s listed) (manifest.Bundle, error) {
	if s.folder != nil {
		return s.folder.bundle(s.Name)
	}
	b, _, err := l.inForce(ctx, s.Skill)
	return b, err
}

// inForce reads the revision that is a skill's, and checks that it is the one
// that was authorised.
func (l *Library) inForce(ctx context.Context, s Skill) (manifest.Bundle, Revision, error) {
	d, err := l.loadRevision(ctx, s.At(s.InForce))
	if err != nil {
		return nil, Revision{}, fmt.Errorf("read %q: %w", s.Name, err)
	}
	r := d.Value
	if s.Hash == "" || r.Hash != s.Hash || r.State != Approved || r.Grant == nil || r.Grant.Hash != s.Hash {
		return nil, r, fmt.Errorf("%w: %q is in force in a revision that nobody authorised; restore it from a backup", storage.ErrCorrupt, s.Name)
	}
	b, err := l.bundle(ctx, r)
	return b, r, err
}

// Find is the skill that p means by a name: the one that is visible, else the
// narrowest one in any state. It is read afresh.
func (l *Library) Find(ctx context.Context, p person.Principal, name string) (Skill, error) {
	s, err := l.find(ctx, p, name)
	if err != nil {
		return Skill{}, fmt.Errorf("find %q: %w", name, err)
	}
	return s.Skill, nil
}

func (l *Library) find(ctx context.Context, p person.Principal, name string) (listed, error) {
	scopes, err := l.scopes(ctx, p)
	if err != nil || len(scopes) == 0 {
		return listed{}, cmp.Or(err, ErrNotFound)
	}
	var found []listed
	for i, scope := range append([]Scope{OfPerson(p.Person)}, scopes...) {
		doc, err := l.load(ctx, Ref{Scope: scope, Name: name})
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrInvalid) {
			continue
		}
		if err != nil {
			return listed{}, err
		}
		if i > 0 || doc.Value.sharedWith(p) {
			found = append(found, listed{Skill: doc.Value, rank: i})
		}
	}
	if !p.Direct {
		more, err := l.linked(ctx, Here(p), name)
		if err != nil {
			return listed{}, err
		}
		found = append(found, more...)
	}
	for _, s := range l.external(ctx, scopes) {
		if s.Name == name {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return listed{}, ErrNotFound
	}
	return slices.MaxFunc(found, func(a, b listed) int {
		return cmp.Or(cmp.Compare(l.worth(p, a), l.worth(p, b)), cmp.Compare(b.rank, a.rank))
	}), nil
}

// worth orders skills of one name: one that p can use before one that is live.
func (l *Library) worth(p person.Principal, s listed) int {
	switch {
	case l.fit(p, s.Skill):
		return 2
	case s.Live():
		return 1
	}
	return 0
}

// View is a file of a live skill for p's turn, SKILL.md for "". Nothing of the
// decision is taken from memory: a skill that was disabled a moment ago, by
// whichever replica, gives ErrDisabled. ErrUnfit is for one that p can't use
// where p acts. A file is the text that was scanned of it, see [scan.Text]; what
// is no text gives ErrInvalid.
func (l *Library) View(ctx context.Context, p person.Principal, name, file string) (Skill, []byte, error) {
	s, b, err := l.Files(ctx, p, name)
	if err != nil {
		return Skill{}, nil, err
	}
	file = cmp.Or(file, manifest.MainFile)
	data, ok := b[file]
	if !ok {
		return s, nil, fmt.Errorf("view %q: no file %q in it; it has %s: %w", name, file, strings.Join(b.Paths(), ", "), ErrNotFound)
	}
	text, ok := scan.Text(file, data)
	if !ok {
		return s, nil, fmt.Errorf("view %q: %w: %q is no text", name, ErrInvalid, file)
	}
	return s, []byte(text), nil
}

// Files are all files of a live skill, as View gives one of them. They must not
// be changed.
func (l *Library) Files(ctx context.Context, p person.Principal, name string) (Skill, manifest.Bundle, error) {
	s, err := l.find(ctx, p, name)
	if err == nil && !s.Live() {
		err = ErrDisabled
	}
	if err == nil {
		if why := l.Unfit(p, s.Skill); why != "" {
			err = fmt.Errorf("%w: %s", ErrUnfit, why)
		}
	}
	if err != nil {
		return Skill{}, nil, fmt.Errorf("view %q: %w", name, err)
	}
	b, err := l.open(ctx, s)
	if err != nil {
		return Skill{}, nil, fmt.Errorf("view %q: %w", name, err)
	}
	return s.Skill, b, nil
}

// Pending are the drafts that wait and that p may see where p acts, blocked
// ones too, the oldest first.
func (l *Library) Pending(ctx context.Context, p person.Principal) ([]Revision, error) {
	found, err := l.candidates(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("list drafts: %w", err)
	}
	now, err := l.store.Now(ctx)
	if err != nil {
		return nil, fmt.Errorf("list drafts: %w", err)
	}
	var out []Revision
	for _, s := range found {
		if s.Subscribed != nil { // its drafts are its own place's
			continue
		}
		d, ok, err := l.waiting(ctx, s.Skill, now)
		if err != nil {
			return nil, fmt.Errorf("list drafts: %w", err)
		}
		if ok {
			out = append(out, d.Value)
		}
	}
	slices.SortStableFunc(out, func(a, b Revision) int { return a.Created.Compare(b.Created) })
	return out, nil
}

// waiting is the draft of a skill that waits for a decision, if one does.
func (l *Library) waiting(ctx context.Context, s Skill, now time.Time) (storage.Doc[Revision], bool, error) {
	if s.Pending == 0 {
		return storage.Doc[Revision]{}, false, nil
	}
	d, err := l.loadRevision(ctx, s.At(s.Pending))
	state := d.Value.StateAt(now)
	return d, err == nil && (state == Draft || state == Blocked), err
}
