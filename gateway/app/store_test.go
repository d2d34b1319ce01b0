package app

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"syscall"
	"testing"

	"talaria/gateway/config"
	"talaria/storage"
	"talaria/storage/redis"
)

func TestAStoreThatCanNotBeOpenedIsToldWithARemedy(t *testing.T) {
	embedded := config.Storage{URL: config.NewSecret("sqlite:t.db")}
	shared := config.Storage{URL: config.NewSecret("redis://127.0.0.1:6379")}
	file := func(reason error) error {
		return fmt.Errorf("store t.db: %w", &fs.PathError{Op: "open", Path: "t.db.lock", Err: reason})
	}
	for name, c := range map[string]struct {
		store  config.Storage
		err    error
		remedy string // "": the error tells it
	}{
		"not allowed":      {embedded, file(syscall.EACCES), "; let the user who runs Talaria write there, or name another place in [storage] url"},
		"read-only":        {embedded, file(syscall.EROFS), "; let the user who runs Talaria write there, or name another place in [storage] url"},
		"a file as folder": {embedded, file(syscall.ENOTDIR), "; let the user who runs Talaria write there, or name another place in [storage] url"},
		"served":           {embedded, ErrServed, ""},
		"damaged":          {embedded, fmt.Errorf("%w: x; restore a backup", storage.ErrCorrupt), ""},
		"no server":        {shared, fmt.Errorf("%w: %w", storage.ErrUnavailable, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}), "; start the server, or correct [storage] url"},
		"wrong address":    {shared, fmt.Errorf("%w: no host", storage.ErrInvalid), "; correct [storage] url"},
		"wrong database":   {shared, errors.New("redis: ERR DB index is out of range"), "; correct [storage] url"},
		"wrong password":   {shared, fmt.Errorf("%w: WRONGPASS; correct it", storage.ErrUnavailable), ""},
		"open to everyone": {shared, fmt.Errorf("%w: %w", storage.ErrInvalid, redis.ErrOpen), "; or, where the network is closed by other means, set [storage] allow_open = true"},
	} {
		told := unopened(c.store, c.err)
		if !errors.Is(told, c.err) || strings.TrimPrefix(told.Error(), c.err.Error()) != c.remedy {
			t.Errorf("%s: told as %q", name, told)
		}
	}
	if unopened(embedded, nil) != nil {
		t.Error("no error became one")
	}
}
