// Package export writes redacted traces, of people who agreed, as training data
// for an outside trainer: conversations in the ShareGPT form with a reward, and
// pairs of a preferred and a rejected answer. The product itself trains
// nothing.
//
// What is exported leaves the house. So on top of the redaction that every
// trace had, what names people or machines is put in general terms: addresses,
// numbers, mentions, queries of links. A task is exported only if everybody who
// spoke in it agreed.
//
// # Decisions
//
// The roles are human, gpt, function_call and observation, which alternate
// strictly (human or observation, then gpt or function_call), as the trainers
// that read ShareGPT with tools want it. Calls that were made side by side are
// therefore one message, with a list in it.
//
// Consent is one document in the person's own partition: it goes with the
// person when they are forgotten, and is looked up at every export.
package export
