// Package scheduler keeps jobs and fires them: what somebody wants done or
// said later, once or again and again, and the program's own nightly work.
//
// It does none of the work. A slot that is due becomes an event in the inbox
// of the place where its answer belongs, and from there on it is a turn like
// any other, with the rights that its owner has at that moment. What became of
// it is read back from the place's shard. The package scheduler/when says when
// a slot is; this one says what becomes of it.
//
// # How a slot fires exactly once
//
// A job lies in one of a fixed number of buckets, together with its timer, so
// both change in one step. Each replica looks at all buckets. Whoever claims
// the timer decides which slots run and which are skipped, keeps that decision
// in the job, hands the events over under keys made of job and slot, and
// settles the timer in the step that moves the job on. Cut off anywhere, the
// next one finds the decision or the timer, and the inbox knows the keys. The
// only clock is the store's.
//
// What was due before somebody changed, paused or deleted a job is decided on
// before the change, so that no change alters a slot that has come already.
//
// # Decisions
//
// Jobs lie in buckets and not with their team or person: an index in the
// person's partition leads to them. With the job elsewhere than its timer, a
// crash between two writes could leave a job that never fires.
//
// A job with several targets makes one turn in each, not one answer that is
// copied: what may be read and said differs from place to place.
//
// A job that only says something ("remind me to ...") carries the words and
// takes no model, so that it comes when the provider is down or the day's
// budget is spent.
//
// A run's delivery is not tracked while it happens. A second timer looks at it
// afterwards, in the shard where the outbox keeps its rows; this survives
// crashes of either side, and costs one write a run.
package scheduler
