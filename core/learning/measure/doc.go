// Package measure tells skills how the tasks went that used them. A skill is
// the one that its name meant for who asked; it counts for the revision that was
// in the prompt, once for each task, and what becomes known later replaces what
// was counted.
//
// It judges nothing: what follows from how a skill did is package curate's.
package measure
