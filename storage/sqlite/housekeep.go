package sqlite

import "context"

const (
	// purgeEvery is how often expired rows are removed, and the files cleared if
	// that could not be done at once, in milliseconds. What has expired is
	// invisible from that moment.
	purgeEvery = 10_000
	// scrubWait is how long clearing the log waits for readers, in milliseconds.
	scrubWait = 50
)

// purges remove what has expired, a limited part each time so that a backlog
// does not hold up the writer.
var purges = []string{
	`DELETE FROM documents WHERE (part, coll, key) IN (SELECT part, coll, key FROM documents
		WHERE expires < 9223372036854775807 AND expires <= ? LIMIT 1000)`,
	`DELETE FROM seen WHERE (part, key) IN (SELECT part, key FROM seen WHERE expires <= ? LIMIT 1000)`,
	`DELETE FROM outbox WHERE (part, key) IN (SELECT part, key FROM outbox
		WHERE expires < 9223372036854775807 AND expires <= ? LIMIT 1000)`,
	`DELETE FROM leases WHERE expires <= ?`,
}

// housekeep runs between groups: there is work only where something is
// written, so an idle store needs no timer. What fails here is tried again
// and will be met by the next write as well.
func (w *writer) housekeep(ctx context.Context, c *conn) {
	now := w.d.now()
	if now-w.purged < purgeEvery && now >= w.purged {
		return
	}
	w.purged = now
	w.purge(ctx, c, now)
	if w.scrub {
		w.scrub = !w.cleared(ctx, c)
	}
}

func (w *writer) purge(ctx context.Context, c *conn, now int64) {
	if _, err := c.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return
	}
	for _, query := range purges {
		if _, err := c.exec(ctx, query, now); err != nil {
			rollback(ctx, c)
			return
		}
	}
	if _, err := c.exec(ctx, "COMMIT"); err != nil {
		rollback(ctx, c)
	}
}

// cleared wipes the file, moves the log's content into it and empties the log,
// so that nothing erased can be read from either. Readers of an older state
// prevent that.
func (w *writer) cleared(ctx context.Context, c *conn) bool {
	if w.d.wipe(ctx) != nil || c.script(ctx, busyTimeout(scrubWait)) != nil {
		return false
	}
	busy := int64(1)
	_, err := c.one(ctx, "PRAGMA wal_checkpoint(TRUNCATE)", func(r *row) { busy = r.int(0) })
	return c.script(ctx, busyTimeout(writeWait)) == nil && err == nil && busy == 0
}
