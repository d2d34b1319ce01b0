package person

import (
	"context"
	"fmt"
)

// Domain is where an admin has the say. The zero value is everywhere.
type Domain struct {
	Team  TeamID `json:"team,omitempty"`  // in one team alone
	Place string `json:"place,omitempty"` // in one place of it alone
}

// Covers reports whether what p does is within the domain.
func (d Domain) Covers(p Principal) bool {
	return (d.Team == "" || d.Team == p.Team) && (d.Place == "" || d.Place == p.Place.Place().String())
}

// Domain is where p, an admin here, has the say: whom the configuration names
// and the first admin have it everywhere, others where they were given it. It
// returns ErrForbidden to who is no admin here.
func (d *Directory) Domain(ctx context.Context, p Principal) (Domain, error) {
	if p.Role != Admin {
		return Domain{}, fmt.Errorf("look up an admin's domain: %w", ErrForbidden)
	}
	f, err := d.lookUp(ctx, p.Identity)
	if err != nil {
		return Domain{}, fmt.Errorf("look up an admin's domain: %w", err)
	}
	f = f.teamWide()
	nowhere := func(Workspace) bool { return false } // entries for one workspace don't count
	if d.config.configured(p.Identity, nowhere) == Admin {
		return Domain{}, nil
	}
	wide, err := d.TeamRole(ctx, p)
	switch {
	case err != nil:
		return Domain{}, err
	case wide != Admin:
		return Domain{Team: p.Team, Place: p.Place.Place().String()}, nil
	case f.record.granted(Principal{Identity: p.Identity}) == Admin:
		return Domain{}, nil // given for no team, which covers every one
	}
	return Domain{Team: p.Team}, nil
}
