package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// PutBlob stores bytes and returns their hash, by which they are found again
// in the same partition.
func (s *Store) PutBlob(ctx context.Context, p Partition, data []byte) (string, error) {
	if len(data) > MaxBlob {
		return "", fmt.Errorf("%w: blob of %d bytes is over the limit of %d", ErrInvalid, len(data), MaxBlob)
	}
	sum := sha256.Sum256(data)
	hash := hex.EncodeToString(sum[:])
	return hash, s.d.PutBlob(ctx, p, hash, data)
}

// GetBlob returns ErrNotFound, ErrCorrupt, or bytes that have this hash.
func (s *Store) GetBlob(ctx context.Context, p Partition, hash string) ([]byte, error) {
	data, err := s.d.GetBlob(ctx, p, hash)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != hash {
		return nil, fmt.Errorf("%w: blob %s of %s; restore it from a backup", ErrCorrupt, hash, p)
	}
	return data, nil
}

// DeleteBlob removes a blob; that it is not there is no error.
func (s *Store) DeleteBlob(ctx context.Context, p Partition, hash string) error {
	return s.d.DeleteBlob(ctx, p, hash)
}
