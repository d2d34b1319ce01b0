// Package crosstest holds no code, only tests that look at both storage
// drivers at once: a random machine under which SQLite, Redis and a model in
// memory must give the same answers, the same choice of documents for a
// search, dumps of one that load into the other, and histories of several
// clients, with broken connections, that must be linearisable. What the
// contract says of a single driver is in storage/storagetest.
package crosstest
