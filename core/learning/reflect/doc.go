// Package reflect reviews finished tasks in the background: it writes a report
// on each, and proposes what can be learned from it.
//
// A review is a fork of the agent that has nothing but the tools of memory and
// skills, and these only write wishes down. When it is done, its wishes and the
// rules of its report are proposed one after the other (package propose), which
// is where evidence, caps, checks and people decide. It decides nothing itself.
//
// It is never in anybody's way: it runs when a task is quiet, gives way at once
// when somebody writes in that session, and an error in it fails no turn.
//
// # Decisions
//
// The model gets a digest of the trace and not the conversation with its own
// prefix. Reusing the prefix would be cheap where a provider caches it, but the
// digest is redacted, bounded, the same for every model, and a document in one
// piece that nothing in it can end; a review reads more hostile text than any
// turn.
//
// Nothing is written while the model works. A review that gives way, or dies,
// leaves nothing half done; it is told of the task again and begins anew.
//
// How far a task was reviewed is kept with the number of its turns, so that a
// task told of for several reasons is looked at once, and again only where there
// is more to see or to look deeper.
package reflect
