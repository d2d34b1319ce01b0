package teststore_test

import (
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/teststore"
)

func TestAStoreIsFoundAgainLater(t *testing.T) {
	teststore.Each(t, func(t *testing.T, open teststore.Opener) {
		first := open(0)
		b := storage.On(storage.Shard(1)).Put("kind", "key", "kept", storage.Absent)
		if _, err := first.Commit(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		before, err := first.Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		again := open(time.Hour)
		d, err := storage.Get[string](t.Context(), again, storage.Shard(1), "kind", "key")
		if err != nil || d.Value != "kept" {
			t.Errorf("found %q, %v", d.Value, err)
		}
		if now, err := again.Now(t.Context()); err != nil || now.Sub(before) < time.Hour {
			t.Errorf("an hour ahead of %s it is %s, %v", before, now, err)
		}
	})
}
