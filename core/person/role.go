package person

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"talaria/core/chat"
)

// ErrForbidden: the principal's role does not allow it here.
var ErrForbidden = errors.New("you may not do that here")

// role is what an identity may do where p acts. Rights are those of this very
// identity; being linked to one that is let in makes a member.
func (d *Directory) role(author chat.Author, f facts, p Principal) Role {
	given := d.config.configured(author.Identity, func(w Workspace) bool {
		if p.Direct {
			return d.teamOf(w) == p.Team
		}
		return w == workspaceOf(p.Place)
	})
	switch {
	case author.Self, author.Anonymous:
		return Nobody
	case author.Bot:
		return BotRole
	case given != Nobody:
		return given
	case f.record.keptOut(p):
		return Nobody
	}
	best := f.record.granted(p)
	if best == Nobody {
		best = d.letIn(&f.record, p.Identity)
	}
	if author.Guest && best != Nobody {
		return Guest
	}
	return best
}

// letIn is what an identity may by being let in: a member's rights by pairing
// or by the platform being open to everyone, and by being linked no more than
// the account has that it was linked to.
func (d *Directory) letIn(r *record, i chat.Identity) Role {
	if r.letInByItself(i) || d.config.Everyone[i.Platform] {
		return Member
	}
	with, linked := r.linkedTo(i)
	if !linked {
		return Nobody
	}
	return d.byLink(r, with)
}

// byLink is what an account may do that is linked to another and was not let in
// by itself. A guest's is a guest's on every platform.
func (d *Directory) byLink(r *record, with chat.Identity) Role {
	best := Member
	if r.guest(with) {
		best = Guest
	}
	// What was given for one place is of no account on another platform.
	given := func(g grant) bool { return g.Identity == with && g.Place == "" }
	if n := slices.IndexFunc(r.Grants, given); n >= 0 {
		return lower(r.Grants[n].Role, best)
	}
	anywhere := func(Workspace) bool { return true }
	if r.letInByItself(with) || d.config.Everyone[with.Platform] || d.config.configured(with, anywhere) != Nobody {
		return best
	}
	return Nobody
}

func lower(a, b Role) Role {
	if ranks[a] < ranks[b] {
		return a
	}
	return b
}

// granted is the best role given in chat that holds where p acts.
func (r *record) granted(p Principal) Role {
	best := Nobody
	for _, g := range r.Grants {
		if g.covers(p) && ranks[g.Role] > ranks[best] {
			best = g.Role
		}
	}
	return best
}

// keptOut reports whether an admin took p's access away.
func (r *record) keptOut(p Principal) bool {
	return slices.ContainsFunc(r.Grants, func(g grant) bool { return g.Role == Nobody && g.covers(p) })
}

func (g grant) covers(p Principal) bool {
	return g.Identity == p.Identity && (g.Team == "" || g.Team == p.Team) &&
		(g.Place == "" || g.Place == p.Place.Place().String())
}

// Renew is p with the rights that it has now, for what was put off: a job, a
// question that waited for a yes. Nobody as its role means that it may no
// longer be done. Who acted as a guest stays one: that a platform has somebody as
// its guest is told with what they write alone.
func (d *Directory) Renew(ctx context.Context, p Principal) (Principal, error) {
	author := chat.Author{Identity: p.Identity, Name: p.Name, Guest: p.Guest || p.Role == Guest}
	now, err := d.Resolve(ctx, author, p.Place, p.Direct)
	if err != nil || now.Role != Nobody || p.Direct {
		return now, err
	}
	f, err := d.lookUp(ctx, p.Identity)
	if err != nil || f.record.keptOut(now) {
		return now, err
	}
	space, err := d.Space(ctx, p.Place)
	if err != nil || space != SpaceOn || d.config.Inviters[p.Place.Platform] == nil {
		return now, err
	}
	if d.stillThere(ctx, spot{Place: p.Place.Place(), Identity: p.Identity}) {
		now.Role = Member
	}
	return now, nil
}

// SetRole gives an identity a role on by's word: in by's place alone, or with
// wide in all of by's team, which takes an admin of the team. It takes the place
// of what was given there before.
// Nobody keeps the identity out; what the configuration gives stays.
func (d *Directory) SetRole(ctx context.Context, by Principal, who chat.Identity, role Role, wide bool) error {
	if err := d.mayAdminister(ctx, by, wide); err != nil {
		return fmt.Errorf("set a role: %w", err)
	}
	if _, ok := ranks[role]; !ok || role == BotRole {
		return fmt.Errorf("set a role: %q is none of admin, approver, member, guest or nobody", role)
	}
	now, err := d.store.Now(ctx)
	if err != nil {
		return fmt.Errorf("set a role: %w", err)
	}
	g := grant{Identity: who, Role: role, Team: by.Team, By: by.Person, At: now}
	if !wide {
		g.Place = by.Place.Place().String()
	}
	return d.addGrant(ctx, g)
}

// mayAdminister refuses all but admins; with wide, those of one place too.
func (d *Directory) mayAdminister(ctx context.Context, p Principal, wide bool) error {
	role, err := p.Role, error(nil)
	if role == Admin && wide {
		role, err = d.TeamRole(ctx, p)
	}
	if err == nil && role != Admin {
		err = ErrForbidden
	}
	return err
}

func (d *Directory) addGrant(ctx context.Context, g grant) error {
	f, err := d.lookUp(ctx, g.Identity)
	if err != nil {
		return fmt.Errorf("look up who gets a role: %w", err)
	}
	if err := d.noteHolder(ctx, g.Identity); err != nil {
		return fmt.Errorf("note who gets a role: %w", err)
	}
	return d.updateRecord(ctx, f.person, func(r *record) (bool, error) {
		r.Grants = slices.DeleteFunc(r.Grants, func(o grant) bool {
			return o.Identity == g.Identity && o.Team == g.Team && (g.Place == "" || o.Place == g.Place)
		})
		r.Grants = append(r.Grants, g)
		return true, nil
	})
}
