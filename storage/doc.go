// Package storage is the contract that everything durable rests on: nine
// primitives with exact semantics over two drivers, storage/sqlite (embedded)
// and storage/redis (shared by replicas). The suite in storage/storagetest is
// the contract in executable form; a driver that passes it is a driver.
//
// Store is the concrete type that callers hold: it encodes values, checks
// names and sizes, and keeps the rules that must be the same for both drivers
// (index pruning, default limits). Driver is the small interface below it.
//
// # Partitions
//
// A batch is atomic within one partition and nowhere else. There are four
// kinds: a shard (one of Shards, by hash of platform, workspace and chat), a
// person, a team, and a system partition (one for each named thing of the
// whole installation: a poller's checkpoint, the replicas' heartbeats, a
// bucket of timers). On Redis the partition is the hash tag.
//
// A partition has at most one lease. The lease's fencing token lies in the
// partition, so a batch that carries a Fence is refused in the same atomic
// step in which it would have been applied, with ErrFenced.
//
// What crosses partitions is an idempotent hand-off with a key.
//
// # Backup
//
// Backup writes a store in a form that depends on no driver (see Stored), and
// Restore reads it into an empty one, so that this is also the way from one
// driver to the other. A restored store is not live until SetLive, and one whose
// restore did not finish never is; AbandonRestore empties it for another try. What
// was buried since the backup stays away (see Bury). Verify looks at a store, and
// VerifyBackup at a backup.
//
// # Decisions
//
// An inbox is the set of pending events in order, not a log with a numeric
// cursor: sessions of one shard run side by side, so events finish out of
// order. Advancing the cursor past a hole would lose events; keeping it at
// the hole would run finished ones again. Done removes exactly the event that
// is finished, and the cursor is the lowest one left.
//
// Durability is chosen by batch: Durable batches are on disk (SQLite: fsync;
// Redis: as the server is configured, which doctor tells) when Commit returns.
// Only what is acknowledged to somebody needs it; the other writes of a turn
// survive a crash of the process anyway, and a power cut costs at most a step
// that the journal repeats.
package storage
