package memory

import (
	"context"
	"fmt"
	"slices"
)

// Edit is one step of several. Without Old it adds Text as a card of Kind;
// without Text it removes the only card that holds Old; with both Text comes in
// the place of that card.
type Edit struct {
	Kind      Kind
	Old, Text string
}

// EditError says which step can't be done; nothing of the others was.
type EditError struct {
	Step int // from 1
	Err  error
}

// Error implements error.
func (e *EditError) Error() string { return fmt.Sprintf("step %d: %v", e.Step, e.Err) }

// Unwrap is why.
func (e *EditError) Unwrap() error { return e.Err }

// Apply does several steps as one change: all of them or, with an EditError,
// none. Each sees what those before it made, and one undo takes all back. It is
// for a direct conversation, where all cards lie on one shelf.
func (h *Handle) Apply(ctx context.Context, edits []Edit, src Source) error {
	if !h.who.Direct {
		return fmt.Errorf("change memory: %w", ErrForbidden)
	}
	_, err := h.shelf.change(ctx, "changed", func(p *pages) error {
		next := pages{cards: slices.Clone(p.cards), now: p.now}
		touched := map[string]bool{}
		for n, e := range edits {
			if err := h.edit(&next, e, src); err != nil {
				return &EditError{n + 1, err}
			}
			next.settle(touched)
		}
		p.gone = next.gone
		for id := range touched {
			if c, there := next.find(id); there {
				p.put = append(p.put, c)
			} else if _, was := p.find(id); was {
				p.drop = append(p.drop, id)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("change memory: %w", err)
	}
	return nil
}

// edit does one step.
func (h *Handle) edit(p *pages, e Edit, src Source) error {
	switch {
	case e.Old == "":
		statement, err := h.acceptable(e.Kind, e.Text)
		if err == nil {
			_, _, err = p.add(h.card(e.Kind, statement, src))
		}
		return err
	case e.Text == "":
		_, err := h.remove(p, e.Old, src)
		return err
	}
	_, err := h.replace(p, e.Old, e.Text, src)
	return err
}

// settle makes what a step put and dropped what the next one finds, and notes
// which cards that were.
func (p *pages) settle(touched map[string]bool) {
	for _, c := range p.put {
		touched[c.ID] = true
		if i := slices.IndexFunc(p.cards, func(have Card) bool { return have.ID == c.ID }); i >= 0 {
			p.cards[i] = c
		} else {
			p.cards = append(p.cards, c)
		}
	}
	for _, id := range p.drop {
		touched[id] = true
		p.cards = slices.DeleteFunc(p.cards, func(have Card) bool { return have.ID == id })
	}
	p.put, p.drop = nil, nil
}
