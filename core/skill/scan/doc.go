// Package scan looks for hostile content in skills, snippets and statements to
// be remembered: instructions that take over the reader, secrets that leave,
// code from the network, what stays and what destroys, and what hides any of
// it. It says what it found to whoever approves a text.
//
// It is advice and never a boundary. Whoever knows the rules can write around
// them, so nothing may be let through because a scan found nothing; what a
// skill may do is decided by its permissions and by the dispatcher.
//
// # How it reads
//
// A text is first brought to the form that a model would understand: one form
// of each character, nothing invisible, look-alike letters as those they look
// like, spelled-out words closed up. What is encoded is decoded, within bounds,
// and scanned as a text of its own. A document is cut into sentences and blocks
// of code; scripts of shells are parsed, and of programs the strings and
// comments are told from the code.
//
// What is found first are signs: phrases with one meaning in several languages
// ("discard", "previous", "instructions"), and things that commands do, such as
// running what they fetch. Rules say what signs mean that stand together. Both
// are data, in the folder rules, one topic a file. Then the surroundings count:
// what is forbidden, shown as bad, or quoted where the text is about attacks is
// a notice without weight. Nothing hidden is excused.
//
// # Decisions
//
// Programs in Python, JavaScript, PowerShell and others are cut by a tokenizer
// of a hundred lines and not by a lexer for each language: all that the rules
// need to know is what is a string and what a comment. Shell is different: what
// a command does depends on pipes, substitutions, redirections and quoting, so
// it is parsed in full.
//
// Classes of single words in many languages, combined by three or four, and not
// phrases alone: "nobody", "sign off" and "transfers" are harmless each, and in
// paragraphs of real skills three such classes hardly ever meet. A negation is
// part of the meaning ("never tell"), so rules can ask for it. A classifier that
// learns words from the same collections found fewer of the texts that it had
// not seen, and can't say what it found.
//
// Signs in a trie and rules over sets, and no regular expression a rule: one
// pass finds the phrases of all languages, and a sentence without the signs of
// a rule costs it a few machine words.
package scan
