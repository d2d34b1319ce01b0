// Package validate looks at proposals of skills before anybody decides about
// them: hostile content, what they may do against what they use and used,
// skills that are there already, code that does not parse, parts that are
// missing. What it finds stands on the card; what is certain blocks the draft.
//
// It never runs anything, and it is no boundary: what a skill may do is decided
// by its grant and by the dispatcher, at each call.
//
// # Decisions
//
// Syntax is checked only of languages that the program reads anyway (Go, shell,
// JSON, YAML, TOML, XML). A script that does not parse blocks; a block of code
// in a text only warns, since it may be a piece with gaps to fill.
package validate
