package redis

import (
	"context"
	"errors"
	"fmt"

	goredis "github.com/redis/go-redis/v9"

	"talaria/storage"
)

// command is a command that knows whether it may have reached a server. The
// library asks for its arguments in order to write them (and, on a cluster, to
// route it), so one whose arguments nobody asked for was not sent.
type command struct {
	*goredis.Cmd
	sent bool
}

// Args is the whole command.
func (c *command) Args() []any {
	c.sent = true
	return c.Cmd.Args()
}

// NoRetry keeps the library from sending a command twice.
func (c *command) NoRetry() bool { return true }

// send runs one command once. A deadline of ctx ends it at once; after a
// cancellation a silent server may hold it for the rest of the read timeout.
func (d *Driver) send(ctx context.Context, client goredis.UniversalClient, args ...any) (any, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.closed {
		return nil, fmt.Errorf("%w: the store is closed", storage.ErrUnavailable)
	}
	if err := ctx.Err(); err != nil {
		return nil, unavailable(err)
	}
	cmd := &command{Cmd: goredis.NewCmd(ctx, args...)}
	err := client.Process(ctx, cmd)
	return cmd.Val(), explain(err, cmd.sent)
}

// run runs a script by its SHA-1, or with its text if the server has not seen
// it since it started. An error that is not of the contract means that
// the outcome is unknown.
func (d *Driver) run(ctx context.Context, client goredis.UniversalClient, s script, keys []string, args ...any) (any, error) {
	all := make([]any, 0, 3+len(keys)+len(args))
	all = append(all, "evalsha", s.sha, len(keys))
	for _, k := range keys {
		all = append(all, k)
	}
	all = append(all, args...)
	reply, err := d.send(ctx, client, all...)
	if err != nil && goredis.HasErrorPrefix(err, "NOSCRIPT") {
		all[0], all[1] = "eval", s.text
		reply, err = d.send(ctx, client, all...)
	}
	return reply, err
}

// read runs a script that changes nothing. So it may be repeated when a
// connection breaks, and an unknown outcome is no outcome.
func (d *Driver) read(ctx context.Context, s script, keys []string, args ...any) ([]any, error) {
	reply, err := d.repeat(func() (any, error) { return d.run(ctx, d.client, s, keys, args...) })
	if err != nil {
		return nil, err
	}
	return list(reply), nil
}

// query is read for a plain command.
func (d *Driver) query(ctx context.Context, args ...any) (any, error) {
	return d.repeat(func() (any, error) { return d.send(ctx, d.client, args...) })
}

// repeat calls once more if a connection broke.
func (d *Driver) repeat(call func() (any, error)) (any, error) {
	reply, err := call()
	if err != nil && !certain(err) {
		reply, err = call()
	}
	if _, answered := errors.AsType[goredis.Error](err); err != nil && !certain(err) && !answered {
		err = unavailable(err)
	}
	return reply, err
}

// change runs a script that writes to a partition and answers with a word. If
// the partition is new it is registered first.
func (d *Driver) change(ctx context.Context, client goredis.UniversalClient, s script, p storage.Partition, keys []string, args func(registered string) []any) ([]any, error) {
	registered := ""
	for range 3 {
		reply, err := d.run(ctx, client, s, keys, args(registered)...)
		if err != nil {
			return nil, err
		}
		words := list(reply)
		if text(words, 0) != "unregistered" {
			return words, nil
		}
		if registered, err = d.register(ctx, p); err != nil {
			return nil, err
		}
	}
	return nil, unavailable(fmt.Errorf("register partition %s: the clocks of the cluster's nodes differ by more than 30 s", p))
}

// register names a partition in the registry and returns when that was.
// Whatever goes wrong here, the partition itself is untouched.
func (d *Driver) register(ctx context.Context, p storage.Partition) (string, error) {
	reply, err := d.repeat(func() (any, error) {
		return d.run(ctx, d.client, d.scripts.register, d.registry(), p.String())
	})
	if err != nil {
		return "", fmt.Errorf("register partition %s: %w", p, err)
	}
	return text([]any{reply}, 0), nil
}
