// Package wording says things to people in English or Chinese. The English text
// stands where it is said and is the key under which catalogue files of this
// package, one for each area, hold the Chinese one; what has none is said in
// English. [For] is the one place that decides which language somebody is
// answered in, and the context carries it to whoever puts an answer together.
//
// It is not for what the model writes, which follows the person by itself, nor
// for the shell and logs, which are in English.
//
// # Decisions
//
// The catalogues are maps and the texts formats of package fmt. The printers of
// golang.org/x/text/message work the same way, but put separators into all
// numbers, also into ids, years and counts that people are to type back.
//
// A person's language is what they told me with /whoami, else what they write
// in now, else what was seen of them last, else what their platform says. What is
// typed after a command counts only where it is Chinese: the words of commands
// are English for everybody.
//
// What is posted for several people, such as the card of a draft in a channel,
// is in the language of whoever's work it came from.
package wording
