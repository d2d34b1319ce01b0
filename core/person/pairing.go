package person

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/storage"
)

// PairFor is how long a stranger's code is good.
const PairFor = time.Hour

// The limits of pairing.
const (
	offersEach  = 2  // codes for one identity within PairFor
	offersAll   = 20 // codes for all strangers within PairFor
	guessesEach = 5  // codes tried by one identity within guessFor
	guessesAll  = 50
	guessFor    = 10 * time.Minute
	hintsEach   = 5 // times within PairFor that one identity is told why it is not served
	hintsAll    = 200
)

// pairingAt is the partition of codes that nobody's person holds yet.
var pairingAt = storage.System("pairing")

const (
	offers = "offer" // documents by the key of their code
	firsts = "first" // the code of the first admin
)

// offer is a stranger who waits for an admin.
type offer struct {
	Identity chat.Identity `json:"identity"`
	Name     string        `json:"name,omitempty"`
	Place    chat.Address  `json:"place"`
}

// Offer makes a pairing code for a stranger, to be shown to them in their
// direct conversation; an admin who is given it lets them in with Pair. It
// returns ErrTooMany where they, or all strangers, had theirs: say nothing
// then.
func (d *Directory) Offer(ctx context.Context, p Principal) (string, error) {
	if !p.Direct || p.Role != Nobody || p.Identity.ID == "" {
		return "", fmt.Errorf("offer a pairing code: %w", ErrForbidden)
	}
	err := d.spend(ctx, pairingAt, limits{"offer " + p.Identity.String(), offersEach, PairFor}, limits{"offers", offersAll, PairFor})
	if err != nil {
		return "", fmt.Errorf("offer a pairing code: %w", err)
	}
	code := newCode()
	o := offer{Identity: p.Identity, Name: p.Name, Place: p.Place}
	b := storage.On(pairingAt).Durable().PutFor(offers, codeKey("pair", code), o, storage.Absent, PairFor)
	if _, err := d.store.Commit(ctx, b); err != nil {
		return "", fmt.Errorf("offer a pairing code: %w", err)
	}
	return code, nil
}

// Hint counts one more time that somebody who is not served is told why, privately
// in a shared place. It returns ErrTooMany where they, or all such people, were
// told often enough: say nothing then.
func (d *Directory) Hint(ctx context.Context, p Principal) error {
	if p.Identity.ID == "" {
		return fmt.Errorf("hint at how to be served: %w", ErrForbidden)
	}
	err := d.spend(ctx, pairingAt, limits{"hint " + p.Identity.String(), hintsEach, PairFor}, limits{"hints", hintsAll, PairFor})
	if err != nil {
		return fmt.Errorf("hint at how to be served: %w", err)
	}
	return nil
}

// Paired is what a code came to.
type Paired struct {
	Who   chat.Identity
	Name  string       // display name: hostile data
	Place chat.Address // their direct conversation, to tell them
	Admin bool         // p itself became the first admin
}

// Pair takes a code: from an admin the one that a stranger was shown, which
// lets the stranger in; from anybody else in a direct conversation the one
// that makes the first admin. A code counts once.
func (d *Directory) Pair(ctx context.Context, p Principal, code string) (Paired, error) {
	if p.Role == Admin {
		return d.approve(ctx, p, codeKey("pair", code))
	}
	if !p.Direct || p.Role == BotRole || p.Identity.ID == "" {
		return Paired{}, fmt.Errorf("take a code: %w", ErrForbidden)
	}
	if err := d.guess(ctx, p); err != nil {
		return Paired{}, err
	}
	return d.becomeFirst(ctx, p, codeKey("first", code))
}

// guess counts a code that somebody typed.
func (d *Directory) guess(ctx context.Context, p Principal) error {
	return d.spend(ctx, pairingAt, limits{"guess " + p.Identity.String(), guessesEach, guessFor}, limits{"guesses", guessesAll, guessFor})
}

