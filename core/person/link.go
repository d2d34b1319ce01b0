package person

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/core/chat"
	"talaria/storage"
)

// LinkFor is how long a linking code is good; UndoFor, how long a link can be
// undone as if it had never been.
const (
	LinkFor = 10 * time.Minute
	UndoFor = 7 * 24 * time.Hour
)

// Errors of linking.
var (
	ErrSameWorkspace = errors.New("both accounts are in the same workspace; one person has one there")
	ErrNotLinked     = errors.New("that account is not linked")
)

// Mover carries a domain's things over when people are linked. Both calls are
// repeated after a crash and must come to the same; the link's id tells what
// came with it.
type Mover interface {
	// Move makes everything of from to's, remembering that it came by link.
	Move(ctx context.Context, link string, from, to ID) error
	// Return gives back to what came by link or has its origin in one of the
	// identities. With undo, what merging changed in from's own is put back too.
	Return(ctx context.Context, link string, from, to ID, identities []chat.Identity, undo bool) error
}

// linkCode is a code that waits for its second account.
type linkCode struct {
	Person ID            `json:"person"` // who made it
	By     chat.Identity `json:"by"`
	UsedBy chat.Identity `json:"used_by"` // zero: nobody yet
	Link   string        `json:"link"`
}

const linkCodes = "link" // in pairingAt, by the key of the code

// Link is one act of linking, kept with the person who made the code.
type Link struct {
	ID         string          `json:"id"`
	With       chat.Identity   `json:"with"` // the account that made the code
	From       ID              `json:"from"` // who the identities were
	Identities []chat.Identity `json:"identities"`
	At         time.Time       `json:"at"`
	State      linkState       `json:"state"`
	Undo       bool            `json:"undo,omitempty"` // with Ending: as if it had never been
}

// linkState is how far linking or unlinking has come.
type linkState string

const (
	linking   linkState = "linking"
	linked    linkState = "linked"
	unlinking linkState = "unlinking"
	unlinked  linkState = "unlinked"
)

// LinkCode makes a code that links another account to p's, to be typed in a
// private conversation there. It is shown in a private conversation only.
func (d *Directory) LinkCode(ctx context.Context, p Principal) (string, error) {
	if !p.Direct || !AtLeast(p.Role, Guest) {
		return "", fmt.Errorf("make a linking code: %w", ErrForbidden)
	}
	if err := d.spend(ctx, pairingAt, limits{"link " + string(p.Person), offersEach * 5, PairFor}); err != nil {
		return "", fmt.Errorf("make a linking code: %w", err)
	}
	code := newCode()
	key := codeKey("link", code)
	c := linkCode{Person: p.Person, By: p.Identity, Link: digest("link", key)}
	if _, err := d.store.Commit(ctx, storage.On(pairingAt).Durable().PutFor(linkCodes, key, c, storage.Absent, LinkFor)); err != nil {
		return "", fmt.Errorf("make a linking code: %w", err)
	}
	return code, nil
}

// Link takes a linking code: p's account, and all that is linked to it,
// becomes the person who made the code. Repeated with the same code by the
// same account it finishes what was cut off.
func (d *Directory) Link(ctx context.Context, p Principal, code string) (Link, error) {
	if !p.Direct || p.Role == BotRole || p.Identity.ID == "" {
		return Link{}, fmt.Errorf("link: %w", ErrForbidden)
	}
	if err := d.guess(ctx, p); err != nil {
		return Link{}, fmt.Errorf("link: %w", err)
	}
	c, err := d.takeCode(ctx, p, codeKey("link", code))
	if err != nil {
		return Link{}, fmt.Errorf("link: %w", err)
	}
	if err := d.intend(ctx, p, c); err != nil {
		return Link{}, fmt.Errorf("link: %w", err)
	}
	if err := d.finish(ctx, c.Person, []string{c.Link}); err != nil {
		return Link{}, fmt.Errorf("link: %w", err)
	}
	doc, err := storage.Get[Link](ctx, d.store, partition(c.Person), links, c.Link)
	if err != nil {
		return Link{}, fmt.Errorf("link: %w", err)
	}
	return doc.Value, nil
}

