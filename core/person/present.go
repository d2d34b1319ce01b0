package person

import (
	"context"
	"errors"
	"fmt"

	"talaria/core/chat"
	"talaria/storage"
)

// Present is p with the rights that it has now, for what is done without p's
// being there, such as a job. Beyond Renew it wants p to be a member of the
// place still, whatever gave p its rights: what is said there in p's name is
// for its members. Where the platform can't be asked for the moment it is an
// error, and where it no longer knows the place p is nobody there.
func (d *Directory) Present(ctx context.Context, p Principal) (Principal, error) {
	now, err := d.Renew(ctx, p)
	inviter := d.config.Inviters[p.Place.Platform]
	if err != nil || p.Direct || now.Role == Nobody || inviter == nil {
		return now, err
	}
	member, err := inviter.Member(ctx, p.Place.Place(), p.Identity)
	e, _ := errors.AsType[*chat.Error](err)
	switch kind := chat.KindOf(err); {
	case err == nil && member:
		return now, nil
	case kind == chat.NotAllowed && e != nil && e.Whole: // it says nothing about the person
	case err == nil, kind == chat.Gone, kind == chat.Permanent, kind == chat.NotAllowed, kind == chat.Moved:
		now.Role = Nobody
		return now, nil
	}
	return now, fmt.Errorf("ask whether somebody is still a member of %s: %w", p.Place, err)
}

// DirectOf is p in the direct conversation in which they were last seen, with
// the same account where there is one. It is false for somebody who never
// wrote to the bot alone. The rights are for the caller to renew.
func (d *Directory) DirectOf(ctx context.Context, p Principal) (Principal, bool, error) {
	f, err := d.lookUp(ctx, p.Identity)
	if err != nil {
		return p, false, fmt.Errorf("look up a direct conversation: %w", err)
	}
	docs, err := storage.List[spot](ctx, d.store, partition(f.person), places, "", maxSpots)
	if err != nil {
		return p, false, fmt.Errorf("look up a direct conversation: %w", err)
	}
	var best spot
	for _, doc := range docs {
		s := doc.Value
		own, had := s.Identity == p.Identity, best.Identity == p.Identity
		if s.Direct && (own && !had || own == had && s.At.After(best.At)) {
			best = s
		}
	}
	p.Person, p.Identity, p.Place, p.Team, p.Direct = f.person, best.Identity, best.Place, best.Team, true
	return p, best.Direct, nil
}
