// Package rights carries out what people may demand about what is kept of
// them: that it is shown whole, and that it is erased; and it erases by itself
// what has been kept long enough.
//
// It knows where things lie: a person's partition, the shards of the places
// they spoke at, and what other domains keep, which comes in as a
// person.Eraser and a person.Exporter. What each of these holds is theirs to
// know.
//
// # Decisions
//
// Forgetting is handed to each shard as an event in its inbox, not done across
// shards by whoever takes the command. The owner of a shard has turns running
// and sessions in memory that nobody else can end, and an event is kept until
// it was carried out, whatever crashes meanwhile. So it is over within seconds,
// and not when the command is answered.
//
// The person's partition is buried last, by a tombstone: until then the same
// command can be given again. After a restore the tombstones since the backup
// tell whose part of the shards has to be erased again (see Again).
//
// What other people's answers quoted of somebody stays: nobody can tell whose
// words they are any more.
package rights
