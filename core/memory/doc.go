// Package memory is what the bot remembers: cards (single statements about a
// person's work, about the person, or about a shared space) and everything
// that was said, searchable by those who may read it.
//
// A Handle is bound to the principal of a turn when it is made; nothing that a
// model says names whose memory is meant. In a direct conversation it opens the
// person's own shelf of cards. In a shared place it opens the place's shelf and
// nothing else: what is said about a person there goes onto their shelf, but
// nothing of that shelf is ever shown there.
//
// # Trust
//
// A card is in force if a person said it. What a page, a file or a tool put
// into the conversation makes a quarantined card, which is shown to the person
// and to no model until they confirm it. A quarantined card that the person
// later says in their own words is confirmed by that.
//
// Secrets are refused with a reason, and so is what is certainly an attack, as
// package scan reads it. What only may be one is quarantined where the person
// was not the only source, even if their words say it too. Recalled text goes into prompts as data
// between delimiters that it can't write itself.
//
// # Decisions
//
// One document for each card and one head document for each shelf, whose
// revision every change expects: so two sessions that learn at once lose
// nothing and see each other's cards when duplicates are looked for. One
// document for the whole shelf would need no head, but would be rewritten for
// each card and could not be listed in parts.
//
// What was said lies beside the text index in the shard of its place, numbered
// within its stretch of conversation. Ranking reads a turn with its neighbours,
// and numbers make the neighbours known without a look into the store.
package memory
