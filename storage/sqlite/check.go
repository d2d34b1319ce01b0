package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"talaria/storage"
)

// Check implements storage.Driver: SQLite's own check of every page, index and
// the text index, then what SQLite can't know.
func (d *Driver) Check(ctx context.Context) ([]string, error) {
	var findings []string
	err := d.afresh(ctx, func(c *conn) error {
		for _, check := range []func(context.Context, *conn, func(string, ...any)) error{checkPages, checkBlobs, checkIndex} {
			err := check(ctx, c, func(format string, args ...any) {
				findings = append(findings, d.path+": "+fmt.Sprintf(format, args...))
			})
			if e := d.explain(err); errors.Is(e, storage.ErrCorrupt) {
				findings = append(findings, e.Error())
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	return findings, err
}

// afresh is snapshot on a connection that has read nothing yet. FTS5 keeps what
// a connection read of the index, and its check takes what another process
// wrote since for damage.
func (d *Driver) afresh(ctx context.Context, f func(*conn) error) error {
	if d.readers == d.writing {
		return d.snapshot(ctx, f) // in memory: there is no other process
	}
	select {
	case <-d.readers.closed:
		return errClosed
	default:
	}
	c, err := d.readers.open(ctx)
	if err != nil {
		return d.explain(err)
	}
	defer func() { _ = c.close() }()
	if _, err := c.exec(ctx, "BEGIN"); err != nil {
		return d.explain(err)
	}
	defer rollback(context.WithoutCancel(ctx), c)
	return d.explain(f(c))
}

func checkPages(ctx context.Context, c *conn, find func(string, ...any)) error {
	return c.each(ctx, "PRAGMA integrity_check", func(r *row) error {
		if text := r.text(0); text != "ok" {
			find("%s", text)
		}
		return nil
	})
}

func checkBlobs(ctx context.Context, c *conn, find func(string, ...any)) error {
	return c.each(ctx, "SELECT part, hash, data FROM blobs", func(r *row) error {
		if sum := sha256.Sum256(r.bytes(2)); hex.EncodeToString(sum[:]) != r.text(1) {
			find("blob %s of %s has other content than its hash says", r.text(1), r.text(0))
		}
		return nil
	})
}

func checkIndex(ctx context.Context, c *conn, find func(string, ...any)) error {
	return c.each(ctx, `SELECT coalesce(p.part, i.part), coalesce(p.place, i.place)
		FROM places p FULL JOIN (SELECT part, place, count(*) AS docs, sum(length) AS terms FROM indexed GROUP BY part, place) i
		ON p.part = i.part AND p.place = i.place WHERE p.docs IS NOT i.docs OR p.terms IS NOT i.terms`,
		func(r *row) error {
			find("the text index of %q in %s does not add up", r.text(1), r.text(0))
			return nil
		})
}

// Durability implements storage.Driver.
func (d *Driver) Durability(ctx context.Context) (string, bool, error) {
	if err := ctx.Err(); err != nil {
		return "", false, err
	}
	if d.path == memory {
		return "in memory: nothing survives the end of the process", false, nil
	}
	return "what is acknowledged is on disk (SQLite, synced write-ahead log); the last other writes survive a crash of the process, not a power cut", true, nil
}
