package sqlite

import "context"

const (
	// purgeEvery is how often expired rows are removed, in milliseconds. What has
	// expired is invisible from that moment.
	purgeEvery = 10_000
	// scrubEvery is how often the files are cleared if that could not be done at
	// once, in milliseconds: soon, as it is promised to people, but so seldom that
	// a lasting reader costs writers little.
	scrubEvery = 1000
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
	if w.scrub && due(w.tried, now, scrubEvery) {
		w.clean(ctx, c)
	}
	if due(w.purged, now, purgeEvery) {
		w.purged = now
		w.purge(ctx, c, now)
	}
}

// due reports whether something last done is to be done again; also if the
// clock was set back.
func due(last, now, every int64) bool { return now-last >= every || now < last }

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

// clean wipes the file, moves the log's content into it and empties the log, so
// that nothing erased can be read from either. Readers of an older state prevent
// the last of these.
func (w *writer) clean(ctx context.Context, c *conn) {
	w.tried = w.d.now()
	w.soiled = w.soiled && w.d.wipe(ctx) != nil
	w.scrub = w.soiled || !emptied(ctx, c)
}

func emptied(ctx context.Context, c *conn) bool {
	if c.script(ctx, busyTimeout(scrubWait)) != nil {
		return false
	}
	busy := int64(1)
	_, err := c.one(ctx, "PRAGMA wal_checkpoint(TRUNCATE)", func(r *row) { busy = r.int(0) })
	return c.script(ctx, busyTimeout(writeWait)) == nil && err == nil && busy == 0
}
