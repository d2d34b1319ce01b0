package app

import (
	"errors"
	"fmt"
	"io/fs"
	"net"

	"talaria/gateway/config"
	"talaria/storage"
	"talaria/storage/redis"
)

// unopened adds what helps to an error about a store that could not be opened:
// drivers know neither the keys that lead to them nor the folder that is made for
// them.
func unopened(c config.Storage, err error) error {
	if err == nil {
		return nil
	}
	_, embedded := c.SQLite()
	_, inFolder := errors.AsType[*fs.PathError](err)
	_, onNetwork := errors.AsType[net.Error](err)
	remedy := ""
	switch {
	case errors.Is(err, ErrServed), embedded && errors.Is(err, storage.ErrUnavailable): // tells it itself
	case embedded && inFolder:
		remedy = "let the user who runs Talaria write there, or name another place in [storage] url"
	case embedded: // its driver tells it
	case errors.Is(err, redis.ErrOpen):
		remedy = "or, where the network is closed by other means, set [storage] allow_open = true"
	case onNetwork:
		remedy = "start the server, or correct [storage] url"
	case !errors.Is(err, storage.ErrUnavailable):
		remedy = "correct [storage] url"
	}
	if remedy == "" {
		return err
	}
	return fmt.Errorf("%w; %s", err, remedy)
}
