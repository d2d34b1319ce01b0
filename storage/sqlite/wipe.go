package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
)

// maxWiped bounds the pages of a file that is wiped: 128 GiB of the usual 4 KiB.
// In one with more, the first byte of an overflow page, which is the highest of
// the next page's number, could be taken for the type of a B-tree page.
const maxWiped = 0x0200_0000

// wipe overwrites the unused space of B-tree pages. secure_delete is not enough:
// when SQLite spreads the cells of full pages over their neighbours, it lays
// them anew into the pages and leaves in between whatever was there, copies of
// cells that moved to another page among it. Those nobody deletes later.
//
// It reads the whole file, but writes only pages that have something to hide.
// VACUUM would do the same by writing all of it twice.
func (d *Driver) wipe(ctx context.Context) (err error) {
	if d.unguarded == nil {
		return nil // a store in memory leaves no file
	}
	c, err := d.unguarded(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }() // which also rolls back
	pages, err := soiled(ctx, c)
	if err != nil || len(pages) == 0 {
		return err
	}
	if _, err := c.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, n := range pages {
		if err := wipePage(ctx, c, n); err != nil {
			return err
		}
	}
	_, err = c.exec(ctx, "COMMIT")
	return err
}

// soiled are the numbers of the pages with something in their unused space.
func soiled(ctx context.Context, c *conn) (pages []int64, err error) {
	var all int64
	_, err = c.one(ctx, "PRAGMA page_count", func(r *row) { all = r.int(0) })
	if err != nil || all > maxWiped {
		return nil, err
	}
	err = c.each(ctx, `SELECT pgno, data FROM sqlite_dbpage
		WHERE pgno = 1 OR substr(data, 1, 1) IN (x'02', x'05', x'0a', x'0d')`, func(r *row) error {
		n := r.int(0)
		if !empty(unused(n, r.bytes(1))) {
			pages = append(pages, n)
		}
		return nil
	})
	return pages, err
}

// wipePage looks at a page again, as another process may have written it since.
func wipePage(ctx context.Context, c *conn, n int64) error {
	var page []byte
	_, err := c.one(ctx, "SELECT data FROM sqlite_dbpage WHERE pgno = ?", func(r *row) { page = r.bytes(0) }, n)
	if err != nil {
		return err
	}
	free := unused(n, page)
	if empty(free) {
		return nil
	}
	clear(free)
	_, err = c.exec(ctx, "UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?", page, n)
	return err
}

// unused is the part of a B-tree page between the pointers to its cells and
// their content; nothing for another page, or one that is damaged. See
// https://www.sqlite.org/fileformat2.html#b_tree_pages.
func unused(n int64, page []byte) []byte {
	start := 0
	if n == 1 {
		start = 100 // after the file's own header
	}
	if len(page) < start+12 {
		return nil
	}
	header := page[start:]
	switch header[0] {
	case 2, 5: // interior
		start += 12
	case 10, 13: // leaf
		start += 8
	default:
		return nil
	}
	start += 2 * int(binary.BigEndian.Uint16(header[3:]))
	end := int(binary.BigEndian.Uint16(header[5:]))
	if end == 0 {
		end = 1 << 16
	}
	if start > end || end > len(page) {
		return nil
	}
	return page[start:end]
}

func empty(space []byte) bool {
	for _, b := range space {
		if b != 0 {
			return false
		}
	}
	return true
}
