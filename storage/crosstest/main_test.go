package crosstest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
	"talaria/storage/sqlite"
)

var server *redistest.Server

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	code := 1
	if server, err = redistest.Run(redistest.Options{}); err == nil {
		code = m.Run()
		server.Stop()
		if code == 0 {
			err = goleak.Find()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

var names atomic.Int64

// unique is a name that no other test or check uses.
func unique() string { return fmt.Sprint(names.Add(1)) }

// openRedis opens a store on the shared server, or through a proxy before it.
func openRedis(t *testing.T, url, prefix string, offset time.Duration) *redis.Driver {
	t.Helper()
	d, err := redis.Open(context.Background(), url, redis.Options{Prefix: prefix, ClockOffset: offset})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeDriver(t, d) })
	return d
}

// openSQLite opens the store in a file.
func openSQLite(t *testing.T, path string, offset time.Duration) *sqlite.Driver {
	t.Helper()
	d, err := sqlite.Open(context.Background(), path, sqlite.Options{ClockOffset: offset})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeDriver(t, d) })
	return d
}

func closeDriver(t *testing.T, d storage.Driver) {
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// clocks are one SQLite and one Redis store, each opened under several clocks,
// every one a step ahead of the one before.
type clocks struct {
	path, prefix  string // of the stores
	sqlite, redis []storage.Driver
}

func openClocks(t *testing.T, n int, step time.Duration) clocks {
	t.Helper()
	c := clocks{path: filepath.Join(t.TempDir(), "store.db"), prefix: "clocks-" + unique()}
	for i := range n {
		offset := time.Duration(i) * step
		c.sqlite = append(c.sqlite, openSQLite(t, c.path, offset))
		c.redis = append(c.redis, openRedis(t, server.URL(), c.prefix, offset))
	}
	return c
}
