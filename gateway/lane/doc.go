// Package lane runs sessions: one turn at a time in each, sessions side by
// side. It takes the events that the inbox hands over, runs commands, has the
// agent answer messages, and commits what came of them.
//
// What a turn did is committed in one step: transcript, search index, the
// answer's outbox rows, and the event's leaving the inbox. Until then the
// event is pending and the turn's journal holds every step, so whoever owns
// the shard after a crash resumes the same turn from where it was.
//
// # Decisions
//
// A message of the author's that arrives while their turn runs steers it: the
// model sees it at the next tool boundary. If there is none left, it becomes
// the next turn. Other people's messages queue with their own rights.
//
// The model's last message is not journaled before it is used: using it means
// committing the finished turn, which happens in the very next step.
//
// Commands that must not wait (stop, status, help) run beside the lane;
// resetting a session runs inside it, so that no late write of a turn can
// reach the new session.
package lane
