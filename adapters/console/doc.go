// Package console is the adapter for whoever sits at the machine: Terminal for
// a person at a terminal, Pipe for a program or a file that feeds it lines.
//
// There is one person ("console") and one conversation, which is direct. Who
// may use the process may talk to it; nothing is authenticated here.
//
// Terminal edits lines with a history, takes several lines at once (what is
// pasted, a "\" at the end of a line, or a block between lines of """), completes
// commands, streams answers in place, and shows buttons as numbers to be typed.
// Ctrl-C stops the answer under way; a second one leaves. Ctrl-D leaves: while an
// answer is under way once that is there, and a second one at once.
//
// Pipe takes each line as one message, waits for its answer before it reads
// the next, and writes plain answers and nothing else.
//
// # Decisions
//
// What is shown is cleaned of control characters here, whatever wrote it: an
// escape sequence in a model's answer could retitle the window, forge a prompt
// or type into the shell. The only sequences written are this package's own.
//
// What is pasted is one message: the terminal is asked to mark it (bracketed
// paste), and until the person sends it it stands in the editor as one line, with
// pictures of line feeds and tabs (␊, ␉). liner, the editor, knows nothing of
// that and reads keys itself, so a keyboard of this package's own reads them first
// and hands them on through a pipe; that is also how Ctrl-D is heard while no line
// is read. An editor of our own would need no pipe, and many times the lines.
//
// A read of standard input can't be interrupted portably. When a terminal's chat
// ends while one is under way, its goroutine stays behind until the input ends or
// the process does; nothing is lost by that, and it holds nothing.
package console
