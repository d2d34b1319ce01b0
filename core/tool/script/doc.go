// Package script runs the scripts of skills where the operator has said so, in
// a sandbox that really holds or not at all.
//
// What a script gets: a copy of its skill in a new folder, which is gone
// afterwards; the system's programs to read; an environment made for it; and
// limits on time, processor, memory, processes, open files, disk and output.
// It gets no network, no sight of other processes, and none of the program's
// environment, files or descriptors. When it ends, or is too much, all that it
// started is killed with it.
//
// It is no place for programs that people run for themselves, and no judge of
// what a script says: its output is foreign text.
//
// # Decisions
//
// The first of these layers that holds is used, else scripts are refused.
// bubblewrap gives a script namespaces of its own. Landlock, from ABI 6 (Linux
// 6.12) on, closes files, TCP, abstract sockets and signals without needing any
// privilege; an older one leaves signals open and is refused. Both come with a
// system call filter, which closes what they leave open: sockets of all kinds,
// tracing, further namespaces, changes of mode, owner and times by path (which
// Landlock does not see), and leaving the process group, so that one signal
// reaches all.
//
// That a layer is there is no proof that it holds, so a probe tries to read a
// file that it must not before the first script runs.
//
// Landlock and limits apply to a process for good, so the program starts itself
// anew (Enter) and becomes the script. As root, that happens as nobody: limits
// on processes do not count for root, and nobody owns nothing.
package script
