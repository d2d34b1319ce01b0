// Package agent runs one turn: a person's message goes to a language model,
// the model has tools run, and what comes of it ends in one answer.
//
// It holds the two interfaces that a turn needs, Model and Tool, the exact
// record that a turn is resumed from (Entry), and the Loop. It knows nothing of
// chat platforms, of storage or of any provider; what surrounds a turn reaches
// it through Hooks.
//
// A Loop promises:
//
//   - Run returns an error only if its context ended or a record could not be
//     kept. Whatever else goes wrong ends in an Answer that says so in plain
//     words.
//   - Every step is recorded before it is used. A turn that is resumed from its
//     entries runs no finished call again, and no effect twice.
//   - No turn exceeds its budgets by more than the one call that concludes it.
//   - Half a sentence is never passed off as an answer.
//
// # Decisions
//
// A call whose effect is unknown is told to the model and not to the person:
// the model knows what it wanted and can look whether it came about. Running it
// again, or ending the turn, would both be worse.
//
// Consecutive messages of the same role do occur (the block, then the input;
// the author's words taken in after tool results). Joining them is left to the
// providers, since only some want it, and apart they keep their own origins.
// The block's origin is Self: it is put together by the product, and what it
// holds was approved or confirmed before.
//
// A tool that overstays its time is left behind, not waited for: a person who
// waits for an answer comes before a clean stack. Loop.Wait waits for such
// stragglers when the program ends.
//
// The history counts for Invocation.Context, not this turn alone. What a page
// said an hour ago is still before the model's eyes.
//
// A summary that makes room is recorded with its text (Folded), because a
// resumed turn would otherwise pay for a second one and send other bytes.
package agent
