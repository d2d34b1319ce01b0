package backup

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"talaria/storage"
)

// Write copies a store into a new file, for its owner alone. A file that is
// there already is left alone; one that could not be finished is removed.
func Write(ctx context.Context, s *storage.Store, path string) (Summary, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Summary{}, fmt.Errorf("backup: %w", err)
	}
	sum, err := copyTo(ctx, s, f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return Summary{}, fmt.Errorf("backup into %s: %w", path, errors.Join(err, os.Remove(path)))
	}
	return sum, nil
}

func copyTo(ctx context.Context, s *storage.Store, w io.Writer) (Summary, error) {
	buffered := bufio.NewWriterSize(w, 1<<20)
	z, err := gzip.NewWriterLevel(buffered, gzip.BestSpeed)
	if err != nil {
		return Summary{}, err
	}
	sum, err := entries(ctx, s, json.NewEncoder(z))
	return sum, errors.Join(err, z.Close(), buffered.Flush())
}

func entries(ctx context.Context, s *storage.Store, out *json.Encoder) (Summary, error) {
	now, err := s.Now(ctx)
	if err != nil {
		return Summary{}, err
	}
	if err := out.Encode(entry{Header: &header{Version: version, At: now}}); err != nil {
		return Summary{}, err
	}
	// The list is complete before the first dump: a driver may hold a
	// connection while it lists.
	var partitions []storage.Partition
	err = s.Partitions(ctx, func(p storage.Partition) error {
		partitions = append(partitions, p)
		return nil
	})
	if err != nil {
		return Summary{}, err
	}
	sum := Summary{Partitions: len(partitions)}
	for _, p := range partitions {
		if err := out.Encode(entry{Partition: p.String()}); err != nil {
			return sum, err
		}
		err := s.Dump(ctx, p, func(r storage.Record) error {
			sum.Records++
			return out.Encode(entry{Record: &r})
		})
		if err != nil {
			return sum, fmt.Errorf("partition %s: %w", p, err)
		}
	}
	return sum, out.Encode(entry{End: &sum})
}
