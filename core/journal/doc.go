// Package journal keeps the exact steps of a turn until it is over, in a log of
// the shard that the turn's place belongs to. After a crash the turn is resumed
// from it. It is not the trace: nothing here is redacted, and nothing outlives
// the turn.
//
// # Decisions
//
// A batch that says that a call is about to run is durable, unlike the other
// steps: after a power cut it is the only thing that tells of an effect. The
// others cost a repeated step at most.
//
// An entry that is larger than a stored value may be is split over several log
// entries of the same batch. Pictures in a message are the one thing that gets
// so large; keeping them in blobs would be a second write that is not atomic
// with the step.
package journal
