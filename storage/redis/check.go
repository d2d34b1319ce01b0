package redis

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"talaria/storage"
)

// Check reads every partition whole and looks whether what is stored can be
// decoded, whether the orders and counts beside it agree with it, and whether
// blobs are what their hashes say.
func (d *Driver) Check(ctx context.Context) ([]string, error) {
	var findings []string
	err := d.Partitions(ctx, func(p storage.Partition) error {
		found, err := d.checkPartition(ctx, p)
		for _, f := range found {
			findings = append(findings, fmt.Sprintf("%s: %s", p, f))
		}
		return err
	})
	if errors.Is(err, storage.ErrCorrupt) {
		return append(findings, err.Error()), nil
	}
	return findings, err
}

func (d *Driver) checkPartition(ctx context.Context, p storage.Partition) ([]string, error) {
	s, err := d.snapshot(ctx, p)
	if errors.Is(err, storage.ErrCorrupt) {
		return []string{err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	findings := s.damage()
	for n := range s.blobs {
		hash := text(s.blobs, n)
		data, err := d.GetBlob(ctx, p, hash)
		sum := sha256.Sum256(data)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			findings = append(findings, fmt.Sprintf("blob %s is listed but missing", hash))
		case err != nil:
			return findings, err
		case hex.EncodeToString(sum[:]) != hash:
			findings = append(findings, fmt.Sprintf("blob %s has other content than its hash says", hash))
		}
	}
	return findings, nil
}

// damage lists what in a snapshot can't be decoded or does not agree.
func (s snapshot) damage() []string {
	var findings []string
	find := func(bad bool, format string, args ...any) {
		if bad {
			findings = append(findings, fmt.Sprintf(format, args...))
		}
	}
	for _, err := range s.all {
		find(err != nil, "%v", err)
	}
	find(s.names != int64(len(s.docs)/2), "%d documents, but %d in the order of their keys", len(s.docs)/2, s.names)
	find(s.states != int64(len(s.rows)/2), "%d outbox rows, but %d in the order of their states", len(s.rows)/2, s.states)
	find(len(s.due) != len(s.timers), "%d timers, but %d with a due time", len(s.timers)/2, len(s.due)/2)
	for _, l := range s.logs {
		entries := list(at(list(l), 2))
		last, err := decodeEntry(text(entries, len(entries)-1))
		find(len(entries) > 0 && err == nil && last.Offset > uint64(whole(list(l), 1)),
			"log %q has offset %d, but counts to %d", text(list(l), 0), last.Offset, whole(list(l), 1))
	}
	for _, p := range s.places {
		postings, length := s.measure(list(at(list(p), 3)))
		find(postings != whole(list(p), 2) || length != whole(list(p), 1),
			"the text index of place %q does not add up; index its documents again", text(list(p), 0))
	}
	return findings
}

// measure counts what a place's documents say themselves.
func (s snapshot) measure(docs []any) (postings, length int64) {
	for n := 1; n < len(docs); n += 2 {
		counts, err := decodeCounts(text(docs, n))
		if err != nil {
			continue // reported where it is decoded
		}
		doc := storage.IndexedDoc{Counts: counts}
		postings += int64(len(counts))
		length += int64(doc.Length())
	}
	return postings, length
}
