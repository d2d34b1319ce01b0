// Package config turns config.toml and the environment into typed, checked
// values. It knows nothing of what the values are used for: it starts
// nothing, connects to nothing and reads no file but the configuration and
// the secrets that it names.
//
// The struct Config is the list of keys; its toml tags are their names. From
// it follow the names of the environment variables (TALARIA_ and the path in
// upper case, dots as underscores), what is unknown, and the test that
// config.toml at the top of the tree names every key with its default.
//
// # Decisions
//
// The file is decoded into a plain tree first and assigned to the struct by
// this package, where go-toml's strict decoding could have done both. Strict
// decoding stops at the first wrong type; a person who edits a file wants to
// hear of all mistakes at once, each with its line.
//
// An unknown key in the file is an error, an unknown TALARIA_ variable only a
// warning: container platforms put variables of their own making there (a
// service called "talaria" yields TALARIA_PORT).
package config
