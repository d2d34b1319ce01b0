// Package brought holds what somebody brought from another assistant and what has
// no place here until they say so: scheduled jobs, changes that waited for an
// approval, and entries that could not be taken.
//
// It keeps and tells; it carries nothing out. Whoever gives a kept thing its
// place, the scheduler for a job, does so on the person's word and then has it
// settled here, so that it is offered once, also after the same home was
// brought again.
//
// # Decisions
//
// What is kept is the JSON as it was found, and package foreign reads it anew
// each time. Keeping what was read instead would fix today's understanding of
// other people's files.
//
// It lies among the person's own documents, so that it goes with them when they
// are forgotten and is in what they export.
package brought
