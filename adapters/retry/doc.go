// Package retry is how adapters try again: pauses that grow, connecting until it
// works or only a person can help, and what is known of the connection meanwhile,
// and told of it in the log.
//
// It decides nothing about single messages: whether one is sent again is the
// outbox's to say, by the kind of its error.
package retry
