package person

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/storage"
)

// AwakeFor is how long a thread stays awake after the bot answered in it:
// until then its people need no mention.
const AwakeFor = 24 * time.Hour

const awake = "awake" // documents in the place's shard, by address; they expire

// KeepAwake adds to b, a batch on the place's shard, that the thread of a
// stays awake for a while. An address without a thread needs none.
func KeepAwake(b *storage.Batch, a chat.Address, window time.Duration) {
	if a.Thread != "" {
		b.PutFor(awake, a.String(), true, storage.Any, window)
	}
}

// IsAwake reports whether the bot takes part in the thread of a.
func IsAwake(ctx context.Context, s *storage.Store, a chat.Address) (bool, error) {
	if a.Thread == "" {
		return false, nil
	}
	_, err := storage.Get[bool](ctx, s, ShardOf(a), awake, a.String())
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look up whether thread %s is awake: %w", a, err)
	}
	return true, nil
}
