// Package command holds the chat commands: one table that every platform
// registers and renders from, and that the lane looks an exact command up in.
//
// A command is a decision of its verified author. What is quoted, forwarded,
// edited or written by a model never reaches this package.
//
// # Decisions
//
// A command that a crash cut off is run again from its beginning. What it names by
// its position, such as the last change, is another thing by then, so what was
// chosen is kept before anything is done to it (see Call.Choose). A journal of
// each step of each command would do the same for all of them, and most need none.
package command
