// Package app puts the program together and runs it: the only caller of
// adapter, driver and provider constructors.
//
// To read it: App in app.go is what there is, build.go makes it from top to
// bottom, platforms.go connects the chat platforms, run.go runs and drains it.
// Of the other files each joins one part to the rest, and is named for the part.
//
// # Decisions
//
// An embedded store is locked by the process that serves it. So a serving
// process that finds the lock free knows that its predecessor is gone, and
// takes over that one's leases at once instead of waiting for them to run
// out: it has the predecessor's name. On a shared store a replica's name is
// its own, unless the operator gives it a stable one.
package app
