package person

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"

	"talaria/core/chat"
	"talaria/storage"
)

// teamsAt is the partition in which names point to teams.
var teamsAt = storage.System("teams")

const teamNames = "name"

// nameTeams gives each configured team its stored id: the one it got when its
// name was first seen, whatever its workspaces are by now.
func (d *Directory) nameTeams(ctx context.Context) error {
	d.teams, d.byName = map[Workspace]TeamID{}, map[string]TeamID{}
	for _, name := range slices.Sorted(maps.Keys(d.config.Teams)) {
		id, err := d.nameTeam(ctx, name)
		if err != nil {
			return err
		}
		d.byName[name] = id
		for _, w := range d.config.Teams[name].Workspaces {
			d.teams[w] = id
		}
	}
	return nil
}

// nameTeam returns the id of a name. A new name takes over the team that its
// first workspace has been so far, so that naming it loses nothing.
func (d *Directory) nameTeam(ctx context.Context, name string) (TeamID, error) {
	doc, err := storage.Get[TeamID](ctx, d.store, teamsAt, teamNames, name)
	if err == nil || !errors.Is(err, storage.ErrNotFound) {
		return doc.Value, err
	}
	id := TeamID("t" + digest("team", rand.Text()))
	if w := d.config.Teams[name].Workspaces; len(w) > 0 {
		id = defaultTeam(w[0])
	}
	_, err = d.store.Commit(ctx, storage.On(teamsAt).Durable().Put(teamNames, name, id, storage.Absent))
	if errors.Is(err, storage.ErrConflict) { // another replica starts at the same time
		return d.nameTeam(ctx, name)
	}
	return id, err
}

func defaultTeam(w Workspace) TeamID { return TeamID("t" + digest("workspace", w.Platform, w.ID)) }

func (d *Directory) teamOf(w Workspace) TeamID {
	if id, ok := d.teams[w]; ok {
		return id
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if id, ok := d.moved[w]; ok {
		return id
	}
	return defaultTeam(w)
}

// teamAt is the team on whose behalf p acts: that of the place, and in a
// direct conversation the first of the person's own.
func (d *Directory) teamAt(f facts, p Principal) TeamID {
	if !p.Direct {
		return d.teamOf(workspaceOf(p.Place))
	}
	if own := d.ownTeams(f, p.Identity); len(own) > 0 {
		return own[0]
	}
	return TeamID("t" + digest("person", string(f.person)))
}

// ownTeams are the teams that somebody belongs to: by configuration, by the
// workspace of their account, by where they took part, the latest first.
func (d *Directory) ownTeams(f facts, i chat.Identity) []TeamID {
	var out []TeamID
	add := func(t TeamID) {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.config.Teams)) {
		if slices.Contains(d.config.Teams[name].People, i) {
			add(d.byName[name])
		}
	}
	if i.Workspace != "" {
		add(d.teamOf(Workspace{i.Platform, i.Workspace}))
	}
	for _, list := range [][]chat.Identity{d.config.Admins, d.config.Approvers, d.config.People[i.Platform]} {
		for _, l := range list {
			if global(l, i) {
				add(d.teamOf(Workspace{l.Platform, l.Workspace}))
			}
		}
	}
	for _, t := range slices.Backward(f.record.Teams) {
		add(t)
	}
	if len(out) == 0 && len(d.byName) == 1 && (i.Platform == console || f.record.holds(i)) {
		for _, t := range d.byName {
			add(t)
		}
	}
	return out
}

// Teams are the teams whose skills and cards p may see: in a direct
// conversation all of the person's own, elsewhere the place's alone. Where another
// account of the person's is a guest is no team of theirs.
func (d *Directory) Teams(ctx context.Context, p Principal) ([]TeamID, error) {
	out := []TeamID{p.Team}
	if !p.Direct {
		return out, nil
	}
	f, err := d.lookUp(ctx, p.Identity)
	if err != nil {
		return nil, err
	}
	all := []chat.Identity{p.Identity}
	for _, h := range f.record.Identities {
		if !f.record.guest(h.Identity) {
			all = append(all, h.Identity)
		}
	}
	for _, i := range all {
		for _, t := range d.ownTeams(f, i) {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out, nil
}
