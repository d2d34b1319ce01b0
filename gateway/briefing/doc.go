// Package briefing puts together what a turn starts with: the frozen prefix,
// the block of recalled data before the newest message, the tools; and counts
// what people use. Everything it hands out is bound to the turn's principal.
// It calls no model, and does not know what a turn is for.
package briefing
