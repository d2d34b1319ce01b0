package person

import (
	"context"
	"errors"
	"fmt"

	"talaria/core/chat"
	"talaria/storage"
)

// movedTeam is that a group, on a platform that knows no workspaces, has a new
// id and is of the team that it was of.
type movedTeam struct {
	Group Workspace `json:"group"`
	Team  TeamID    `json:"team"`
}

// movedTeams are documents of movedTeam, by the group's id.
const movedTeams = "moved"

// movedTopic says that a group moved.
const movedTopic = "person.moved"

// Migrated has a place keep, at its new address, the decision about it, its
// team, and the roles that were given for it alone. It may be repeated.
func (d *Directory) Migrated(ctx context.Context, m chat.Migration) error {
	err := d.moveTeam(ctx, m)
	if err == nil {
		err = d.moveSpace(ctx, m)
	}
	if err == nil {
		err = d.moveRoles(ctx, m)
	}
	if err != nil {
		return fmt.Errorf("carry place %s over to %s: %w", m.From, m.To, err)
	}
	return nil
}

func (d *Directory) moveTeam(ctx context.Context, m chat.Migration) error {
	from, to := workspaceOf(m.From), workspaceOf(m.To)
	if from == to {
		return nil // it is the workspace that has a team
	}
	doc := movedTeam{Group: to, Team: d.teamOf(from)}
	if _, err := d.store.Commit(ctx, storage.On(teamsAt).Durable().Put(movedTeams, m.To.Place().String(), doc, storage.Any)); err != nil {
		return err
	}
	if err := d.readMoved(ctx); err != nil {
		return err
	}
	if err := d.store.Publish(ctx, movedTopic, nil); err != nil {
		d.log.WarnContext(ctx, "other replicas were not told that a place moved; they see it within a minute", "err", err)
	}
	return nil
}

// readMoved reads which groups moved.
func (d *Directory) readMoved(ctx context.Context) error {
	moved := map[Workspace]TeamID{}
	for doc, err := range storage.All[movedTeam](ctx, d.store, teamsAt, movedTeams, "") {
		if err != nil {
			return fmt.Errorf("read which groups moved: %w", err)
		}
		moved[doc.Value.Group] = doc.Value.Team
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.moved = moved
	return nil
}

func (d *Directory) moveSpace(ctx context.Context, m chat.Migration) error {
	doc, err := storage.Get[spaceDoc](ctx, d.store, ShardOf(m.From), spaces, m.From.Place().String())
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	if err == nil {
		b := storage.On(ShardOf(m.To)).Durable().Put(spaces, m.To.Place().String(), doc.Value, storage.Absent)
		_, err = d.store.Commit(ctx, b)
	}
	if errors.Is(err, storage.ErrConflict) {
		return nil
	}
	return err
}

// moveRoles has what was given for a place hold at its new address. At the old
// one nobody can be any more.
func (d *Directory) moveRoles(ctx context.Context, m chat.Migration) error {
	was, is := m.From.Place().String(), m.To.Place().String()
	for doc, err := range storage.All[chat.Identity](ctx, d.store, rolesAt, holders, "") {
		if err != nil {
			return err
		}
		f, err := d.read(ctx, Home(doc.Value))
		if err != nil {
			return err
		}
		if !f.record.moveGrants(was, is) {
			continue
		}
		err = d.updateRecord(ctx, f.person, func(r *record) (bool, error) {
			return r.moveGrants(was, is), nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// moveGrants has what was given for a place hold for another, and reports
// whether anything was.
func (r *record) moveGrants(was, is string) (moved bool) {
	for n := range r.Grants {
		if r.Grants[n].Place == was {
			r.Grants[n].Place, moved = is, true
		}
	}
	return moved
}
