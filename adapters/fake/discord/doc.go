// Package discord simulates Discord on loopback: the gateway and the part of
// the REST API that a bot like ours uses. It enforces the documented rules and
// keeps a truth log of everything that happened.
//
// It knows nothing of the product, so that it can catch its errors. A call
// that Discord would take but that must never be made (a message that could
// notify everybody or show a preview) is taken and logged as a breach, and a
// test with a breach fails. Tests wait with Await, never by sleeping.
//
// # Rules
//
// Every session is told of everything. A session that lost its connection is
// kept for a while, unless the client ended it with 1000 or 1001; RESUME
// repeats what came after the number that it names, in order, then RESUMED;
// too late, and INVALID_SESSION with false. A bad token is closed with 4004, a
// missing intent with 4014, a number never given out with 4007.
//
// A message has 1 to 2000 code points or a file. A nonce of at most 25
// characters, enforced, gives back the first message for two minutes. A reply
// to nothing is refused unless it says that it may be. Buttons have ids of at
// most 100 characters, five in a row, five rows; a select is alone in its row
// and has at most 25 options. A channel takes five calls in
// five seconds, the bot fifty a second, told in headers; then 429.
//
// An interaction takes its first response within three seconds, once; its
// token answers for fifteen minutes. The first follow-up of a deferred answer
// takes the answer's place. Options are completed only where they were
// registered so, with at most 25 choices of a hundred characters. A form can
// only be the first response, and not to a form: title of at most 45 characters,
// one to five inputs, values of at most 4000.
//
// # Decisions
//
// One lock guards all state. The simulator of a platform that people type on
// is never the bottleneck, and what is read together is then true together.
package discord