// approve lets the stranger in before the code is used up: cut in between, the
// admin's second try comes to the same.
func (d *Directory) approve(ctx context.Context, by Principal, key string) (Paired, error) {
	doc, err := storage.Get[offer](ctx, d.store, pairingAt, offers, key)
	if errors.Is(err, storage.ErrNotFound) {
		return Paired{}, ErrCode
	}
	now, nowErr := d.store.Now(ctx)
	if err := errors.Join(err, nowErr); err != nil {
		return Paired{}, fmt.Errorf("approve a pairing: %w", err)
	}
	o := doc.Value
	if err := d.mayLetIn(ctx, by, o.Identity); err != nil {
		return Paired{}, fmt.Errorf("approve a pairing: %w", err)
	}
	f, err := d.lookUp(ctx, o.Identity)
	if err != nil {
		return Paired{}, fmt.Errorf("approve a pairing: %w", err)
	}
	err = d.updateRecord(ctx, f.person, func(r *record) (bool, error) {
		r.letIn(held{Identity: o.Identity, Since: now, By: by.Person})
		r.Name = o.Name
		return true, nil
	})
	if err != nil {
		return Paired{}, fmt.Errorf("approve a pairing: %w", err)
	}
	b := storage.On(pairingAt).Durable().Delete(offers, key, storage.Any)
	if _, err := d.store.Commit(ctx, b); err != nil {
		return Paired{}, fmt.Errorf("approve a pairing: %w", err)
	}
	return Paired{Who: o.Identity, Name: o.Name, Place: o.Place}, nil
}

// mayLetIn refuses all but admins of a team: who is let in may talk to the bot
// everywhere. Of another workspace of a platform, which is another tenant unless
// it is in the same team, only the first admin has it.
func (d *Directory) mayLetIn(ctx context.Context, by Principal, who chat.Identity) error {
	if err := d.mayAdminister(ctx, by, true); err != nil {
		return err
	}
	theirs, own := Workspace{who.Platform, who.Workspace}, Workspace{by.Identity.Platform, by.Identity.Workspace}
	if who.Workspace == "" || own.Platform != theirs.Platform || d.teamOf(own) == d.teamOf(theirs) {
		return nil
	}
	f, err := d.lookUp(ctx, by.Identity)
	if err == nil && f.record.granted(Principal{Identity: by.Identity, Team: d.teamOf(theirs)}) != Admin {
		err = ErrForbidden
	}
	return err
}

// FirstAdminCode makes the code that turns whoever types it, in a direct
// conversation with the bot, into an admin. It replaces an earlier one. It is
// for the shell of the machine, whose user could edit the store anyway; and it
// returns ErrForbidden once there is an admin, by configuration or by a code.
func (d *Directory) FirstAdminCode(ctx context.Context) (string, error) {
	taken, err := d.hasAdmin(ctx)
	if err != nil {
		return "", fmt.Errorf("make the first admin's code: %w", err)
	}
	if taken {
		return "", fmt.Errorf("make the first admin's code: there is an admin: %w", ErrForbidden)
	}
	code := newCode()
	b := storage.On(pairingAt).Durable().PutFor(firsts, "code", codeKey("first", code), storage.Any, PairFor)
	if _, err := d.store.Commit(ctx, b); err != nil {
		return "", fmt.Errorf("make the first admin's code: %w", err)
	}
	return code, nil
}

func (d *Directory) hasAdmin(ctx context.Context) (bool, error) {
	if len(d.config.Admins) > 0 {
		return true, nil
	}
	_, err := storage.Get[chat.Identity](ctx, d.store, pairingAt, firsts, "admin")
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// becomeFirst uses the code up in the step that names the first admin, so two
// who type it at once are one admin. The grant follows; cut in between, the
// named one's next try gives it.
func (d *Directory) becomeFirst(ctx context.Context, p Principal, key string) (Paired, error) {
	doc, err := storage.Get[string](ctx, d.store, pairingAt, firsts, "code")
	if errors.Is(err, storage.ErrNotFound) || err == nil && doc.Value != key {
		return Paired{}, ErrCode
	}
	if err != nil {
		return Paired{}, fmt.Errorf("take the first admin's code: %w", err)
	}
	first, err := storage.Get[chat.Identity](ctx, d.store, pairingAt, firsts, "admin")
	switch {
	case err == nil && first.Value != p.Identity:
		return Paired{}, ErrCode
	case errors.Is(err, storage.ErrNotFound):
		_, err = d.store.Commit(ctx, storage.On(pairingAt).Durable().Put(firsts, "admin", p.Identity, storage.Absent))
		if errors.Is(err, storage.ErrConflict) {
			return Paired{}, ErrCode
		}
	}
	now, nowErr := d.store.Now(ctx)
	if err := errors.Join(err, nowErr); err != nil {
		return Paired{}, fmt.Errorf("take the first admin's code: %w", err)
	}
	if err := d.addGrant(ctx, grant{Identity: p.Identity, Role: Admin, By: p.Person, At: now}); err != nil {
		return Paired{}, fmt.Errorf("make the first admin: %w", err)
	}
	if _, err := d.store.Commit(ctx, storage.On(pairingAt).Durable().Delete(firsts, "code", storage.Any)); err != nil {
		return Paired{}, fmt.Errorf("use up the first admin's code: %w", err)
	}
	return Paired{Who: p.Identity, Name: p.Name, Place: p.Place, Admin: true}, nil
}
