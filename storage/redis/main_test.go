package redis_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
)

// The servers that most tests share, each test under a prefix of its own.
var single, cluster *redistest.Server

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	// A cluster takes two seconds to accept writes, so it starts meanwhile.
	started := make(chan error, 1)
	go func() {
		var err error
		cluster, err = redistest.Run(redistest.Options{Cluster: true})
		started <- err
	}()
	var err error
	single, err = redistest.Run(redistest.Options{})
	code := 1
	if err = errors.Join(err, <-started); err == nil {
		code = m.Run()
	}
	for _, s := range []*redistest.Server{single, cluster} {
		if s != nil {
			s.Stop()
		}
	}
	if leaked := goleak.Find(); err == nil && code == 0 {
		err = leaked
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

var prefixes atomic.Int64

// prefix returns one that no other test has.
func prefix() string { return fmt.Sprintf("test-%d", prefixes.Add(1)) }

// open opens a driver until the test ends.
func open(tb testing.TB, url string, opts redis.Options) *redis.Driver {
	tb.Helper()
	if opts.Prefix == "" {
		opts.Prefix = prefix()
	}
	d, err := redis.Open(context.Background(), url, opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := d.Close(); err != nil {
			tb.Error(err)
		}
	})
	return d
}
