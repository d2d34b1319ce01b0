// Package persona keeps the picture that the bot has of each person: what they
// prefer, what they know, what they are after. At night it goes over what a
// person has said since the last night, in three steps: hypotheses, what speaks
// against each of them and against what was believed so far, and what is kept of
// both, with how sure that is and the messages that it comes from.
//
// A model does the three steps in one answer. Code decides what they are worth.
// A line is kept only if sentences that the person said themselves bear it out;
// occasions, and not the model, say how sure it is: 0.6 for one, 0.8 for two,
// 0.9 for three, those against it taken off. Whoever struck a line does not see
// it again, in these or in similar words.
//
// The lines are cards of the person's profile, so everything that shows,
// corrects, exports and forgets cards does so with them. There is no second
// store: what is kept here is how far somebody's words were read, and the lines
// of a night that are not all written yet.
//
// A picture is made of direct conversations alone and lies on the person's own
// shelf, which no shared place reads.
//
// # What is never kept
//
// Health, religion, politics, sexuality, membership of a union, origin and
// crime: a guess about these hurts when it is wrong and hurts more when it is
// right, and in many places keeping it needs an explicit yes. So sentences about
// them are not shown to the model, and lines about them are dropped, unless the
// person asked in the same message that it be remembered. The topics are known
// by their words, in English and Chinese; that finds most of what is said
// openly and nothing of what is only implied.
//
// Secrets, attacks and what package lesson forbids are no lines either, nor is
// anything with addresses, paths or code: a person is not described by these,
// and an order to the bot often is.
//
// # Decisions
//
// Only sentences that speak of their author, or of how answers should be, are
// evidence. Quotations, code, what follows a colon and questions are not: most
// of what people paste is somebody else's voice. This loses true evidence, which
// comes again; a false line is believed for months.
//
// A night's lines are stored before the first of them is written. A model asked
// again after a crash would word them otherwise, and they would be there twice.
package persona
