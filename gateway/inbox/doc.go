// Package inbox receives events, keeps them, and hands them to the replica
// that is to work on them.
//
// Handle is what adapters call: who is it, may they, is it known already? An
// event that is for us is kept in the inbox of its place's shard before
// Handle returns, and only then may the adapter acknowledge it. Shards says
// which replica works on which shard, holds their leases, and hands over what
// is pending, in order, to a Worker; after a crash or a takeover that is the
// same code as on any other day.
//
// # Decisions
//
// A shard's lease is taken when there is something to do and given back after
// a quiet while, not held from start to end: 256 leases renewed for ever would
// be most of what an idle installation does, and a start would have to write
// 256 of them before it could be ready.
//
// The owner of a shard is computed by rendezvous hashing over the replicas'
// heartbeats, so that a replica that comes or goes moves only its share. The
// hash only says who should try; who may write is decided by the lease alone.
//
// Any replica may append to any shard's inbox, with no fence: keeping an
// event must not depend on who works on it.
package inbox
