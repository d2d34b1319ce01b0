package sqlite

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	modernc "modernc.org/sqlite"

	"talaria/storage"
)

//go:embed schema.sql
var schema string

const (
	// applicationID marks the file as ours: "TaLa" in ASCII.
	applicationID = 0x54614c61
	// schemaVersion is the version of schema.sql.
	schemaVersion = 1
	// writeWait is how long a write waits for another process, in milliseconds.
	writeWait = 5000
	// maxReaders bounds the connections that read side by side.
	maxReaders = 8
)

// memory is the path of a store that lives in memory and ends with Close.
const memory = ":memory:"

// Options change how a store behaves. The zero value is right for production.
type Options struct {
	// ClockOffset is added to the host's clock, by which leases, claims and
	// expiry go.
	ClockOffset time.Duration
	// Damaged is told of damage whenever some is met, with the error that the
	// caller gets. It may be called by several goroutines at once, and must not
	// use the store. Nil: nobody is told.
	Damaged func(error)
}

// Driver is the embedded driver. It is safe for concurrent use.
type Driver struct {
	path    string
	offset  atomic.Int64 // nanoseconds
	readers *pool
	writing *pool
	writer  *writer
	bus     *bus
	noticed func(error) // Options.Damaged
	// unguarded opens a connection that may write pages as they are, which
	// _defensive forbids the others; nil for a store in memory.
	unguarded func(context.Context) (*conn, error)
}

var _ storage.Driver = (*Driver)(nil)

// Open opens the store in a file and makes it, with mode 0600, if it is not
// there; its folder must exist. Path ":memory:" is a store in memory with a
// single connection. It returns storage.ErrCorrupt for a file that is damaged
// or empty, storage.ErrInvalid for one that is not a store or of a newer
// version, and storage.ErrUnavailable where it can't be read or written.
func Open(ctx context.Context, path string, opts Options) (*Driver, error) {
	// Syncing without the file's timestamps halves the wait of a commit. Where
	// the platform has no such call, the plain one stays in use.
	_, _ = modernc.Fdatasync(true)

	d := &Driver{path: path, bus: newBus(), noticed: opts.Damaged}
	d.offset.Store(int64(opts.ClockOffset))
	if err := d.connect(ctx); err != nil {
		return nil, fmt.Errorf("open store %q: %w", path, cmp.Or(meaning(err), err))
	}
	d.writer = newWriter(d, d.writing)
	return d, nil
}

func (d *Driver) connect(ctx context.Context) error {
	if d.path == memory {
		return d.connectMemory(ctx)
	}
	path, err := filepath.Abs(d.path)
	if err != nil {
		return err
	}
	if err := prepareFile(ctx, path); err != nil {
		return err
	}
	d.writing = newPool(1, func(ctx context.Context) (*conn, error) { return connect(ctx, dsn(path), writerPragmas...) })
	d.readers = newPool(max(2, min(2*runtime.GOMAXPROCS(0), maxReaders)), func(ctx context.Context) (*conn, error) {
		return connect(ctx, dsn(path), readerPragmas...)
	})
	d.unguarded = func(ctx context.Context) (*conn, error) { return connect(ctx, plainDSN(path), writerPragmas...) }
	c, err := d.writing.take(ctx)
	if err != nil {
		return err
	}
	d.writing.give(c)
	if err := checkVersion(ctx, c); err != nil {
		return errors.Join(err, d.writing.close())
	}
	return nil
}

// connectMemory makes readers and writer share the one connection there is.
func (d *Driver) connectMemory(ctx context.Context) error {
	d.writing = newPool(1, func(ctx context.Context) (*conn, error) {
		c, err := connect(ctx, memory+"?_defensive=1&_dqs=0", commonPragmas...)
		if err != nil {
			return nil, err
		}
		return c, c.script(ctx, schema)
	})
	d.readers = d.writing
	c, err := d.writing.take(ctx)
	if err != nil {
		return err
	}
	d.writing.give(c)
	return nil
}

var (
	commonPragmas = []string{
		"cell_size_check = ON", "trusted_schema = OFF", "temp_store = MEMORY", "secure_delete = ON",
	}
	writerPragmas = append([]string{
		fmt.Sprintf("busy_timeout = %d", writeWait),
		"journal_mode = WAL", "synchronous = NORMAL", "cache_size = -8000",
		// 16 MB of log before its content moves into the file: fewer syncs
		// under load; more would only lengthen recovery.
		"wal_autocheckpoint = 4000", "journal_size_limit = 16777216",
	}, commonPragmas...)
	readerPragmas = append([]string{
		// 8 MB hold the index of some 10,000 messages: with less, each search
		// reads most of it again.
		fmt.Sprintf("busy_timeout = %d", writeWait), "query_only = ON", "cache_size = -8000",
	}, commonPragmas...)
)

