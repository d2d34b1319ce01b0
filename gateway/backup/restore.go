package backup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"talaria/storage"
)

// A partition is loaded in goes of at most so much.
const (
	goRecords = 1000
	goBytes   = 4 << 20
)

// Options say how a backup is restored.
type Options struct {
	// Resume keeps what waited to be answered or sent, as it was. Without it
	// nothing that was said before the backup has an effect after it.
	Resume bool
}

// Restored says what was restored.
type Restored struct {
	Summary
	At       time.Time // when the backup was made
	Events   int       // that waited and were left out
	Messages int       // that waited and became of unknown outcome
}

// ErrNotEmpty: the store to be restored into holds something.
var ErrNotEmpty = errors.New("the store is not empty")

// Restore reads a file that Write wrote into an empty store. The file is read
// to its end before the first record is written.
func Restore(ctx context.Context, s *storage.Store, path string, o Options) (Restored, error) {
	f, err := os.Open(path)
	if err != nil {
		return Restored{}, fmt.Errorf("restore: %w", err)
	}
	defer f.Close()
	if err := empty(ctx, s); err != nil {
		return Restored{}, err
	}
	if err := verify(f); err != nil {
		return Restored{}, fmt.Errorf("restore from %s: %w", path, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Restored{}, fmt.Errorf("restore: %w", err)
	}
	l := loader{store: s, o: o}
	if err := l.run(ctx, f); err != nil {
		return Restored{}, fmt.Errorf("restore from %s: %w; the store is half full: begin again with an empty one", path, err)
	}
	return l.done, nil
}

func empty(ctx context.Context, s *storage.Store) error {
	return s.Partitions(ctx, func(p storage.Partition) error {
		return fmt.Errorf("%w: %s holds records; restore into a new one", ErrNotEmpty, p)
	})
}

// verify reads a whole file and compares it with its own count.
func verify(f io.Reader) error {
	r, err := newReader(bufio.NewReader(f))
	if err != nil {
		return err
	}
	var seen Summary
	for {
		e, err := r.next()
		switch {
		case err != nil:
			return err
		case e.End != nil && *e.End != seen:
			return fmt.Errorf("%w: it counts %d records and holds %d", ErrDamaged, e.End.Records, seen.Records)
		case e.End != nil:
			return r.end()
		case e.Partition != "":
			if _, err := storage.ParsePartition(e.Partition); err != nil {
				return fmt.Errorf("%w: %v", ErrDamaged, err)
			}
			seen.Partitions++
		case e.Record == nil || seen.Partitions == 0:
			return fmt.Errorf("%w: a line is no record", ErrDamaged)
		default:
			if _, err := e.Record.Stored(); err != nil {
				return fmt.Errorf("%w: %v", ErrDamaged, err)
			}
			seen.Records++
		}
	}
}

// loader writes the records of a verified file.
type loader struct {
	store *storage.Store
	o     Options
	done  Restored

	partition storage.Partition
	records   []storage.Record
	bytes     int
}

func (l *loader) run(ctx context.Context, f io.Reader) error {
	r, err := newReader(bufio.NewReader(f))
	if err != nil {
		return err
	}
	l.done.At = r.at
	for {
		e, err := r.next()
		switch {
		case err != nil:
			return err
		case e.Record != nil:
			err = l.record(ctx, *e.Record)
		case e.End != nil:
			return l.flush(ctx)
		default:
			err = l.begin(ctx, e.Partition)
		}
		if err != nil {
			return err
		}
	}
}

func (l *loader) begin(ctx context.Context, name string) error {
	if err := l.flush(ctx); err != nil {
		return err
	}
	p, err := storage.ParsePartition(name)
	l.partition = p
	l.done.Partitions++
	return err
}

func (l *loader) record(ctx context.Context, r storage.Record) error {
	r, keep, err := l.settle(r)
	if err != nil || !keep {
		return err
	}
	l.records = append(l.records, r)
	l.bytes += len(r.Blob)
	if len(l.records) < goRecords && l.bytes < goBytes {
		return nil
	}
	return l.flush(ctx)
}

// settle takes what could still have an effect out of a record.
func (l *loader) settle(r storage.Record) (storage.Record, bool, error) {
	if l.o.Resume {
		return r, true, nil
	}
	s, err := r.Stored()
	switch {
	case err != nil:
		return r, false, err
	case s.Event != nil:
		l.done.Events++
		return r, false, nil
	case s.Row != nil && (s.Row.State == storage.Queued || s.Row.State == storage.Sending):
		l.done.Messages++
		s.Row.State = storage.Unknown
		return s.Record(), true, nil
	}
	return r, true, nil
}

func (l *loader) flush(ctx context.Context) error {
	if len(l.records) == 0 {
		return nil
	}
	if err := l.store.Load(ctx, l.partition, l.records); err != nil {
		return err
	}
	l.done.Records += len(l.records)
	l.records, l.bytes = nil, 0
	return nil
}
