package skill

import (
	"context"
	"errors"
	"fmt"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// Migrated has the skills of a place follow it to its new address, with their
// whole past and what was set for them. Where there is a skill of the same name
// already, both stay where they are. It may be repeated.
func (l *Library) Migrated(ctx context.Context, m chat.Migration) error {
	known, err := all[Scope](ctx, l.store, scopesAt, knownScopes)
	if err != nil {
		return fmt.Errorf("carry skills over to %s: %w", m.To, err)
	}
	for _, doc := range known {
		from := doc.Value
		if from.Kind != Space || from.Place != m.From.Place() {
			continue
		}
		if err := l.moveAll(ctx, from, OfSpace(from.Team, m.To)); err != nil {
			return fmt.Errorf("carry skills over to %s: %w", m.To, err)
		}
	}
	return nil
}

// moveAll moves the skills of a place.
func (l *Library) moveAll(ctx context.Context, from, to Scope) error {
	skills, err := all[Skill](ctx, l.store, from.partition(), skillsOf(from))
	if err != nil {
		return err
	}
	for _, doc := range skills {
		err := l.carry(ctx, doc.Value, to, storage.Absent, "the place moved")
		if errors.Is(err, storage.ErrConflict) {
			continue
		}
		if err == nil {
			err = l.remove(ctx, doc.Value.Ref)
		}
		if err != nil {
			return fmt.Errorf("skill %q: %w", doc.Key, err)
		}
	}
	return l.moveSettings(ctx, from, to)
}

// moveSettings moves what was set for skills.
func (l *Library) moveSettings(ctx context.Context, from, to Scope) error {
	docs, err := all[map[string]string](ctx, l.store, from.partition(), settingsOf(from))
	if err != nil || len(docs) == 0 {
		return err
	}
	b := storage.On(to.partition()).Durable()
	for _, d := range docs {
		b.Put(settingsOf(to), d.Key, d.Value, storage.Any).Delete(settingsOf(from), d.Key, storage.Any)
	}
	_, err = l.store.Commit(ctx, b)
	return err
}

// carry writes a skill with all that belongs to it into another scope, if what is
// there is as expected. why is for the audit log.
func (l *Library) carry(ctx context.Context, s Skill, to Scope, expect storage.Revision, why string) error {
	if err := l.register(ctx, to); err != nil {
		return err
	}
	from := s.Ref
	s.Scope, s.Owner = to, to.Person
	b := storage.On(to.partition()).Durable().Put(skillsOf(to), s.Name, s, expect)
	past, err := all[Revision](ctx, l.store, from.Scope.partition(), revisionsOf(from))
	if err != nil {
		return err
	}
	for _, doc := range past {
		if err := l.copyFiles(ctx, from.Scope, to, doc.Value.Files); err != nil {
			return err
		}
		doc.Value.Scope = to
		b.Put(revisionsOf(s.Ref), doc.Key, doc.Value, storage.Any)
	}
	stats, err := l.loadStats(ctx, from)
	if err != nil {
		return err
	}
	uses, err := l.uses(ctx, from)
	if err != nil {
		return err
	}
	b.Put(statsOf(to), s.Name, stats.Value, storage.Any)
	for _, u := range uses {
		b.Put(usesOf(s.Ref), u.Task, u, storage.Any)
	}
	e := entry("carry over", person.Principal{}, s.Ref, s.Hash, why)
	if e.At, err = l.store.Now(ctx); err != nil {
		return err
	}
	if _, err := l.store.Commit(ctx, b.Append(auditLog, e)); err != nil {
		return err
	}
	l.announce(ctx, to)
	return nil
}

func (l *Library) copyFiles(ctx context.Context, from, to Scope, files []File) error {
	for _, f := range files {
		data, err := l.store.GetBlob(ctx, from.partition(), f.Blob)
		if err == nil {
			_, err = l.store.PutBlob(ctx, to.partition(), data)
		}
		if err != nil {
			return fmt.Errorf("carry %s over: %w", f.Path, err)
		}
	}
	return nil
}

// remove takes a skill that was carried over away. Its files stay, since others
// may hold the same ones.
func (l *Library) remove(ctx context.Context, r Ref) error {
	past, err := all[Revision](ctx, l.store, r.Scope.partition(), revisionsOf(r))
	if err != nil {
		return err
	}
	uses, err := l.uses(ctx, r)
	if err != nil {
		return err
	}
	b := storage.On(r.Scope.partition()).Durable().
		Delete(skillsOf(r.Scope), r.Name, storage.Any).
		Delete(statsOf(r.Scope), r.Name, storage.Any)
	for _, doc := range past {
		b.Delete(revisionsOf(r), doc.Key, storage.Any)
	}
	for _, u := range uses {
		b.Delete(usesOf(r), u.Task, storage.Any)
	}
	if _, err := l.store.Commit(ctx, b); err != nil {
		return err
	}
	l.announce(ctx, r.Scope)
	return nil
}
