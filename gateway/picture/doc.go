// Package picture draws what was learned, for people who would rather look
// than read: the graph of skills and memories, and the curve of success.
//
// # Decisions
//
// gg draws, with the one font of Go's own. A library for plots would save the
// axes, and bring a dozen fonts and printers' formats into the program: 6 MB.
// The font knows Latin, Greek and Cyrillic letters, so cards are numbered in
// the picture and told in the text beside it.
//
// Nodes are placed by rule (skills in a circle by category, cards outside of it
// by what they are tied to) and not by simulated forces: the picture stays the
// same when it is asked for again, and changes little when little changes.
package picture
