package sqlite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/storage"
	"talaria/storage/sqlite"
	"talaria/storage/storagetest"
)

func TestMain(m *testing.M) {
	for name, work := range children() {
		path := os.Getenv(name)
		if path == "" {
			continue
		}
		if err := work(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func open(t testing.TB, path string, opts sqlite.Options) *sqlite.Driver {
	t.Helper()
	d, err := sqlite.Open(t.Context(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func TestConformance(t *testing.T) {
	paths := map[storage.Driver]string{}
	start := func(t *testing.T, path string, offset time.Duration) storage.Driver {
		d := open(t, path, sqlite.Options{ClockOffset: offset})
		paths[d] = path
		return d
	}
	storagetest.Run(t, storagetest.Harness{
		Open: func(t *testing.T) storage.Driver {
			return start(t, filepath.Join(t.TempDir(), "store.db"), 0)
		},
		Reopen: func(t *testing.T, d storage.Driver) storage.Driver {
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			return start(t, paths[d], d.(*sqlite.Driver).Offset())
		},
		Advance: func(_ *testing.T, d storage.Driver, by time.Duration) { d.(*sqlite.Driver).Advance(by) },
	})
}
