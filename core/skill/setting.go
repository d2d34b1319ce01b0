package skill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"talaria/core/person"
	"talaria/core/skill/manifest"
	"talaria/storage"
)

// Setting is a value that a skill asks its users for.
type Setting struct {
	manifest.Option
	Value string // what holds: as set, else the default
	Set   bool   // somebody set it
}

// maxSetting bounds a value, in characters: it stands in prompts.
const maxSetting = 500

// settingsOf are the values set in a scope, a document for each skill.
func settingsOf(s Scope) string { return "skill.setting/" + s.shelf() }

// Settings are what the skill that p means by a name asks for, with the values
// that hold where p acts.
func (l *Library) Settings(ctx context.Context, p person.Principal, name string) ([]Setting, error) {
	s, err := l.find(ctx, p, name)
	if err != nil {
		return nil, fmt.Errorf("read the settings of %q: %w", name, err)
	}
	out, err := l.settings(ctx, p, s)
	if err != nil {
		return nil, fmt.Errorf("read the settings of %q: %w", name, err)
	}
	return out, nil
}

func (l *Library) settings(ctx context.Context, p person.Principal, s listed) ([]Setting, error) {
	b, err := l.open(ctx, s)
	if err != nil {
		return nil, err
	}
	m, _, err := b.Manifest(s.Name)
	if err != nil || len(m.Config) == 0 {
		return nil, err
	}
	here := Here(p)
	doc, err := storage.Get[map[string]string](ctx, l.store, here.partition(), settingsOf(here), s.Name)
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return nil, err
	}
	out := make([]Setting, len(m.Config))
	for i, o := range m.Config {
		out[i] = Setting{Option: o, Value: o.Default}
		if v, ok := doc.Value[o.Key]; ok {
			out[i].Value, out[i].Set = v, true
		}
	}
	return out, nil
}

// Configure sets a value that a skill asks for, where p acts: for p in a direct
// conversation, for everybody in a shared place, on the word of who decides
// there. An empty value brings the default back. Values are shown to the
// model: they are no place for secrets.
func (l *Library) Configure(ctx context.Context, p person.Principal, name, key, value string) error {
	here := Here(p)
	e := entry("configure", p, Ref{Scope: here, Name: name}, "", key)
	err := l.configure(ctx, p, name, key, value)
	if err != nil && !isRefusal(err) {
		return fmt.Errorf("configure %q: %w", name, err)
	}
	var clock error
	if e.At, clock = l.store.Now(ctx); clock != nil {
		return fmt.Errorf("configure %q: %w", name, clock)
	}
	if err != nil {
		return fmt.Errorf("configure %q: %w", name, errors.Join(err, l.logRefusal(ctx, here, e, err)))
	}
	if _, err := l.store.Commit(ctx, storage.On(here.partition()).Append(auditLog, e)); err != nil {
		return fmt.Errorf("configure %q: %w", name, err)
	}
	return nil
}

func (l *Library) configure(ctx context.Context, p person.Principal, name, key, value string) error {
	here := Here(p)
	if err := l.mayDecide(ctx, p, here); err != nil {
		return err
	}
	s, err := l.find(ctx, p, name)
	if err != nil {
		return err
	}
	known, err := l.settings(ctx, p, s)
	switch {
	case err != nil:
		return err
	case !slices.ContainsFunc(known, func(o Setting) bool { return o.Key == key }):
		return fmt.Errorf("%w: it asks for no %q", ErrInvalid, key)
	case utf8.RuneCountInString(value) > maxSetting, strings.ContainsAny(value, "\r\n\x00"):
		return fmt.Errorf("%w: a value is one line of at most %d characters", ErrInvalid, maxSetting)
	}
	for {
		doc, err := storage.Get[map[string]string](ctx, l.store, here.partition(), settingsOf(here), name)
		expect := doc.Revision
		if errors.Is(err, storage.ErrNotFound) {
			err, expect = nil, storage.Absent
		}
		if err != nil {
			return err
		}
		if doc.Value == nil {
			doc.Value = map[string]string{}
		}
		doc.Value[key] = value
		if value == "" {
			delete(doc.Value, key)
		}
		_, err = l.store.Commit(ctx, storage.On(here.partition()).Durable().Put(settingsOf(here), name, doc.Value, expect))
		if !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}
