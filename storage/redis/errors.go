package redis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	goredis "github.com/redis/go-redis/v9"

	"talaria/storage"
)

// refusals are the replies by which a server says that it did not do what was
// asked because of its own state. Inside a script they come from its first
// write, so nothing was applied (apply.lua tells why that holds for OOM).
var refusals = []string{
	"LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "MOVED", "ASK", "OOM", "MISCONF",
	"NOREPLICAS", "BUSY", "NOAUTH", "WRONGPASS", "NOPERM", "ERR max number of clients",
}

// explain turns what the client library returned into the contract's errors.
// sent is false if the command certainly was not written to a connection.
// Errors of the library name addresses, never passwords.
func explain(err error, sent bool) error {
	// Compared as it is, since the library's error about sentinels that know
	// nothing also wraps a Nil.
	if err == nil || err == goredis.Nil {
		return nil
	}
	if reply, ok := errors.AsType[goredis.Error](err); ok && reply != goredis.Nil {
		return explainReply(reply)
	}
	dial, ok := errors.AsType[*net.OpError](err)
	if !sent || ok && dial.Op == "dial" || errors.Is(err, goredis.ErrClosed) {
		return unavailable(err)
	}
	return fmt.Errorf("no answer from Redis, the outcome is unknown: %w", err)
}

func unavailable(err error) error { return fmt.Errorf("%w: %w", storage.ErrUnavailable, err) }

func explainReply(reply error) error {
	text := reply.Error()
	if strings.Contains(text, "The user executing the script") {
		return unavailable(errors.New(text + remedy("NOPERM")))
	}
	for _, r := range refusals {
		if strings.HasPrefix(text, r) || strings.Contains(text, " -"+r+" ") {
			return unavailable(errors.New(text + remedy(r)))
		}
	}
	if strings.Contains(text, "WRONGTYPE") || strings.Contains(text, "DAMAGED") {
		return fmt.Errorf("%w: %s; restore the partition from a backup", storage.ErrCorrupt, text)
	}
	return fmt.Errorf("redis: %w", reply)
}

func remedy(refusal string) string {
	switch refusal {
	case "READONLY":
		return "; this server is a replica now: name the primary in the URL, or the sentinels, which know it"
	case "NOREPLICAS":
		return "; start its replicas, or lower min-replicas-to-write"
	case "LOADING":
		return "; it reads its data from disk and answers after that"
	case "BUSY":
		return "; SCRIPT KILL ends a script that runs there for long and has written nothing"
	case "MOVED", "ASK":
		return "; this server is part of a cluster, use redis+cluster://"
	case "OOM":
		return "; raise maxmemory or free some"
	case "MISCONF":
		return "; make room on the server's disk"
	case "NOAUTH":
		return "; put the password into the URL"
	case "WRONGPASS":
		return "; correct user or password in the URL"
	case "NOPERM":
		return "; the commands that the user needs are listed in the package's documentation"
	}
	return ""
}

// certain tells whether an error is of the contract or of the caller's
// context, as opposed to an unknown outcome.
func certain(err error) bool {
	for _, known := range []error{
		storage.ErrUnavailable, storage.ErrCorrupt, storage.ErrInvalid, context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}
