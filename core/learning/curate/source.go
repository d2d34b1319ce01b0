package curate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/learning/outline"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/core/skill/match"
	"talaria/storage"
)

// Lost is a source that is no more.
type Lost struct {
	Place   string      `json:"place,omitempty"`   // of a message
	Message string      `json:"message,omitempty"` // platform id of one that was deleted
	Card    string      `json:"card,omitempty"`    // text of a card that was deleted
	From    []string    `json:"from,omitempty"`    // tasks and messages that the card was learned from
	Scope   skill.Scope `json:"scope,omitzero"`    // of the card

	Of chat.Identity `json:"of,omitzero"` // who had given the card
}

const (
	lost     = "lost" // documents of Lost
	lostKept = 30 * 24 * time.Hour
)

// Deleted notes that a message was deleted on its platform. What was derived
// from it is disabled by the next Sources.
func Deleted(ctx context.Context, s *storage.Store, place chat.Address, message string) error {
	if message == "" {
		return nil
	}
	return lose(ctx, s, Lost{Place: place.Place().String(), Message: message})
}

// CardDeleted notes that somebody deleted a card.
func CardDeleted(ctx context.Context, s *storage.Store, who person.Principal, c memory.Card) error {
	l := Lost{Card: c.Text, Scope: skill.Here(who), Of: c.From}
	for _, e := range c.Evidence {
		for _, id := range []string{e.Task, e.Message} {
			if id != "" {
				l.From = append(l.From, id)
			}
		}
	}
	return lose(ctx, s, l)
}

func lose(ctx context.Context, s *storage.Store, l Lost) error {
	sum := sha256.Sum256([]byte(l.Place + "\x00" + l.Message + "\x00" + l.Card + "\x00" + l.Scope.String()))
	_, err := s.Commit(ctx, storage.On(home).PutFor(lost, hex.EncodeToString(sum[:16]), l, storage.Any, lostKept))
	if err != nil {
		return fmt.Errorf("note a lost source: %w", err)
	}
	return nil
}

// Sources disables what was derived from sources that were lost since it ran
// last, until somebody approves it again, and says so. It is meant to run often:
// without a loss it reads one empty list.
func (c *Curator) Sources(ctx context.Context) error {
	const some = 100
	docs, err := storage.List[Lost](ctx, c.cfg.Store, home, lost, "", some)
	if err != nil {
		return fmt.Errorf("look for lost sources: %w", err)
	}
	if len(docs) == 0 {
		return nil
	}
	err = c.each(ctx, func(s skill.Scope) error { return c.orphans(ctx, s, docs) })
	if err != nil {
		return err
	}
	b := storage.On(home)
	for _, d := range docs {
		b.Delete(lost, d.Key, d.Revision)
	}
	_, err = c.cfg.Store.Commit(ctx, b)
	if errors.Is(err, storage.ErrConflict) {
		return nil // one was lost again meanwhile; the next run sees to them
	}
	return err
}

// orphans disables what in a scope was derived from what was lost.
func (c *Curator) orphans(ctx context.Context, s skill.Scope, docs []storage.Doc[Lost]) error {
	now, err := c.cfg.Store.Now(ctx)
	if err != nil {
		return err
	}
	r := Report{Plan: Plan{Scope: s, At: now}}
	shelf, err := c.cfg.Upkeep.Shelf(ctx, s)
	if err != nil {
		return err
	}
	for _, k := range shelf {
		if !k.Live() {
			continue
		}
		why, err := c.derived(ctx, k, docs)
		if err != nil {
			return err
		}
		if why == "" {
			continue
		}
		d, err := disable(ctx, c.cfg.Upkeep, k, why)
		if err != nil {
			return err
		}
		r.Done = append(r.Done, d)
	}
	cards, err := c.quarantine(ctx, s, docs)
	if err != nil {
		return err
	}
	if r.Done = append(r.Done, cards...); len(r.Done) == 0 {
		return nil
	}
	return c.cfg.Tell(ctx, r)
}

// Disable is that a source is gone. It is done by no plan: somebody's deletion
// is not to wait for the night.
const Disable Kind = "disable"

func disable(ctx context.Context, u skill.Upkeep, k skill.Skill, why string) (Done, error) {
	d := Done{Undo: "/skills enable " + k.Name, Action: Action{Kind: Disable, Skill: k.Name, Revision: k.InForce, Why: why}}
	_, err := u.Retire(ctx, k.Ref, skill.Disabled, why)
	if isRefusal(err) {
		err = nil
	}
	return d, err
}

