package person

import (
	"context"
	"fmt"
	"slices"

	"talaria/core/chat"
)

// guest reports whether the platform had an account as its guest when its person
// was last served by it. Platforms tell with what somebody writes alone, so it is
// kept for what is done in their name meanwhile, and for the accounts that are
// linked to that one.
func (r *record) guest(i chat.Identity) bool { return slices.Contains(r.Guests, i) }

// mark keeps whether an account is a guest's, and reports whether that is new.
func (r *record) mark(i chat.Identity, guest bool) bool {
	switch {
	case r.guest(i) == guest:
		return false
	case guest:
		r.Guests = append(r.Guests, i)
	default:
		r.Guests = slices.DeleteFunc(r.Guests, func(g chat.Identity) bool { return g == i })
	}
	return true
}

// recalled is an author of whom the platform says nothing now.
func (r *record) recalled(a chat.Author) chat.Author {
	a.Guest = a.Guest || r.guest(a.Identity)
	return a
}

// noteGuest keeps what the platform said of p with what they wrote.
func (d *Directory) noteGuest(ctx context.Context, p Principal) error {
	f, err := d.lookUp(ctx, p.Identity)
	if err != nil {
		return fmt.Errorf("look up whether somebody is a guest: %w", err)
	}
	if f.record.guest(p.Identity) == p.Guest {
		return nil
	}
	return d.updateRecord(ctx, p.Person, func(r *record) (bool, error) { return r.mark(p.Identity, p.Guest), nil })
}
