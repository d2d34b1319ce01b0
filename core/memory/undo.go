package memory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/storage"
)

// keptChanges is how many changes of a shelf can be undone.
const keptChanges = 100

// ErrChanged: the cards were changed since, so undoing would undo that too.
var ErrChanged = errors.New("the card was changed again since")

// Change is what was done to a shelf in one step.
type Change struct {
	Number int       `json:"number"`
	What   string    `json:"what"` // a word for people: "added", "removed", ...
	At     time.Time `json:"at"`
	Steps  []Step    `json:"steps"`
	Undoes int       `json:"undoes,omitempty"` // the number of the change that it takes back
}

// Step is what became of one card; without Before it is new, without After it
// is gone.
type Step struct {
	Before *Card `json:"before,omitempty"`
	After  *Card `json:"after,omitempty"`
}

func changeKey(number int) string { return fmt.Sprintf("%010d", number) }

// Changes returns the changes that can be undone, the latest last.
func (h *Handle) Changes(ctx context.Context) ([]Change, error) {
	docs, err := storage.List[Change](ctx, h.store, h.shelf.at, h.shelf.past, "", keptChanges)
	if err != nil {
		return nil, fmt.Errorf("list changes of memory: %w", err)
	}
	out := make([]Change, len(docs))
	for i, d := range docs {
		out[i] = d.Value
	}
	return out, nil
}

// Undo puts the cards of a change back exactly as they were. It is a change
// itself, so it can be undone. It returns ErrChanged if one of them was
// changed since.
func (h *Handle) Undo(ctx context.Context, number int) error {
	if !h.mayChange() {
		return fmt.Errorf("undo change %d of memory: %w", number, ErrForbidden)
	}
	doc, err := storage.Get[Change](ctx, h.store, h.shelf.at, h.shelf.past, changeKey(number))
	if err != nil {
		return fmt.Errorf("undo change %d of memory: %w", number, err)
	}
	_, err = h.shelf.change(ctx, "undone", func(p *pages) error {
		p.undoes = number
		for _, s := range doc.Value.Steps {
			if err := p.restore(s); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("undo change %d of memory: %w", number, err)
	}
	return nil
}

// restore puts Before in the place of After.
func (p *pages) restore(s Step) error {
	id := ""
	if s.After != nil {
		id = s.After.ID
	} else {
		id = s.Before.ID
	}
	now, there := p.find(id)
	if there != (s.After != nil) || there && !now.Updated.Equal(s.After.Updated) {
		return ErrChanged
	}
	if s.Before == nil {
		p.drop = append(p.drop, id)
		if now.Inferred {
			p.gone = append(p.gone, now)
		}
	} else {
		p.put = append(p.put, *s.Before)
	}
	return nil
}
