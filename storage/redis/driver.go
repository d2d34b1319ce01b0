package redis

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"talaria/storage"
)

// Options are what the URL does not say. The zero value is for production.
type Options struct {
	// ClockOffset is added to the server's time, for tests that move the clock.
	ClockOffset time.Duration
	// Prefix begins all keys and channels; "talaria" if empty. Letters, digits,
	// '-' and '_', so that it can stand in an ACL pattern as it is.
	Prefix string
	// AllowOpen lets the driver use a server without a password that is not on
	// this machine, for networks that are closed by other means.
	AllowOpen bool
	// TLS is used for encrypted connections; nil means the system's roots.
	TLS *tls.Config
	// Log gets what the client library itself has to say, such as failed
	// reconnects, at debug level; nil drops it. The library has one log for
	// the whole process, so the last driver opened decides.
	Log *slog.Logger
}

// The limits of waiting. A connection that is open but silent is given up
// after the read timeout; bulk calls move up to a whole partition.
const (
	dialTimeout  = 2 * time.Second
	readTimeout  = 3 * time.Second
	bulkTimeout  = time.Minute
	poolSize     = 16
	bulkPoolSize = 4
	idleTime     = 5 * time.Minute
	bufferSize   = 8 << 10
)

// Driver is a storage.Driver over Redis 6.2 or later, or Valkey. It is safe
// for concurrent use, by any number of processes.
type Driver struct {
	client  goredis.UniversalClient
	bulk    goredis.UniversalClient
	prefix  string
	offset  atomic.Int64 // of the clock, in milliseconds
	scripts scripts

	mu     sync.RWMutex // held for reading during calls
	closed bool
	done   chan struct{} // closed by Close, ends subscriptions
	subs   sync.WaitGroup
}

var _ storage.Driver = (*Driver)(nil)

// Open connects to the server that url names and checks that it can serve as a
// store: it answers, is not open to the network without a password, and lets
// the user run what the driver needs. doc.go lists the forms of the URL.
func Open(ctx context.Context, url string, opts Options) (*Driver, error) {
	t, err := parseURL(url)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", storage.ErrInvalid, err)
	}
	prefix := opts.Prefix
	if prefix == "" {
		prefix = "talaria"
	}
	if i := strings.IndexFunc(prefix, notInPrefix); i >= 0 {
		return nil, fmt.Errorf("%w: the key prefix %q has a character that is not a letter, digit, - or _", storage.ErrInvalid, prefix)
	}
	if !t.allHostsOnLoopback && t.password == "" && !opts.AllowOpen {
		return nil, fmt.Errorf("%w: %w", storage.ErrInvalid, ErrOpen)
	}
	s, err := loadScripts()
	if err != nil {
		return nil, err
	}
	goredis.SetLogger(libraryLog{opts.Log})
	d := &Driver{
		client: connect(t, opts, poolSize, readTimeout), bulk: connect(t, opts, bulkPoolSize, bulkTimeout),
		prefix: prefix + ":" + layout + ":", scripts: s, done: make(chan struct{}),
	}
	d.offset.Store(opts.ClockOffset.Milliseconds())
	if err := d.probe(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open Redis at %s: %w", strings.Join(t.hosts, ","), err), d.Close())
	}
	return d, nil
}

func notInPrefix(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
}

// ErrOpen: whoever reaches the server may read all of it. Options.AllowOpen takes
// it for one.
var ErrOpen = errors.New("the Redis server is not on this machine and the URL has no password; " +
	"set requirepass or an ACL user on the server and put the password into the URL")

// connect makes a client, which dials when it is first used. It never retries
// by itself: after a write whose outcome is unknown that would be wrong.
func connect(t target, opts Options, size int, timeout time.Duration) goredis.UniversalClient {
	o := &goredis.UniversalOptions{
		Addrs: t.hosts, DB: t.db, Username: t.user, Password: t.password, MasterName: t.master,
		SentinelUsername: t.sentinelUser, SentinelPassword: t.sentinelPassword,
		Dialer: dialer{t: t, opts: opts}.dial, DialTimeout: dialTimeout, DialerRetries: 1,
		// Large values may take long to send. That a peer is gone shows when
		// its answer is late, so the time to write need not be short.
		ReadTimeout: timeout, WriteTimeout: bulkTimeout, ContextTimeoutEnabled: true,
		MaxRetries: -1, PoolSize: size, ConnMaxIdleTime: idleTime,
		PoolTimeout: readTimeout, ReadBufferSize: bufferSize, WriteBufferSize: bufferSize, PipelinePoolSize: -1,
		// The plain protocol without announcements needs no further rights.
		Protocol: 2, DisableIdentity: true,
	}
	switch {
	case t.cluster:
		c := o.Cluster()
		c.DisableRoutingPolicies = true // all commands have keys, or go anywhere
		return goredis.NewClusterClient(c)
	case t.master != "":
		return goredis.NewFailoverClient(o.Failover())
	}
	return goredis.NewClient(o.Simple())
}

// dialer opens connections, also to servers that a sentinel or a cluster named.
type dialer struct {
	t    target
	opts Options
}

func (d dialer) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if d.t.password == "" && !d.opts.AllowOpen && !onLoopback(addr) {
		return nil, &net.OpError{Op: "dial", Net: network, Err: ErrOpen}
	}
	tcp := net.Dialer{Timeout: dialTimeout}
	if !d.t.tls {
		return tcp.DialContext(ctx, network, addr)
	}
	config := d.opts.TLS
	if config == nil {
		config = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return (&tls.Dialer{NetDialer: &tcp, Config: config}).DialContext(ctx, network, addr)
}

// probe runs every kind of command that the scripts use, on keys that it
// removes again. A script that was stopped half way by a missing right would
// leave half of a batch.
func (d *Driver) probe(ctx context.Context) error {
	s := space(d.prefix + "{probe}:")
	_, err := d.run(ctx, d.client, d.scripts.probe, s.keys("hash", "zset", "string"))
	return err
}

// Close waits for calls under way, at most until they time out.
func (d *Driver) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	close(d.done)
	d.subs.Wait()
	return errors.Join(d.client.Close(), d.bulk.Close())
}

// libraryLog is the client library's log.
type libraryLog struct{ to *slog.Logger }

func (l libraryLog) Printf(ctx context.Context, format string, args ...any) {
	if l.to != nil {
		l.to.DebugContext(ctx, "redis client", "message", fmt.Sprintf(format, args...))
	}
}
