// Package learning turns what happened into what can be learned from: it takes
// finished turns off the path of the reply, makes traces of them, has them
// observed, and tells whoever reflects when a task is quiet or over.
//
// It is not the reply path's business: nothing here delays an answer, and an
// error here fails no turn. What is handed over in a turn's own commit waits in
// the store until it is taken, so a crash loses nothing.
//
// # Decisions
//
// Taking a hand-over over is one commit in the shard: the task, its
// observation, what is to be told, and the removal of the hand-over. Documents
// are written with the revision that was read, so two recorders that meet on a
// shard do the work once.
//
// What is told to the reflecting stage is a document too, removed once that
// stage has returned without an error. So it is told at least once, across
// crashes; what it does with a notice must bear being done again.
//
// Kinds of task and corrections are kept by place in its shard, where they
// change in the same commit. A person who talks in two linked private chats
// has two sets; a reader that wants one joins them.
package learning