func busyTimeout(milliseconds int) string {
	return fmt.Sprintf("PRAGMA busy_timeout = %d", milliseconds)
}

// dsn names a file that exists; SQLite never makes one by itself.
func dsn(path string) string { return plainDSN(path) + "&_defensive=1" }

// plainDSN lets the connection do what harms a file if it is done wrongly.
func plainDSN(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	return "file:" + u.EscapedPath() + "?mode=rw&_dqs=0"
}

// prepareFile sees to it that there is a store at path. It never takes a
// damaged store for a missing one: an empty file, or a log without its file,
// is what a fault leaves behind, as a new store appears under its name only
// when it is complete.
func prepareFile(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if wal, err := os.Stat(path + "-wal"); err == nil && wal.Size() > 0 {
			return fmt.Errorf("%w: the file is missing, but its -wal is there", storage.ErrCorrupt)
		}
		return create(ctx, path)
	case err != nil:
		return unavailable(err, "let this user read the file and its folder")
	case info.IsDir():
		return fmt.Errorf("%w: it is a folder; name a file", storage.ErrInvalid)
	case info.Size() == 0:
		return fmt.Errorf("%w: the file is empty", storage.ErrCorrupt)
	}
	return nil
}

// create makes a store beside path and links it there in one step. Nothing is
// synced while it is made, all of it once before it gets its name.
func create(ctx context.Context, path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return unavailable(err, "make the folder, and let this user write to it")
	}
	defer os.Remove(f.Name())
	defer f.Close()
	c, err := connect(ctx, dsn(f.Name()), "synchronous = OFF", "journal_mode = WAL")
	if err != nil {
		return err
	}
	err = c.script(ctx, fmt.Sprintf("BEGIN; %s; PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
		schema, applicationID, schemaVersion))
	if err := errors.Join(err, c.close(), f.Sync()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return unavailable(err, "put the store on a local disk, which has hard links")
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes a new name durable.
func syncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// checkVersion refuses what is not a store of a version known here.
func checkVersion(ctx context.Context, c *conn) error {
	var application, version int64
	_, err := c.one(ctx, "PRAGMA application_id", func(r *row) { application = r.int(0) })
	if err != nil {
		return err
	}
	if application != applicationID {
		return fmt.Errorf("%w: it is some other SQLite database, not a store; name another file", storage.ErrInvalid)
	}
	if _, err := c.one(ctx, "PRAGMA user_version", func(r *row) { version = r.int(0) }); err != nil {
		return err
	}
	if version > schemaVersion {
		return fmt.Errorf("%w: it was written by a newer version (schema %d, known %d); use that one",
			storage.ErrInvalid, version, schemaVersion)
	}
	if version < 1 {
		return fmt.Errorf("%w: it has no version", storage.ErrCorrupt)
	}
	return nil
}

// now is the store's clock in milliseconds.
func (d *Driver) now() int64 {
	return time.Now().Add(time.Duration(d.offset.Load())).UnixMilli()
}

// Now implements storage.Driver.
func (d *Driver) Now(ctx context.Context) (time.Time, error) {
	if err := ctx.Err(); err != nil {
		return time.Time{}, err
	}
	return at(d.now()), nil
}

// Close ends the driver. It waits for reads under way; with the last
// connection SQLite moves the log into the file and removes it.
func (d *Driver) Close() error {
	d.bus.close()
	d.writer.close()
	if d.readers == d.writing {
		return d.writing.close()
	}
	return errors.Join(d.readers.close(), d.writing.close())
}

// read lends f a connection for one statement.
func (d *Driver) read(ctx context.Context, f func(*conn) error) error {
	c, err := d.readers.take(ctx)
	if err != nil {
		return d.explain(err)
	}
	defer d.readers.give(c)
	return d.explain(f(c))
}

// snapshot lends f a connection whose statements all see the same state.
func (d *Driver) snapshot(ctx context.Context, f func(*conn) error) error {
	return d.read(ctx, func(c *conn) error {
		// A statement that was carried out may still come back as cancelled.
		// The transaction it began must not stay with the connection.
		lasting := context.WithoutCancel(ctx)
		defer rollback(lasting, c)
		if _, err := c.exec(lasting, "BEGIN"); err != nil {
			return err
		}
		return f(c)
	})
}

// never is the expiry of what does not expire.
const never = 1<<63 - 1

// at makes a time of stored milliseconds.
func at(ms int64) time.Time {
	if ms == never {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// until is the expiry of something with a time to live; zero is for ever.
func (t *tx) until(ttl time.Duration) int64 {
	if ttl == 0 {
		return never
	}
	return t.now + ttl.Milliseconds()
}

// stored is the expiry of a time, of which the zero one is never.
func stored(t time.Time) int64 {
	if t.IsZero() {
		return never
	}
	return t.UnixMilli()
}
