package rights

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
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

const exports = "export" // collection in the shard of the conversation: when, by blob and person

func exportKey(blob string, of person.ID) string { return blob + " " + string(of) }

// dropExports removes the exports of before an instant, with their blobs.
func dropExports(ctx context.Context, s *storage.Store, at storage.Partition, before time.Time) error {
	return removeExports(ctx, s, at, func(_ person.ID, made time.Time) bool { return made.Before(before) })
}

// ExportEraser removes the exports that a person fetched or may fetch yet. It is
// a person.ShardEraser.
type ExportEraser struct{ Store *storage.Store }

var _ person.ShardEraser = ExportEraser{}

// EraseShard implements person.ShardEraser. An export that names nobody is of a
// version that did not note whose it is, and goes too.
func (e ExportEraser) EraseShard(ctx context.Context, shard int, who person.Subject) error {
	theirs := func(of person.ID, _ time.Time) bool { return of == "" || who.Is(of) }
	if err := removeExports(ctx, e.Store, storage.Shard(shard), theirs); err != nil {
		return fmt.Errorf("erase exports: %w", err)
	}
	return nil
}

// removeExports removes the exports that drop names. The blob goes first: until
// it is gone, its document says that it is there.
func removeExports(ctx context.Context, s *storage.Store, at storage.Partition, drop func(of person.ID, made time.Time) bool) error {
	for d, err := range storage.All[time.Time](ctx, s, at, exports, "") {
		if err != nil {
			return err
		}
		blob, of, _ := strings.Cut(d.Key, " ")
		if !drop(person.ID(of), d.Value) {
			continue
		}
		if err := s.DeleteBlob(ctx, at, blob); err != nil {
			return err
		}
		if _, err := s.Commit(ctx, storage.On(at).Delete(exports, d.Key, storage.Any)); err != nil {
			return err
		}
	}
	return nil
}
