package storage_test

import (
	"testing"

	"go.uber.org/goleak"

	"talaria/storage"
	"talaria/storage/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memory returns a driver over an empty store, and the store.
func memory(t testing.TB) (storage.Driver, *storage.Store) {
	t.Helper()
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, storage.New(d)
}

func commit(t testing.TB, s *storage.Store, b *storage.Batch) []storage.Result {
	t.Helper()
	results, err := s.Commit(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return results
}
