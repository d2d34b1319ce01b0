package sqlite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	modernc "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"talaria/storage"
)

// errColumn: a column has a type that the schema does not allow.
var errColumn = fmt.Errorf("%w: a column has the wrong type", storage.ErrCorrupt)

// explain says what an error of the library means for the caller, and for which
// file.
func (d *Driver) explain(err error) error {
	if err == nil || errors.Is(err, errClosed) {
		return err
	}
	if meant := meaning(err); meant != nil {
		err = fmt.Errorf("%s: %w", d.path, meant)
	}
	if d.noticed != nil && errors.Is(err, storage.ErrCorrupt) {
		d.noticed(err)
	}
	return err
}

// meaning says which sentinel of the contract an error is and what to do about
// it, or returns nil for one that means nothing by itself.
func meaning(err error) error {
	if errors.Is(err, storage.ErrCorrupt) {
		return damaged(err)
	}
	code := resultCode(err)
	if code == lib.SQLITE_ERROR && indexIsDamaged(err) {
		code = lib.SQLITE_CORRUPT
	}
	switch code & 0xff {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_FORMAT:
		return damaged(fmt.Errorf("%w: %w", storage.ErrCorrupt, err))
	case lib.SQLITE_FULL:
		return unavailable(err, "free some space on the disk")
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return unavailable(err, "another process holds the file for too long: end it or wait")
	case lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM, lib.SQLITE_AUTH:
		return unavailable(err, "let this user write to the file and its folder")
	case lib.SQLITE_NOMEM:
		return unavailable(err, "give the process more memory")
	case lib.SQLITE_IOERR:
		return explainIO(code, err)
	}
	return nil
}

// indexIsDamaged knows what is said of a full-text index whose own tables make no
// sense: that has no result code but the one of a mistake in a statement.
func indexIsDamaged(err error) bool {
	text := err.Error()
	return slices.ContainsFunc([]string{
		"invalid fts5 file format", "no such fts5 table", "vtable constructor failed",
	}, func(said string) bool { return strings.Contains(text, said) })
}

// explainIO tells apart the I/O errors. Where a sync failed, nobody knows what
// is on disk, so that one stays an error of unknown outcome.
func explainIO(code int, err error) error {
	switch code {
	case lib.SQLITE_IOERR_SHORT_READ, lib.SQLITE_IOERR_CORRUPTFS:
		return damaged(fmt.Errorf("%w: %w", storage.ErrCorrupt, err))
	case lib.SQLITE_IOERR_FSYNC, lib.SQLITE_IOERR_DIR_FSYNC:
		return fmt.Errorf("the outcome is unknown: %w; check the disk", err)
	}
	return unavailable(err, "check the disk and its quota")
}

func damaged(err error) error {
	return fmt.Errorf("%w; stop the bot, move the file and its -wal aside and restore a backup with talaria store restore "+
		"(talaria store check tells what is damaged)", err)
}

func unavailable(err error, remedy string) error {
	return fmt.Errorf("%w: %w; %s", storage.ErrUnavailable, err, remedy)
}

// resultCode is SQLite's extended result code, or zero.
func resultCode(err error) int {
	if e, ok := errors.AsType[*modernc.Error](err); ok {
		return e.Code()
	}
	return 0
}
