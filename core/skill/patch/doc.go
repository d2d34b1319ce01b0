// Package patch replaces a piece of a SKILL.md, or of another text, where the
// piece is quoted from memory: with other blanks, quotes, indentation, or a slip
// of a word. It finds the one place that is meant, or refuses.
//
// Strategies are tried in order, from the exact match to the near one, and the
// first that finds anything decides: one place is replaced, several are refused
// as ambiguous. All bytes outside of the place stay as they were. A patch that
// leaves a front matter worse than it was is refused.
//
// It is pure: it reads and writes no files.
//
// # Decisions
//
// What may differ is named, strategy by strategy, instead of measured. A measure
// of likeness by letters finds "Never delete files" very like "Always delete
// files", and port 8080 like port 8081; so the last strategy, for slips, compares
// words by what they are: numbers, addresses, code and words that turn a sentence
// around are never near to anything but themselves. A refusal costs one more
// look at the file; a wrong edit is found late or never.
//
// A slip may be a letter, or a word that is missing or too much. One word in the
// place of another is a different statement, however like the rest is.
package patch
