package sqlite_test

import (
	"context"
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/sqlite"
)

// TestACancelledReadLeavesTheConnectionFit cancels reads at any point of
// theirs. In memory they share the connection with the writer, which would
// find itself in their transaction.
func TestACancelledReadLeavesTheConnectionFit(t *testing.T) {
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	s := storage.New(d)
	p := storage.Person("p")
	for n := range 300 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n)*time.Microsecond)
		_, _ = storage.GetAll[int](ctx, s, p, storage.Ref{Collection: "c", Key: "a"}, storage.Ref{Collection: "c", Key: "b"})
		cancel()
		if _, err := s.Commit(t.Context(), storage.On(p).Put("c", "a", n, storage.Any)); err != nil {
			t.Fatalf("after %d cancelled reads: %v", n+1, err)
		}
	}
}
