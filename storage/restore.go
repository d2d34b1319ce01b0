package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// Restore loads a backup into an empty store. It reads it twice: the first
// time to see that it is whole, so that a damaged one changes nothing.
//
// The store may hold tombstones (see Bury). A partition that was buried since
// the backup was begun is left out.
//
// Afterwards the store is not the live one until SetLive. If Restore fails
// half-way the store can't become live; AbandonRestore clears it for another one.
//
// The last step, nil for none, belongs to it: where it fails, or is never
// reached, the store can't become live either.
func Restore(ctx context.Context, s *Store, r io.ReadSeeker, last func(Report) error) (Report, error) {
	report, err := restore(ctx, s, r)
	if err == nil && last != nil {
		err = last(report)
	}
	if err == nil {
		err = s.endRestore(ctx)
	}
	if err != nil {
		return Report{}, fmt.Errorf("restore: %w", err)
	}
	return report, nil
}

// restore does all but to say that the store is whole.
func restore(ctx context.Context, s *Store, r io.ReadSeeker) (Report, error) {
	if err := vacant(ctx, s); err != nil {
		return Report{}, err
	}
	graves, err := s.Tombstones(ctx)
	if err != nil {
		return Report{}, err
	}
	first, err := readBackup(ctx, r, func(p Partition, r Record) error {
		return collectGrave(graves, p, r)
	})
	if err != nil {
		return Report{}, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return Report{}, fmt.Errorf("read the backup a second time: %w", err)
	}
	if err := s.beginRestore(ctx, first.At); err != nil {
		return Report{}, err
	}
	l := &loader{s: s, graves: graves, since: first.At}
	second, err := readBackup(ctx, r, func(p Partition, r Record) error { return l.add(ctx, p, r) })
	if err != nil {
		return Report{}, err
	}
	if err := l.flush(ctx); err != nil {
		return Report{}, err
	}
	if err := s.keepGraves(ctx, graves); err != nil {
		return Report{}, err
	}
	second.Buried = l.buried
	return second, nil
}

// ErrUnfinished is the ErrInvalid of a store into which a restore was begun that
// did not finish, or is still at work.
var ErrUnfinished = fmt.Errorf("%w: a restore into this store did not finish", ErrInvalid)

// AbandonRestore removes what a restore that did not finish left in a store, all
// but tombstones, so that another one can begin. No restore may be at work. A
// store without such a restore is left as it is.
func (s *Store) AbandonRestore(ctx context.Context) error {
	if _, err := s.Live(ctx); !errors.Is(err, ErrUnfinished) {
		return err
	}
	var left []Partition
	err := s.d.Partitions(ctx, func(p Partition) error {
		if p != tombstones() && p != installation() {
			left = append(left, p)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("abandon a restore: %w", err)
	}
	// Last goes what tells that there is something to abandon.
	for _, p := range append(left, installation()) {
		if err := s.d.Erase(ctx, p); err != nil {
			return fmt.Errorf("abandon a restore: %s: %w", p, err)
		}
	}
	return nil
}

// vacant returns ErrInvalid if a store holds more than tombstones.
func vacant(ctx context.Context, s *Store) error {
	if _, err := s.Live(ctx); errors.Is(err, ErrUnfinished) {
		return err
	}
	return s.d.Partitions(ctx, func(p Partition) error {
		if p == tombstones() {
			return nil
		}
		return fmt.Errorf("%w: the store is not empty; name a new one to restore into", ErrInvalid)
	})
}

const (
	// chunkRecords and chunkBytes bound what is loaded at once.
	chunkRecords = 1000
	chunkBytes   = 4 << 20
)

// loader gathers the records of a partition into chunks.
type loader struct {
	s      *Store
	graves map[Partition]time.Time
	since  time.Time

	partition Partition
	chunk     []Record
	size      int
	buried    []Partition
}

func (l *loader) add(ctx context.Context, p Partition, r Record) error {
	if at, ok := l.graves[p]; ok && !at.Before(l.since) {
		if !slices.Contains(l.buried, p) {
			l.buried = append(l.buried, p)
		}
		return nil
	}
	if p == installation() && isStanding(r) || p == tombstones() && isGrave(r) {
		return nil // not the old installation's standing; tombstones are merged
	}
	if p != l.partition || len(l.chunk) >= chunkRecords || l.size >= chunkBytes {
		if err := l.flush(ctx); err != nil {
			return err
		}
	}
	l.partition = p
	l.chunk = append(l.chunk, r)
	l.size += len(r.Blob)
	return nil
}

func (l *loader) flush(ctx context.Context) error {
	if len(l.chunk) == 0 {
		return nil
	}
	err := l.s.d.Load(ctx, l.partition, l.chunk)
	l.chunk, l.size = nil, 0
	if err != nil {
		return fmt.Errorf("partition %s: %w", l.partition, err)
	}
	return nil
}

// standing is what a store knows about itself after a restore.
type standing struct {
	Restored time.Time `json:"restored"`
	Backup   time.Time `json:"backup"`
	Complete bool      `json:"complete"`
	Live     bool      `json:"live"`
}

const (
	standingCollection = "installation"
	standingKey        = "standing"
)

func installation() Partition { return System("installation") }

func isStanding(r Record) bool {
	return r.Kind == kindDocument && r.Data["collection"] == standingCollection && r.Key == standingKey
}

// beginRestore marks the store before anything is in it, so that what a crash
// leaves behind is never taken for a whole store.
func (s *Store) beginRestore(ctx context.Context, backup time.Time) error {
	now, err := s.Now(ctx)
	if err != nil {
		return err
	}
	return s.stand(ctx, standing{Restored: now, Backup: backup}, Absent)
}

func (s *Store) endRestore(ctx context.Context) error {
	doc, err := Get[standing](ctx, s, installation(), standingCollection, standingKey)
	if err != nil {
		return err
	}
	doc.Value.Complete = true
	return s.stand(ctx, doc.Value, doc.Revision)
}

func (s *Store) stand(ctx context.Context, v standing, expect Revision) error {
	_, err := s.Commit(ctx, On(installation()).Durable().Put(standingCollection, standingKey, v, expect))
	return err
}

// Live reports whether this store may act: send messages, fire timers, poll
// platforms. A store that was restored may not until SetLive, as the one from
// which the backup came may still be running. It returns ErrUnfinished after a
// restore that did not finish.
func (s *Store) Live(ctx context.Context) (bool, error) {
	doc, err := Get[standing](ctx, s, installation(), standingCollection, standingKey)
	switch {
	case errors.Is(err, ErrNotFound):
		return true, nil
	case err == nil && !doc.Value.Complete:
		return false, ErrUnfinished
	}
	return err == nil && doc.Value.Live, err
}

// SetLive says that this store is the live one from now on. It returns
// ErrUnfinished after a restore that did not finish.
func (s *Store) SetLive(ctx context.Context) error {
	doc, err := Get[standing](ctx, s, installation(), standingCollection, standingKey)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil
	case err != nil:
		return err
	case !doc.Value.Complete:
		return ErrUnfinished
	}
	doc.Value.Live = true
	return s.stand(ctx, doc.Value, doc.Revision)
}
