package storage

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// tombstones is where the installation remembers what was erased for good.
func tombstones() Partition { return System("tombstones") }

// graveCollection holds a document for each erased partition, under its name.
const graveCollection = "erased"

type grave struct {
	At time.Time `json:"at"`
}

// Bury erases a partition and remembers that, so that no older backup brings
// it back: Restore leaves out what was buried since its backup was begun. The
// store that is restored into has to have the tombstones; see CopyTombstones.
//
// What is left of a person in the partitions of others is the caller's to
// remove, and after a Restore to remove again, for each of Tombstones.
func (s *Store) Bury(ctx context.Context, p Partition) error {
	now, err := s.Now(ctx)
	if err != nil {
		return fmt.Errorf("bury %s: %w", p, err)
	}
	// The tombstone is first: a crash in between leaves too much, never too little.
	batch := On(tombstones()).Durable().Put(graveCollection, p.String(), grave{At: now}, Any)
	if _, err := s.Commit(ctx, batch); err != nil {
		return fmt.Errorf("bury %s: %w", p, err)
	}
	if err := s.Erase(ctx, p); err != nil {
		return fmt.Errorf("bury %s: %w", p, err)
	}
	return nil
}

// Buried returns when a partition was buried, the zero time if it never was.
func (s *Store) Buried(ctx context.Context, p Partition) (time.Time, error) {
	doc, err := Get[grave](ctx, s, tombstones(), graveCollection, p.String())
	if errors.Is(err, ErrNotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("look for the tombstone of %s: %w", p, err)
	}
	return doc.Value.At, nil
}

// Tombstones returns the buried partitions with the time of their burial.
func (s *Store) Tombstones(ctx context.Context) (map[Partition]time.Time, error) {
	graves := map[Partition]time.Time{}
	for doc, err := range All[grave](ctx, s, tombstones(), graveCollection, "") {
		if err != nil {
			return nil, fmt.Errorf("list tombstones: %w", err)
		}
		p, err := ParsePartition(doc.Key)
		if err != nil {
			return nil, fmt.Errorf("%w: tombstone: %w", ErrCorrupt, err)
		}
		graves[p] = doc.Value.At
	}
	return graves, nil
}

// CopyTombstones adds the tombstones of one store to another, the later one
// where both have one, so that a backup can be restored there. It returns
// ErrInvalid if that one holds anything else.
func CopyTombstones(ctx context.Context, from, to *Store) error {
	if err := vacant(ctx, to); err != nil {
		return fmt.Errorf("copy tombstones: %w", err)
	}
	there, err := from.Tombstones(ctx)
	if err != nil {
		return fmt.Errorf("copy tombstones: %w", err)
	}
	here, err := to.Tombstones(ctx)
	if err != nil {
		return fmt.Errorf("copy tombstones: %w", err)
	}
	for p, at := range here {
		if at.After(there[p]) {
			there[p] = at
		}
	}
	if err := to.keepGraves(ctx, there); err != nil {
		return fmt.Errorf("copy tombstones: %w", err)
	}
	return nil
}

// keepGraves writes tombstones, whatever was there of the same partitions.
func (s *Store) keepGraves(ctx context.Context, graves map[Partition]time.Time) error {
	batch := On(tombstones()).Durable()
	for p, at := range graves {
		batch.Put(graveCollection, p.String(), grave{At: at}, Any)
	}
	_, err := s.Commit(ctx, batch)
	return err
}

func isGrave(r Record) bool {
	return r.Kind == kindDocument && r.Data["collection"] == graveCollection
}

// collectGrave adds the tombstone that a record of a backup is, if it is one.
func collectGrave(graves map[Partition]time.Time, p Partition, r Record) error {
	if p != tombstones() || !isGrave(r) {
		return nil
	}
	var g grave
	if err := decode(r.Blob, &g, p, graveCollection, r.Key); err != nil {
		return err
	}
	buried, err := ParsePartition(r.Key)
	if err != nil {
		return fmt.Errorf("%w: tombstone: %w", ErrCorrupt, err)
	}
	if g.At.After(graves[buried]) {
		graves[buried] = g.At
	}
	return nil
}
