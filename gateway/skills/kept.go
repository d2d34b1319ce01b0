package skills

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/core/person"
	"talaria/core/skill"
	"talaria/storage"
)

// kept is what the buttons of a card are about, by their token: the library
// finds drafts by who asks where, and a card may be pressed by somebody who does
// not see its skill, such as an admin asked about new rights.
type kept struct {
	Ref  skill.Ref `json:"ref"`
	Hash string    `json:"hash"`
}

var cardsAt = storage.System("skill.cards")

const cards = "card"

// keptFor is how long a card answers: as long as a draft waits, and some days
// after, to say how it ended.
const keptFor = 7 * 24 * time.Hour

func (d *Desk) keep(ctx context.Context, r skill.Revision) error {
	b := storage.On(cardsAt).Durable().PutFor(cards, token(r), kept{r.Ref, r.Hash}, storage.Any, keptFor)
	if _, err := d.Store.Commit(ctx, b); err != nil {
		return fmt.Errorf("keep a card: %w", err)
	}
	return nil
}

// kept finds what a card is about, false for one that is too old or never was.
func (d *Desk) kept(ctx context.Context, token string) (kept, bool, error) {
	if token == "" {
		return kept{}, false, nil
	}
	doc, err := storage.Get[kept](ctx, d.Store, cardsAt, cards, token)
	if errors.Is(err, storage.ErrNotFound) {
		return kept{}, false, nil
	}
	if err != nil {
		return kept{}, false, fmt.Errorf("find a card: %w", err)
	}
	return doc.Value, true, nil
}

// CardEraser removes what the cards about a person's own skills are about: it
// names them. It is a person.Eraser.
type CardEraser struct{ Store *storage.Store }

var _ person.Eraser = CardEraser{}

// Erase implements person.Eraser.
func (e CardEraser) Erase(ctx context.Context, who person.Subject) error {
	const page = 200
	for after := ""; ; {
		docs, err := storage.List[kept](ctx, e.Store, cardsAt, cards, after, page)
		if err != nil {
			return fmt.Errorf("erase cards of skills: %w", err)
		}
		b := storage.On(cardsAt)
		for _, d := range docs {
			if after = d.Key; who.Is(d.Value.Ref.Scope.Person) {
				b.Delete(cards, d.Key, storage.Any)
			}
		}
		if _, err := e.Store.Commit(ctx, b); err != nil {
			return fmt.Errorf("erase cards of skills: %w", err)
		}
		if len(docs) < page {
			return nil
		}
	}
}
