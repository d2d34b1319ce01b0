package tool

import (
	"context"
	"fmt"
	"time"

	"talaria/storage"
)

// AllFiles are a session's files by name, for whoever acts for its people
// outside of a turn: an export, or Drop before it.
func AllFiles(ctx context.Context, s *storage.Store, at storage.Partition, session string) ([]File, error) {
	return NewFiles(s, storage.Fence{Partition: at}, session, nil).List(ctx)
}

// Drop removes those of a session's files for good that were there before an
// instant. It returns their blobs: those that no other session of the shard
// has are the caller's to delete.
func Drop(ctx context.Context, s *storage.Store, at storage.Partition, session string, before time.Time) (blobs []string, err error) {
	f := NewFiles(s, storage.Fence{Partition: at}, session, nil)
	files, err := f.List(ctx)
	if err != nil {
		return nil, err
	}
	b := storage.On(at)
	for _, file := range files {
		if !file.At.Before(before) {
			continue
		}
		b.Delete(f.about(), file.Name, storage.Any).Delete(f.content(), file.Name, storage.Any)
		if file.Blob != "" {
			blobs = append(blobs, file.Blob)
		}
	}
	if _, err := s.Commit(ctx, b); err != nil {
		return nil, fmt.Errorf("remove files of a session: %w", err)
	}
	return blobs, nil
}
