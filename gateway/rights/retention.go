package rights

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/gateway/lane"
	"talaria/storage"
)

// exportKept is how long the file of an export waits to be fetched.
const exportKept = 24 * time.Hour

// Sweep erases what was kept long enough: what was said before an instant,
// with its place in the search index, transcripts and files, and exports of
// more than a day ago. It is for one nightly run over all replicas; a run that
// is cut off is made up for by the next. Traces and reports have lives of
// their own.
func Sweep(ctx context.Context, s *storage.Store, before time.Time) error {
	now, err := s.Now(ctx)
	if err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	for shard := range storage.Shards {
		err := errors.Join(
			memory.Places(ctx, s, shard, func(place chat.Address) error {
				_, err := memory.Sweep(ctx, s, place, func(t memory.Turn) bool { return t.At.Before(before) })
				return err
			}),
			lane.Expire(ctx, s, shard, before),
			dropExports(ctx, s, storage.Shard(shard), now.Add(-exportKept)),
		)
		if err != nil {
			return fmt.Errorf("sweep shard %d: %w", shard, err)
		}
	}
	return nil
}

const exports = "export" // collection in the shard of the conversation: when, by blob

func dropExports(ctx context.Context, s *storage.Store, at storage.Partition, before time.Time) error {
	docs, err := storage.List[time.Time](ctx, s, at, exports, "", 1000)
	if err != nil {
		return err
	}
	for _, d := range docs {
		if !d.Value.Before(before) {
			continue
		}
		if err := s.DeleteBlob(ctx, at, d.Key); err != nil {
			return err
		}
		if _, err := s.Commit(ctx, storage.On(at).Delete(exports, d.Key, storage.Any)); err != nil {
			return err
		}
	}
	return nil
}
