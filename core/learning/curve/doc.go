// Package curve shows how work of one kind goes from its first task on: what
// was measured, and a fit of it. It says how it goes and not why; what follows
// from that is package curate's.
package curve
