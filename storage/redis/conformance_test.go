package redis_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
	"talaria/storage/storagetest"
)

func TestConformance(t *testing.T) {
	t.Run("single", func(t *testing.T) {
		t.Parallel()
		storagetest.Run(t, harness(as(t, single)))
	})
	t.Run("cluster", func(t *testing.T) {
		t.Parallel()
		storagetest.Run(t, harness(cluster.URL()))
	})
}

// as is the URL of a server for a user with the documented rights, within the
// prefixes of tests.
func as(t *testing.T, s *redistest.Server) string {
	t.Helper()
	words := documentedRights(t)
	for n, w := range words {
		words[n] = strings.Replace(w.(string), "talaria:1:", "test-", 1)
	}
	if err := admin(t, s).Do(t.Context(), words...).Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Replace(s.URL(), "://", "://talaria:canary@", 1)
}

// harness gives each store a prefix of its own on one server.
func harness(url string) storagetest.Harness {
	var stores sync.Map // of a driver's prefix
	start := func(t *testing.T, opts redis.Options) storage.Driver {
		d := open(t, url, opts)
		stores.Store(d, opts.Prefix)
		return d
	}
	return storagetest.Harness{
		Open: func(t *testing.T) storage.Driver {
			return start(t, redis.Options{Prefix: prefix()})
		},
		Reopen: func(t *testing.T, d storage.Driver) storage.Driver {
			old := d.(*redis.Driver)
			if err := old.Close(); err != nil {
				t.Fatal(err)
			}
			prefix, _ := stores.Load(d)
			return start(t, redis.Options{Prefix: prefix.(string), ClockOffset: old.Offset()})
		},
		Advance: func(t *testing.T, d storage.Driver, by time.Duration) { d.(*redis.Driver).Advance(by) },
	}
}