// derived says which lost source a skill in force rests on, empty for none.
func (c *Curator) derived(ctx context.Context, k skill.Skill, docs []storage.Doc[Lost]) (string, error) {
	files, rev, err := c.cfg.Upkeep.Bundle(ctx, k.Ref.At(0))
	if err != nil {
		return "", err
	}
	for _, d := range docs {
		l := d.Value
		switch {
		case l.Message != "" && slices.ContainsFunc(rev.Provenance, l.cites):
			return "a message that it was learned from was deleted", nil
		case l.Card != "" && l.Scope == k.Scope && slices.ContainsFunc(rev.Provenance, l.shares) && says(files, k.Name, l.Card):
			return "a memory that it rests on was deleted", nil
		}
	}
	return "", nil
}

// cites reports whether an occasion is about the message.
func (l Lost) cites(p skill.Provenance) bool {
	at, ok := chat.ParseAddress(p.Place)
	return ok && at.Place().String() == l.Place && slices.Contains(p.Messages, l.Message)
}

// shares reports whether the card was learned on an occasion.
func (l Lost) shares(p skill.Provenance) bool {
	return slices.Contains(l.From, p.Task) || slices.ContainsFunc(p.Messages, func(m string) bool { return slices.Contains(l.From, m) })
}

// says reports whether a skill's text says what a card does.
func says(files manifest.Bundle, name, card string) bool {
	m, _, err := files.Manifest(name)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(append(outline.Items(m.Body), strings.Split(m.Body, "\n")...), func(line string) bool {
		return match.CardSimilarity(line, card) >= match.Alike
	})
}

// quarantine takes cards out of use that rest on deleted messages alone.
func (c *Curator) quarantine(ctx context.Context, s skill.Scope, docs []storage.Doc[Lost]) ([]Done, error) {
	h := c.memory(s)
	if h == nil {
		return nil, nil
	}
	cards, err := h.List(ctx)
	if err != nil {
		return nil, err
	}
	var out []Done
	for _, card := range cards {
		if !card.State.Used() || !orphaned(card, docs) {
			continue
		}
		if _, err := h.Adjust(ctx, card.ID, "disabled", memory.Quarantined, card.Confidence); err != nil {
			if isRefusal(err) {
				continue
			}
			return nil, err
		}
		out = append(out, Done{
			Undo:   "/memory confirm " + card.ID,
			Action: Action{Kind: Disable, Card: card.ID, Text: card.Text, Why: "the message that it comes from was deleted"},
		})
	}
	return out, nil
}

// orphaned reports whether all that speaks for a card was deleted.
func orphaned(card memory.Card, docs []storage.Doc[Lost]) bool {
	n := 0
	for _, e := range card.Evidence {
		at, ok := chat.ParseAddress(e.Place)
		gone := ok && e.Message != "" && slices.ContainsFunc(docs, func(d storage.Doc[Lost]) bool {
			return d.Value.Message == e.Message && d.Value.Place == at.Place().String()
		})
		switch {
		case e.Against != "":
		case !gone:
			return false
		default:
			n++
		}
	}
	return n > 0
}

// Eraser disables what shared places and teams have learned from somebody who
// is forgotten, until somebody approves it again. It is a person.Eraser.
type Eraser struct {
	Store  *storage.Store
	Upkeep skill.Upkeep
}

var _ person.Eraser = Eraser{}

// Erase implements person.Eraser. What is the person's own goes with them.
func (e Eraser) Erase(ctx context.Context, who person.Subject) error {
	b := storage.On(home)
	if err := e.losses(ctx, b, who); err != nil {
		return err
	}
	if _, err := e.Store.Commit(ctx, b); err != nil {
		return fmt.Errorf("forget a person's deleted cards: %w", err)
	}
	if err := (WorkedEraser{e.Store}).EraseShard(ctx, 0, who); err != nil {
		return err
	}
	if err := e.Upkeep.Forget(ctx, who); err != nil {
		return err
	}
	return e.Upkeep.Scopes(ctx, func(s skill.Scope) error {
		if s.Kind == skill.Person {
			return nil
		}
		shelf, err := e.Upkeep.Shelf(ctx, s)
		if err != nil {
			return err
		}
		for _, k := range shelf {
			if !k.Live() {
				continue
			}
			_, rev, err := e.Upkeep.Bundle(ctx, k.Ref.At(0))
			if err != nil {
				return err
			}
			if !slices.ContainsFunc(rev.Provenance, func(p skill.Provenance) bool { return slices.ContainsFunc(p.People, who.Is) }) {
				continue
			}
			if _, err := disable(ctx, e.Upkeep, k, "somebody whose words it was learned from was forgotten"); err != nil {
				return err
			}
		}
		return nil
	})
}

// losses removes cards of the person's that were deleted just before.
func (e Eraser) losses(ctx context.Context, b *storage.Batch, who person.Subject) error {
	for d, err := range storage.All[Lost](ctx, e.Store, home, lost, "") {
		if err != nil {
			return fmt.Errorf("forget a person's deleted cards: %w", err)
		}
		if l := d.Value; who.Is(l.Scope.Person) || l.Card != "" && who.Has(l.Of) {
			b.Delete(lost, d.Key, storage.Any)
		}
	}
	return nil
}