// takeCode makes the code p's. Of two who type it at once one gets it.
func (d *Directory) takeCode(ctx context.Context, p Principal, key string) (linkCode, error) {
	doc, err := storage.Get[linkCode](ctx, d.store, pairingAt, linkCodes, key)
	if errors.Is(err, storage.ErrNotFound) {
		return linkCode{}, ErrCode
	}
	if err != nil {
		return linkCode{}, err
	}
	c := doc.Value
	switch {
	case c.UsedBy == p.Identity:
		return c, nil
	case c.UsedBy != chat.Identity{}, c.Person == p.Person:
		return linkCode{}, ErrCode
	}
	if err := d.mayJoin(ctx, c, p); err != nil {
		return linkCode{}, err
	}
	now, err := d.store.Now(ctx)
	if err != nil {
		return linkCode{}, err
	}
	c.UsedBy = p.Identity
	left := max(doc.Expires.Sub(now), time.Second)
	_, err = d.store.Commit(ctx, storage.On(pairingAt).Durable().PutFor(linkCodes, key, c, doc.Revision, left))
	if errors.Is(err, storage.ErrConflict) {
		return linkCode{}, ErrCode
	}
	return c, err
}

// mayJoin refuses a second account in a workspace where the person has one.
func (d *Directory) mayJoin(ctx context.Context, c linkCode, p Principal) error {
	maker, err := d.lookUp(ctx, c.By)
	if err != nil {
		return err
	}
	if maker.person != c.Person {
		return ErrCode // who made it has become another person meanwhile
	}
	theirs := append([]chat.Identity{c.By}, identitiesOf(maker.record)...)
	joining, err := d.lookUp(ctx, p.Identity)
	if err != nil {
		return err
	}
	for _, i := range append([]chat.Identity{p.Identity}, identitiesOf(joining.record)...) {
		same := func(o chat.Identity) bool { return o.Platform == i.Platform && o.Workspace == i.Workspace }
		if slices.ContainsFunc(theirs, same) {
			return ErrSameWorkspace
		}
	}
	return nil
}

func identitiesOf(r record) []chat.Identity {
	var out []chat.Identity
	for _, h := range r.Identities {
		out = append(out, h.Identity)
	}
	return out
}

// intend records the link with the person who made the code, in one step with
// the identities, the rights these have by themselves, and the mark that the
// rest is under way.
func (d *Directory) intend(ctx context.Context, p Principal, c linkCode) error {
	now, err := d.store.Now(ctx)
	if err != nil {
		return err
	}
	joining, err := d.lookUp(ctx, p.Identity)
	if err != nil || joining.person == c.Person {
		return err // it is recorded: the identity has moved
	}
	was := joining.record
	l := Link{ID: c.Link, With: c.By, From: joining.person, Identities: []chat.Identity{p.Identity}, At: now, State: linking}
	for _, i := range identitiesOf(was) {
		if i != p.Identity {
			l.Identities = append(l.Identities, i)
		}
	}
	return d.withLink(ctx, c.Person, c.Link, func(r *record, have *Link) error {
		if have.ID != "" {
			return nil
		}
		*have = l
		r.pend(l.ID)
		for _, i := range l.Identities {
			r.letIn(held{Identity: i, Link: l.ID, With: l.With, Own: was.letInByItself(i), Since: now})
		}
		r.Grants = append(r.Grants, was.Grants...)
		for _, i := range was.Guests {
			r.mark(i, true)
		}
		if p.Guest {
			r.mark(p.Identity, true)
		}
		return nil
	})
}

// Unlink makes an account that was linked a person of its own again, with the
// things that came with it. Within seven days it is as if it had never been
// linked. p may be on either side.
func (d *Directory) Unlink(ctx context.Context, p Principal, i chat.Identity) error {
	if !p.Direct || !AtLeast(p.Role, Guest) {
		return fmt.Errorf("unlink: %w", ErrForbidden)
	}
	now, err := d.store.Now(ctx)
	if err != nil {
		return fmt.Errorf("unlink: %w", err)
	}
	docs, err := storage.List[Link](ctx, d.store, partition(p.Person), links, "", 100)
	if err != nil {
		return fmt.Errorf("unlink: %w", err)
	}
	for _, doc := range docs {
		l := doc.Value
		if l.State != linked || !slices.Contains(l.Identities, i) {
			continue
		}
		err := d.withLink(ctx, p.Person, l.ID, func(r *record, have *Link) error {
			have.State, have.Undo = unlinking, now.Sub(l.At) < UndoFor
			r.pend(l.ID)
			return nil
		})
		if err == nil {
			err = d.finish(ctx, p.Person, []string{l.ID})
		}
		if err != nil {
			return fmt.Errorf("unlink: %w", err)
		}
		return nil
	}
	return fmt.Errorf("unlink %s: %w", i, ErrNotLinked)
}

// Links are p's linked accounts.
func (d *Directory) Links(ctx context.Context, p Principal) ([]Link, error) {
	docs, err := storage.List[Link](ctx, d.store, partition(p.Person), links, "", 100)
	if err != nil {
		return nil, fmt.Errorf("list linked accounts: %w", err)
	}
	var out []Link
	for _, doc := range docs {
		if doc.Value.State == linked {
			out = append(out, doc.Value)
		}
	}
	return out, nil
}
