// Package sqlite is the embedded storage driver: one file, one process that
// writes it most of the time, no server. Where several replicas share the
// work, storage/redis is the driver.
//
// All writing goes through one goroutine. What arrives while it commits becomes
// the next group, which shares one transaction and, if any batch in it is
// durable, one sync. A batch that is refused (conflict, fenced) leaves the
// others in its group alone; only one that may be refused after it has written
// pays for a savepoint. Reading goes past the writer, on a few connections that
// are opened when needed. An idle store has one or two connections, one
// goroutine that waits, and no timer: what has expired is invisible at once and
// is removed between later writes.
//
// A second process may open the file, such as a command while the gateway runs.
// SQLite's locks and the leases of the contract make that safe; a write waits
// five seconds for the other before it is unavailable. The bus does not reach
// the other process, as nothing may depend on a message.
//
// The file does not shrink. Space that was freed is overwritten with zeros and
// used again. Erase also wipes what SQLite leaves in unused space when it moves
// rows, of whatever was deleted before, and empties the write-ahead log, so that
// nothing of it is left in any file.
//
// # Decisions
//
// Direct connections. The driver connection is used directly with its prepared
// statements, without database/sql: pooling, locks and conversions there cost
// as much as a small statement, and the writer needs exactly one connection.
//
// Durability by group. PRAGMA synchronous is FULL for a group that holds a
// durable batch and NORMAL otherwise; it costs nothing to change between
// transactions. Commits are synced with fdatasync, for the whole process: at
// the same durability it takes half the time of fsync on ext4.
//
// Tables without row ids. Most tables are one B-tree in the order in which they
// are read, so an operation writes one page, not two. A log's count is written
// only when its last entry is trimmed away; until then the last entry has it.
//
// FTS5 as the inverted index, with exact answers. A plain table of postings
// (place, term, document) is exact by itself, but each of a document's terms
// is a page of its own to write: 1,700 documents of 30 terms a second, 54 MB
// for 100,000 of them. FTS5 writes segments: 21,000 a second, 21 MB, with
// contentless_delete and detail=none. What it can't tell stands beside it: the
// counts of each document, and whether a greater document was there when it
// came ("late"). Row ids are in order of arrival, documents mostly too; a
// search reads the newest rows until it has enough that are not late, which
// gives exactly the greatest documents without reading all (see holding). How
// many documents hold a term comes from fts5vocab: 3 ms for a term in 90,000
// documents.
//
// Tokens are hashes of partition, place and term. So a term may hold any
// character, no place sees another's, and a removed document, whose tokens
// FTS5 keeps until it merges segments, leaves no word in the file. FTS5's
// secure-delete mode would remove tokens at once, but takes 8 ms for each
// document where this takes 0.1 ms.
//
// A new store appears complete. It is made under another name and linked to its
// own. So an empty file, or a log without its file, is always damage, and is
// never taken for a first start.
package sqlite
