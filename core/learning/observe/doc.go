// Package observe computes what a task tells, from its trace alone: whether it
// succeeded, what the person thought of it, how well it went beside earlier
// tasks of its kind, what it recovered from, what it is worth. No model is
// asked and nothing is stored; the same trace always comes to the same.
//
// Read understands messages in English and Chinese by their words. It is
// careful: a correction that it misses costs one chance to learn, one that it
// makes up teaches something wrong.
//
// # Decisions
//
// A step, where steps are counted or compared, is a call together with what
// came of it. Counting thoughts too would punish a model for telling what it
// does.
//
// Efficiency compares steps, and tokens only between tasks of equally many
// steps: a mean of both would let a chatty answer hide a detour.
//
// An error is resolved if its tool worked later in the task, or if another tool
// worked on the same thing and the turn came to its answer. A call that was made
// beside the failed one, that was asked for by itself, or that is about something
// else is no way around it, however well it worked. Whether the answer really did
// without the failed call only a reader could tell; the person's reaction does.
//
// An answer that says of itself that it could not do it is no success. Only how
// it opens and the points of its lists are read so: a caveat at the end of a good
// answer is none.
package observe
