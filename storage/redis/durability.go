package redis

import (
	"context"
	"fmt"
	"strings"
	"sync"

	goredis "github.com/redis/go-redis/v9"

	"talaria/storage"
)

// Durability asks the server, on a cluster every master, and tells of the
// weakest. It is full only where each acknowledged write is on disk and no
// failover can put a replica that lags in a master's place.
func (d *Driver) Durability(ctx context.Context) (string, bool, error) {
	var (
		mu      sync.Mutex
		servers []persistence
	)
	ask := func(ctx context.Context, c *goredis.Client) error {
		p, err := d.persistence(ctx, c)
		mu.Lock()
		defer mu.Unlock()
		servers = append(servers, p)
		return err
	}
	var err error
	switch c := d.client.(type) {
	case *goredis.ClusterClient:
		err = c.ForEachMaster(ctx, ask)
	case *goredis.Client:
		err = ask(ctx, c)
	}
	if err == nil && len(servers) == 0 {
		err = fmt.Errorf("%w: the cluster has no master", storage.ErrUnavailable)
	}
	if err != nil {
		return "", false, fmt.Errorf("ask Redis how it keeps data: %w", err)
	}
	text, full := servers[0].describe()
	for _, p := range servers[1:] {
		if t, f := p.describe(); full && !f {
			text, full = t, f
		}
	}
	return text, full, nil
}

// persistence is how one server keeps its data.
type persistence struct {
	hidden   bool   // this user may not ask at all
	aof      bool   // there is an append-only file
	fsync    string // when it is synced; empty if this user may not ask
	evicts   string // the policy by which the server throws data away
	replicas bool
}

func (d *Driver) persistence(ctx context.Context, c *goredis.Client) (persistence, error) {
	reply, err := d.send(ctx, c, "info")
	if refused(err) {
		return persistence{hidden: true}, nil
	}
	if err != nil {
		return persistence{}, err
	}
	info := map[string]string{}
	for line := range strings.SplitSeq(text([]any{reply}, 0), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		info[name] = value
	}
	p := persistence{aof: info["aof_enabled"] == "1", replicas: info["connected_slaves"] > "0"}
	if info["maxmemory"] != "0" && info["maxmemory_policy"] != "noeviction" {
		p.evicts = info["maxmemory_policy"]
	}
	reply, err = d.send(ctx, c, "config", "get", "appendfsync")
	if err != nil && !refused(err) {
		return p, err
	}
	p.fsync = text(list(reply), 1)
	return p, nil
}

// refused tells whether the user lacks the right to ask.
func refused(err error) bool { return err != nil && strings.Contains(err.Error(), "NOPERM") }

func (p persistence) describe() (text string, full bool) {
	switch {
	case p.hidden:
		return "unknown: this Redis user may not run INFO; count on losing what the last snapshot lacks", false
	case p.evicts != "":
		return "Redis throws stored data away when its memory is full (maxmemory-policy " + p.evicts + "); set noeviction", false
	case !p.aof:
		return "Redis keeps snapshots only: a crash or a power cut loses all since the last one; set appendonly yes", false
	}
	switch p.fsync {
	case "always":
		text, full = "what is acknowledged is on disk (Redis, appendfsync always)", true
	case "everysec":
		text = "a power cut, or a crash of Redis while its disk is slow, loses up to 2 seconds of what was acknowledged (appendfsync everysec)"
	case "no":
		text = "a power cut loses what the system had not written yet, often 30 seconds (appendfsync no); set everysec or always"
	default:
		text = "there is an append-only file, but this Redis user may not ask how often it is synced (CONFIG GET); count on losing 2 seconds"
	}
	if p.replicas {
		return text + "; a failover loses what the replica had not received", false
	}
	return text, full
}
