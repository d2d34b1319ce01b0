package redis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"talaria/storage"
)

// reply is an error as a server says it.
type reply string

func (r reply) Error() string { return string(r) }
func (reply) RedisError()     {}

func TestErrorsAreToldApart(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		sent bool
		want error // nil: unknown
	}{
		{"refused connection", &net.OpError{Op: "dial", Err: io.EOF}, true, storage.ErrUnavailable},
		{"no free connection", goredis.ErrPoolTimeout, false, storage.ErrUnavailable},
		{"closed client", goredis.ErrClosed, true, storage.ErrUnavailable},
		{"greeting not answered", io.EOF, false, storage.ErrUnavailable},
		{"sentinels that know nothing", fmt.Errorf("unreachable: %w", goredis.Nil), false, storage.ErrUnavailable},
		{"ended context before", context.Canceled, false, context.Canceled},
		{"broken connection", io.EOF, true, nil},
		{"reset connection", &net.OpError{Op: "read", Err: io.ErrUnexpectedEOF}, true, nil},
		{"full", reply("OOM command not allowed when used memory > 'maxmemory'. script: 1, on @user_script:2."), true, storage.ErrUnavailable},
		{"full, Redis 6", reply("ERR Error running script (call to f_1): @user_script:2: @user_script: 2: -OOM command not allowed"), true, storage.ErrUnavailable},
		{"disk full", reply("MISCONF Errors writing to the AOF file: No space left on device"), true, storage.ErrUnavailable},
		{"replica", reply("READONLY You can't write against a read only replica."), true, storage.ErrUnavailable},
		{"starting", reply("LOADING Redis is loading the dataset in memory"), true, storage.ErrUnavailable},
		{"busy", reply("BUSY Redis is busy running a script."), true, storage.ErrUnavailable},
		{"cluster not whole", reply("CLUSTERDOWN The cluster is down"), true, storage.ErrUnavailable},
		{"part of a cluster", reply("MOVED 1 127.0.0.1:1"), true, storage.ErrUnavailable},
		{"no rights", reply("NOPERM this user has no permissions"), true, storage.ErrUnavailable},
		{"no rights in a script", reply("ERR The user executing the script can't run this command or subcommand"), true, storage.ErrUnavailable},
		{"another kind of key", reply("WRONGTYPE Operation against a key holding the wrong kind of value"), true, storage.ErrCorrupt},
		{"unreadable", reply("ERR user_script:1: DAMAGED document c"), true, storage.ErrCorrupt},
		{"anything else", reply("ERR something"), true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := explain(c.err, c.sent)
			if c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("error is %v, want %v", err, c.want)
			}
			if err == nil || c.want == nil && certain(err) {
				t.Errorf("error is %v, want one outside the contract", err)
			}
		})
	}
	if err := explain(reply("READONLY You can't write against a read only replica."), true); !strings.Contains(err.Error(), "name the primary") {
		t.Errorf("a server that became a replica is told without a remedy: %v", err)
	}
	if explain(nil, true) != nil || explain(goredis.Nil, true) != nil {
		t.Error("an empty reply is an error")
	}
}
