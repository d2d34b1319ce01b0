package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// Verify reads a whole store and counts what it holds: the driver's own check,
// then every record, whether it can be read and decoded. Damage stands in the
// findings; an error means that the store could not be looked at.
func Verify(ctx context.Context, s *Store) (Report, error) {
	var report Report
	var err error
	if report.At, err = s.Now(ctx); err != nil {
		return report, fmt.Errorf("verify: %w", err)
	}
	if report.Findings, err = s.d.Check(ctx); err != nil {
		return report, fmt.Errorf("verify: %w", err)
	}
	err = s.d.Partitions(ctx, func(p Partition) error {
		report.Partitions++
		err := s.d.Dump(ctx, p, func(r Record) error {
			report.count(r)
			report.find(p, checkContent(r))
			return nil
		})
		return report.find(p, err)
	})
	if err := report.find(Partition{}, err); err != nil {
		return report, fmt.Errorf("verify: %w", err)
	}
	return report, nil
}

// find makes damage a finding and returns every other error.
func (r *Report) find(p Partition, err error) error {
	if !errors.Is(err, ErrCorrupt) {
		return err
	}
	if !p.IsZero() {
		err = fmt.Errorf("%s: %w", p, err)
	}
	r.Findings = append(r.Findings, err.Error())
	return nil
}

// checkRecord tells whether a record could have been written by a store.
func checkRecord(r Record) error {
	s, err := r.Stored()
	if err != nil {
		return err
	}
	for _, name := range names(s) {
		if err := checkName(name); err != nil {
			return fmt.Errorf("%w: %s: %v", ErrCorrupt, r.Kind, err)
		}
	}
	if s.Blob == nil {
		if len(r.Blob) > MaxValue {
			return fmt.Errorf("%w: %s %q has %d bytes, over the limit of %d", ErrCorrupt, r.Kind, r.Key, len(r.Blob), MaxValue)
		}
		return nil
	}
	if sum := sha256.Sum256(s.Blob.Data); hex.EncodeToString(sum[:]) != s.Blob.Hash {
		return fmt.Errorf("%w: blob %s has other content than its hash says", ErrCorrupt, s.Blob.Hash)
	}
	return nil
}

// checkContent is checkRecord and whether the value is JSON, as all are that
// came through a Batch.
func checkContent(r Record) error {
	if err := checkRecord(r); err != nil {
		return err
	}
	switch r.Kind {
	case kindDocument, kindEntry, kindEvent, kindRow, kindTimer:
		if !json.Valid(r.Blob) {
			return fmt.Errorf("%w: the value of %s %q %v can't be decoded; delete it or restore a backup", ErrCorrupt, r.Kind, r.Key, r.Data)
		}
	}
	return nil
}

// names are all the names in what a record stands for.
func names(s Stored) []string {
	switch {
	case s.Document != nil:
		return []string{s.Document.Collection, s.Document.Key}
	case s.Log != nil:
		return []string{s.Log.Log}
	case s.Entry != nil:
		return []string{s.Entry.Log}
	case s.Seen != nil:
		return []string{s.Seen.Key}
	case s.Row != nil:
		return []string{s.Row.Key}
	case s.Timer != nil:
		return []string{s.Timer.ID}
	case s.Indexed != nil:
		list := []string{s.Indexed.Place, s.Indexed.Doc}
		for term := range s.Indexed.Counts {
			list = append(list, term)
		}
		return list
	}
	return nil
}
