package memory

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill/scan"
	"talaria/core/text"
	"talaria/core/vector"
	"talaria/storage"
)

// Errors of changing memory. ErrSecret and ErrHostile are wrapped with the
// reason.
var (
	ErrSecret    = errors.New("secrets are not kept in memory")
	ErrHostile   = errors.New("that is not remembered")
	ErrInvalid   = errors.New("no statement to remember")
	ErrFull      = errors.New("memory is full; remove or archive some cards first")
	ErrAmbiguous = errors.New("several cards hold that text; give more of it")
	ErrNotFound  = errors.New("no card holds that text")
	ErrNotSaid   = errors.New("only the person's own words may change what is remembered")
	ErrForbidden = errors.New("memory may not be changed here by you")
)

// tooLong is an ErrInvalid: a statement of so many characters, which no card can
// hold.
type tooLong int

func (n tooLong) Error() string {
	return fmt.Sprintf("that is too long to remember: %d characters, and a card holds at most %d", int(n), MaxText)
}

// Is makes a tooLong an ErrInvalid.
func (tooLong) Is(target error) bool { return target == ErrInvalid }

// Handle is the memory that one principal has where they are.
type Handle struct {
	store *storage.Store
	who   person.Principal
	shelf shelf // what is read: the person's own, or the shared place's
	own   shelf // the person's own, never read from in a shared place
	room  Room

	embedder vector.Embedder // nil: none
}

// For returns the memory of a principal.
func For(s *storage.Store, p person.Principal) *Handle {
	h := &Handle{store: s, who: p, own: personShelf(s, p.Person), room: DefaultRoom()}
	h.shelf = h.own
	if !p.Direct {
		h.shelf = spaceShelf(s, p.Place)
	}
	return h
}

// Added says what Add did.
type Added struct {
	Card   Card
	Known  bool // a card says so already; it got the new evidence
	Change int  // for Undo
}

// Add remembers a statement. What the person did not say themselves and comes
// from outside is quarantined. A near-equal card is not added again. In a
// shared place work cards are the place's; a profile card goes to the person,
// and what is returned of it is only what was given.
func (h *Handle) Add(ctx context.Context, k Kind, statement string, src Source) (Added, error) {
	statement, err := h.acceptable(k, statement)
	if err != nil {
		return Added{}, fmt.Errorf("remember: %w", err)
	}
	to := h.shelf
	if k == Profile {
		to = h.own
	}
	card := h.card(k, statement, src)
	var out Added
	out.Change, err = to.change(ctx, "added", func(p *pages) error {
		if to.place != nil {
			p.also = func(b *storage.Batch) { markPlace(b, h.who.Person, *to.place) }
		}
		out.Card, out.Known, err = p.add(card)
		return err
	})
	if err != nil {
		return Added{}, fmt.Errorf("remember: %w", err)
	}
	if !h.who.Direct && k == Profile {
		return Added{Card: card}, nil
	}
	return out, nil
}

// mayChange reports whether the principal may change what is remembered: in a
// shared place its members do.
func (h *Handle) mayChange() bool {
	return person.AtLeast(h.who.Role, person.Guest) && (h.who.Direct || person.AtLeast(h.who.Role, person.Member))
}

// acceptable checks a statement and brings it to one line.
func (h *Handle) acceptable(k Kind, statement string) (string, error) {
	if !h.mayChange() {
		return "", ErrForbidden
	}
	if k != Work && k != Profile {
		return "", fmt.Errorf("%w: kind %q is neither work nor profile", ErrInvalid, k)
	}
	statement = clean(statement)
	switch n := utf8.RuneCountInString(statement); {
	case len(text.Counts(statement)) == 0:
		return "", ErrInvalid
	case n > MaxText:
		return "", tooLong(n)
	}
	if why := Secret(statement); why != "" {
		return "", fmt.Errorf("%w: %s", ErrSecret, why)
	}
	if r := scan.Scan(scan.Memory, statement); r.Verdict == scan.Block {
		return "", fmt.Errorf("%w: %s", ErrHostile, gravest(r))
	}
	return statement, nil
}

// gravest is the message of the finding that weighs most.
func gravest(r scan.Report) string {
	i := slices.IndexFunc(r.Findings, func(f scan.Finding) bool { return f.Severity == scan.Danger })
	return r.Findings[max(i, 0)].Message
}

// card makes a card from a statement. What was said by the person is in force;
// where anything else took part, also not if it reads like an attack: their
// words may repeat what a page made them say.
func (h *Handle) card(k Kind, statement string, src Source) Card {
	spoken := supported(statement, src.Spoken)
	c := Card{
		ID: strings.ToLower(rand.Text()[:12]), Kind: k, Text: statement, State: Active,
		Confidence: confidenceOf(spoken, src.Origin), Origin: src.Origin, From: h.who.Identity,
		Evidence: []Evidence{{Message: src.Message, Place: h.who.Place.String(), Origin: src.Origin, Spoken: spoken}},
	}
	if src.Origin > chat.Member && (!spoken || scan.Scan(scan.Memory, statement).Verdict != scan.Allow) {
		c.State = Quarantined
	}
	return c
}

