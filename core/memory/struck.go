package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"talaria/core/text"
	"talaria/storage"
)

// struckCards is the collection of what was struck from a person's profile, in
// their partition: exported and forgotten with it.
const struckCards = "card.struck"

// maxStruck is how many of them are looked at.
const maxStruck = 1000

// struck is a statement that its person does not want to come back by itself.
// It says nothing against a card that is there: one that was brought back by
// hand stays.
type struck struct {
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// strike adds to b that what a card of a person's profile says is not to be
// concluded again. Of other cards nothing is noted.
func strike(b *storage.Batch, c Card, now time.Time) {
	if c.Kind != Profile {
		return
	}
	sum := sha256.Sum256([]byte(text.Fold(c.Text)))
	b.Put(struckCards, hex.EncodeToString(sum[:16]), struck{c.Text, now}, storage.Any)
}

// struck returns what was struck from the shelf.
func (s shelf) struck(ctx context.Context) ([]storage.Doc[struck], error) {
	docs, err := storage.List[struck](ctx, s.store, s.at, struckCards, "", maxStruck)
	if err != nil {
		return nil, fmt.Errorf("list what was struck: %w", err)
	}
	return docs, nil
}

// moveStruck has what one person struck stay away from the other one too.
func moveStruck(ctx context.Context, from, to shelf) error {
	docs, err := from.struck(ctx)
	if err != nil || len(docs) == 0 {
		return err
	}
	b := storage.On(to.at)
	for _, d := range docs {
		b.Put(struckCards, d.Key, d.Value, storage.Any)
	}
	_, err = to.store.Commit(ctx, b)
	return err
}
