// Package trigger lets other programs start something: a webhook whose calls
// are signed, each of which becomes one run of what the configuration says.
//
// A call carries two things: the header
//
//	X-Talaria-Signature: t=UNIX-SECONDS,v1=HEX
//
// in which HEX is HMAC-SHA256 over "UNIX-SECONDS.BODY" with the trigger's
// secret, and a body, which is data and never an instruction. It says nothing
// about who, where or what: that stands in the configuration.
//
// # Decisions
//
// The time is part of what is signed, and a signature is the identity of its
// call: an old call is refused by its time, one that is repeated within that
// time is known by the inbox, over all replicas and restarts. So a caller may
// repeat what it got no answer to, and somebody who recorded a call gains
// nothing by it.
//
// Calls are counted after they have proved themselves: else anybody could use
// up what the rightful caller may do.
package trigger
