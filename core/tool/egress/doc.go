// Package egress makes the only two HTTP clients that the program has.
//
// The guest's goes wherever content or a model points, so it trusts nothing:
// http and https on a list of ports, public addresses only, redirects checked
// again, no credentials, no proxy, bounds on size and time.
//
// The operator's goes to hosts that the configuration names: models, chat
// platforms, tool servers. Private addresses are fine there, credentials are
// sent, and nothing else is reached.
//
// # Decisions
//
// The guest's addresses are checked when a socket is about to connect, after
// the name was resolved, by net.Dialer.Control. Any check before that can be
// undone by a name that resolves differently the second time, by an odd way to
// write a number, or by a redirect.
//
// IPv6 is an allow-list (global unicast, less what is reserved in it), since
// new special ranges appear there; IPv4 is a deny-list, since it is complete.
// Forms that carry an IPv4 address inside are judged by that address; 6to4 and
// Teredo, which nobody uses any more, are refused whole.
//
// What the guest's client does not know is the machine's own public address. A
// service that listens there must not take its callers for local ones.
package egress
