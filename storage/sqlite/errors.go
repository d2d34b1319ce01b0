package sqlite

import (
	"errors"
	"fmt"

	modernc "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"talaria/storage"
)

// errColumn: a column has a type that the schema does not allow.
var errColumn = fmt.Errorf("%w: a column has the wrong type", storage.ErrCorrupt)

// explain says what an error of the library means for the caller: which
// sentinel of the contract it is, for which file, and what to do.
func (d *Driver) explain(err error) error {
	if err == nil || errors.Is(err, errClosed) {
		return err
	}
	if errors.Is(err, storage.ErrCorrupt) {
		return d.damaged(err)
	}
	code := resultCode(err)
	switch code & 0xff {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_FORMAT:
		return d.damaged(err)
	case lib.SQLITE_FULL:
		return d.unavailable("the disk is full; free some space", err)
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return d.unavailable("another process holds the file for too long; end it or wait", err)
	case lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM, lib.SQLITE_AUTH:
		return d.unavailable("the file and its folder must be writable for this user", err)
	case lib.SQLITE_NOMEM:
		return d.unavailable("out of memory", err)
	case lib.SQLITE_IOERR:
		return d.explainIO(code, err)
	}
	return err
}

// explainIO tells apart the I/O errors. Where a sync failed, nobody knows what
// is on disk, so that one stays an error of unknown outcome.
func (d *Driver) explainIO(code int, err error) error {
	switch code {
	case lib.SQLITE_IOERR_SHORT_READ, lib.SQLITE_IOERR_CORRUPTFS:
		return d.damaged(err)
	case lib.SQLITE_IOERR_FSYNC, lib.SQLITE_IOERR_DIR_FSYNC:
		return fmt.Errorf("store %s: the outcome is unknown; check the disk: %w", d.path, err)
	}
	return d.unavailable("reading or writing failed; check the disk and its quota", err)
}

func (d *Driver) damaged(err error) error {
	return fmt.Errorf("%w: %s: %w; stop, move the file and its -wal aside and restore a backup", storage.ErrCorrupt, d.path, err)
}

func (d *Driver) unavailable(remedy string, err error) error {
	return fmt.Errorf("%w: %s: %s: %w", storage.ErrUnavailable, d.path, remedy, err)
}

// resultCode is SQLite's extended result code, or zero.
func resultCode(err error) int {
	if e, ok := errors.AsType[*modernc.Error](err); ok {
		return e.Code()
	}
	return 0
}
