// Package control is the door from the shell to a running Talaria: a Unix
// socket beside the store on which "talaria status", "talaria store backup"
// and the like are asked, one JSON document a request and one an answer.
//
// Whoever may use the socket may do everything, so it is for the same user
// only: its mode is 0600, and on Linux both sides ask the kernel who the
// other one is. The package does not know what can be asked.
//
// # Decisions
//
// A socket and not the web listener: a browser, or a process of another user,
// can reach a loopback port.
package control
