// Package retry is how adapters try again: pauses that grow, waits that end with
// a context, and connecting until it works or only a person can help.
//
// It decides nothing about single messages: whether one is sent again is the
// outbox's to say, by the kind of its error.
package retry
