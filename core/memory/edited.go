package memory

import (
	"context"
	"errors"
	"fmt"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/text"
	"talaria/storage"
)

// Reword adds to b, a batch on the shard of the place, that a message reads
// otherwise now: it is found by its new words and no more by the old ones.
// Without new words it is gone. A message that is not kept changes nothing.
func Reword(ctx context.Context, s *storage.Store, b *storage.Batch, place chat.Address, message, words string) error {
	if message == "" {
		return nil
	}
	key, err := storage.Get[string](ctx, s, person.ShardOf(place), messagesAt(place), message)
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look up message %s: %w", message, err)
	}
	doc, err := storage.Get[said](ctx, s, person.ShardOf(place), saidAt(place), key.Value)
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read message %s: %w", message, err)
	}
	v := doc.Value
	// The turn stays as an empty one: its number makes its neighbours known.
	v.Text = capped(words)
	b.Put(saidAt(place), key.Value, v, storage.Any)
	id := docID(v.At, key.Value)
	if counts := text.Counts(v.Name + "\n" + v.Text); v.Text != "" && len(counts) > 0 {
		b.Index(place.Place().String(), id, counts)
		return nil
	}
	b.Unindex(place.Place().String(), id)
	return nil
}
