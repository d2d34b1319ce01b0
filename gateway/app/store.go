package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"talaria/gateway/config"
	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/sqlite"
)

// OpenStore opens the configured store, without serving it: for commands that
// look at it or copy it, also while another process serves it.
func OpenStore(ctx context.Context, c config.Storage) (*storage.Store, error) {
	return openStore(ctx, c, sqlite.Options{})
}

// openStore opens the store with options, of which a shared one has the clock's.
func openStore(ctx context.Context, c config.Storage, o sqlite.Options) (*storage.Store, error) {
	if path, ok := c.SQLite(); ok {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, unopened(c, fmt.Errorf("make the data folder: %w", err))
		}
		d, err := sqlite.Open(ctx, path, o)
		if err != nil {
			return nil, unopened(c, err)
		}
		return storage.New(underFault(d)), nil
	}
	d, err := redis.Open(ctx, c.URL.Reveal(), redis.Options{AllowOpen: c.AllowOpen, ClockOffset: o.ClockOffset})
	if err != nil {
		return nil, unopened(c, err)
	}
	return storage.New(underFault(d)), nil
}

// ErrServed: another process serves the embedded store.
var ErrServed = errors.New("another talaria serves this store; stop it, or give this one a store of its own with [storage] url")

// serveStore opens the store to serve it. It returns the replica's name, and
// what gives up the right to serve.
func serveStore(ctx context.Context, c config.Storage, o sqlite.Options) (*storage.Store, string, io.Closer, error) {
	path, embedded := c.SQLite()
	if !embedded {
		s, err := openStore(ctx, c, o)
		return s, replicaName(c), io.NopCloser(nil), err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, "", nil, unopened(c, fmt.Errorf("make the data folder: %w", err))
	}
	l, err := lock(path + ".lock")
	if err != nil {
		return nil, "", nil, unopened(c, fmt.Errorf("store %s: %w", path, err))
	}
	s, err := openStore(ctx, c, o)
	if err != nil {
		_ = l.Close()
		return nil, "", nil, err
	}
	return s, "embedded", l, nil
}

// replicaName is the configured name, or one that nobody else has.
func replicaName(c config.Storage) string {
	if c.Replica != "" {
		return c.Replica
	}
	host, err := os.Hostname()
	if err != nil {
		host = "replica"
	}
	return host + "-" + rand.Text()[:8]
}
