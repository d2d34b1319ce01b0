// Package backup writes a whole store to a file and reads it back, from either
// driver into either driver, while the store is in use.
//
// A file is gzip over JSON, one value a line: a header, then for each
// partition a line that names it and its records, at the end a line with the
// count. A file without its last line was cut off and is refused as a whole,
// before anything is written.
//
// # Decisions
//
// Each partition is copied as of one moment, the partitions one after the
// other. What crosses partitions is an idempotent hand-off anyway, so a copy
// with one half of it is a state that the program finishes by itself. The road
// not taken, one moment for all, would stop every writer for the whole time.
//
// What waited to be answered or sent when the backup was made was most likely
// answered since, by the process that the backup outlived. So a restored store
// stays silent about it unless told to resume: events are left out, and
// messages become ones of unknown outcome, which are never sent by themselves.
package backup
