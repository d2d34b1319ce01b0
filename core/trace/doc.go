// Package trace is the record that learning reads: what was asked, each step
// that was taken, what came of it, with times, origins and errors; redacted,
// capped and kept for a while. It is not the journal, which holds the exact
// bytes that a turn resumes from and dies with the turn, and it is not the
// transcript, which is what the model sees.
//
// A turn is handed over in the very batch that commits its answer, as a Raw:
// its steps, cut to size. Whoever observes takes the hand-over off the path of
// the reply, redacts it and adds it to the task that it belongs to. So the
// reply pays for one log entry of some kilobytes, and a crash between the two
// loses nothing.
//
// # Decisions
//
// Traces lie in the shard of their place, next to the hand-over that they are
// made of: taking one over is one atomic step, done once however many observers
// try. What is learned across places cites a trace by place and id.
//
// A Raw is cut but not redacted, since redacting costs milliseconds. It is as
// well guarded as the transcript beside it and is gone seconds later. It is cut
// at white space, so that half a secret is never left without the mark that it
// is recognised by, and its parts are redacted each for itself.
//
// The time of a call is from its start, or for one that only reads from the
// model's message that asked for it, to the end that was recorded. Reads that
// ran side by side therefore have the time of the slowest.
package trace