// add puts a card onto the shelf, or its evidence onto the card that says the
// same.
func (p *pages) add(c Card) (Card, bool, error) {
	c.Created, c.Updated = p.now, p.now
	for i := range c.Evidence {
		c.Evidence[i].At = p.now
	}
	for _, have := range p.cards {
		if have.Kind == c.Kind && sameStatement(have.Text, c.Text) {
			merged := merge(have, c)
			p.put = append(p.put, merged)
			return merged, true, nil
		}
	}
	if len(p.cards) >= maxCards {
		return Card{}, false, ErrFull
	}
	p.put = append(p.put, c)
	return c, false, nil
}

// merge adds what speaks for c to a card that says the same. It never makes a
// card less trusted, and more trusted only if c is.
func merge(have, c Card) Card {
	have.Evidence = append(slices.Clone(have.Evidence), c.Evidence...)
	have.Evidence = have.Evidence[max(len(have.Evidence)-maxEvidence, 0):]
	have.Updated = c.Updated
	if c.State.Used() {
		if !have.State.Used() {
			have.State = c.State
		}
		have.Origin = min(have.Origin, c.Origin)
		have.Confidence = max(have.Confidence, c.Confidence)
	}
	return have
}

// Replace puts a statement in the place of the only card that holds old.
func (h *Handle) Replace(ctx context.Context, old, statement string, src Source) (Added, error) {
	var out Added
	var err error
	out.Change, err = h.shelf.change(ctx, "replaced", func(p *pages) error {
		out.Card, err = h.replace(p, old, statement, src)
		return err
	})
	if err != nil {
		return Added{}, fmt.Errorf("replace in memory: %w", err)
	}
	return out, nil
}

func (h *Handle) replace(p *pages, old, statement string, src Source) (Card, error) {
	c, err := p.unique(old)
	if err != nil {
		return Card{}, err
	}
	if statement, err = h.acceptable(c.Kind, statement); err != nil {
		return Card{}, err
	}
	next := h.card(c.Kind, statement, src)
	if next.State == Quarantined {
		return Card{}, ErrNotSaid
	}
	next.ID, next.Created, next.Updated = c.ID, c.Created, p.now
	next.Evidence[0].At = p.now
	next.Link = c.Link
	p.put = append(p.put, next)
	if !sameStatement(c.Text, next.Text) {
		p.gone = append(p.gone, c)
	}
	return next, nil
}

// Remove removes the only card that holds a text.
func (h *Handle) Remove(ctx context.Context, text string, src Source) (Card, error) {
	var out Card
	_, err := h.shelf.change(ctx, "removed", func(p *pages) (err error) {
		out, err = h.remove(p, text, src)
		return err
	})
	if err != nil {
		return Card{}, fmt.Errorf("remove from memory: %w", err)
	}
	return out, nil
}

func (h *Handle) remove(p *pages, text string, src Source) (Card, error) {
	if !h.mayChange() {
		return Card{}, ErrForbidden
	}
	c, err := p.unique(text)
	if err != nil {
		return Card{}, err
	}
	if src.Origin > chat.Member && !supported(c.Text, src.Spoken) {
		return Card{}, ErrNotSaid
	}
	p.drop = append(p.drop, c.ID)
	p.gone = append(p.gone, c)
	return c, nil
}

// unique returns the only card that holds a text, or has it as its id.
func (p *pages) unique(s string) (Card, error) {
	if c, ok := p.find(s); ok {
		return c, nil
	}
	s = text.Fold(s)
	var found []Card
	for _, c := range p.cards {
		if s != "" && strings.Contains(text.Fold(c.Text), s) {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 0:
		return Card{}, ErrNotFound
	case 1:
		return found[0], nil
	}
	return Card{}, ErrAmbiguous
}

// Adjust changes the state or the confidence of a card, for what learns
// unattended and for what somebody does to one. Nothing else of it changes.
func (h *Handle) Adjust(ctx context.Context, id, what string, state State, confidence float64) (Card, error) {
	if !h.mayChange() {
		return Card{}, fmt.Errorf("adjust a card: %w", ErrForbidden)
	}
	var out Card
	_, err := h.shelf.change(ctx, what, func(p *pages) error {
		c, ok := p.find(id)
		if !ok {
			return ErrNotFound
		}
		c.State, c.Confidence, c.Updated = state, min(max(confidence, 0), 1), p.now
		out = c
		p.put = append(p.put, c)
		return nil
	})
	if err != nil {
		return Card{}, fmt.Errorf("adjust a card: %w", err)
	}
	return out, nil
}

// Confirm takes a card out of quarantine, on the person's own word.
func (h *Handle) Confirm(ctx context.Context, id string) (Card, error) {
	return h.Adjust(ctx, id, "confirmed", Active, 0.9)
}

// List returns all cards, quarantined and archived ones too, the latest first.
func (h *Handle) List(ctx context.Context) ([]Card, error) {
	cards, err := h.shelf.list(ctx)
	slices.SortFunc(cards, func(a, b Card) int {
		if c := b.Updated.Compare(a.Updated); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return cards, err
}

// Search returns the cards that a query is about, best first.
func (h *Handle) Search(ctx context.Context, query string) ([]Card, error) {
	cards, err := h.shelf.list(ctx)
	if err != nil {
		return nil, err
	}
	return rankCards(cards, query), nil
}
