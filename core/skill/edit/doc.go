// Package edit makes changes of a skill's files: several at once, all or none.
//
// It is pure. Whether the result may come into force is for the library.
package edit
