// Package wire is what the adapters share of talking to a platform over HTTP:
// the record of a call that the platforms' libraries don't keep (Exchange), the
// transport underneath, errors without secrets in them, parts of JSON that may
// have changed their shape (Maybe), and files in and out that have a limit.
//
// It knows no platform: what an answer means is read by the adapter.
//
// # Decisions
//
// The record is taken below the library, by a transport made for each call. The
// road not taken is to read the libraries' own errors: they lose the status, the
// headers and whether the request was on the wire when it failed, and with that
// the difference between "not sent" and "perhaps sent".
package wire
