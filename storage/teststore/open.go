package teststore

import (
	"path/filepath"
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
	"talaria/storage/sqlite"
)

// Memory is an empty store that lies in memory alone.
func Memory(t testing.TB) *storage.Store {
	t.Helper()
	return Open(t, ":memory:", 0)
}

// File is an empty store in a file of its own.
func File(t testing.TB) *storage.Store {
	t.Helper()
	return SQLite(t)(0)
}

// Open is the store in an SQLite file, which is made if there is none. Its
// clock is ahead by some time; negative: behind.
func Open(t testing.TB, path string, ahead time.Duration) *storage.Store {
	t.Helper()
	d, err := sqlite.Open(t.Context(), path, sqlite.Options{ClockOffset: ahead})
	return opened(t, d, err)
}

// Opener opens one and the same store any number of times, each time with a
// clock that is ahead by some time: what was kept before is found later.
type Opener func(ahead time.Duration) *storage.Store

// SQLite is an Opener of a store in a file of its own.
func SQLite(t testing.TB) Opener {
	path := filepath.Join(t.TempDir(), "store.db")
	return func(ahead time.Duration) *storage.Store {
		t.Helper()
		return Open(t, path, ahead)
	}
}

// Redis is an Opener of a store on a server of its own.
func Redis(t testing.TB) Opener {
	server := redistest.Start(t, redistest.Options{})
	return func(ahead time.Duration) *storage.Store {
		t.Helper()
		d, err := redis.Open(t.Context(), server.URL(), redis.Options{ClockOffset: ahead})
		return opened(t, d, err)
	}
}

// Each runs a test once for each driver.
func Each(t *testing.T, test func(t *testing.T, open Opener)) {
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("redis", func(t *testing.T) { test(t, Redis(t)) })
}

func opened(t testing.TB, d storage.Driver, err error) *storage.Store {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	s := storage.New(d)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	return s
}
