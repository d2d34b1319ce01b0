// Package redistest starts a real redis-server for tests: on a free loopback
// port, with its data in a temporary directory and an append-only file, so
// that what was acknowledged survives Kill and Restart. It is no fake and
// knows nothing about what is stored.
//
// A machine without redis-server fails the test that needs it. There is no
// skipping, because a suite that was skipped looks like one that passed.
package redistest
