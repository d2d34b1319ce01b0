// Package outbox is the ledger of what is said: every visible message is a
// row with its final payload before it is sent, and a receipt after.
//
// A row is queued, then sending, then sent; or failed, or of unknown outcome.
// Adapters classify errors; only this package decides what to do about one.
// Messages to one place go out one after the other, different places side by
// side. Nothing is paced until the platform asks for it; then the platform's
// own number is kept, for the chat or for the whole bot.
//
// # Decisions
//
// A message that can be edited is safe to repeat: putting in the same text
// twice shows it once. So where a platform neither knows idempotency keys nor
// lets a bot read back, a placeholder is sent first and the answer put in by
// an edit. A crash between the platform's taking the placeholder and our
// keeping its id leaves an orphan placeholder, which is counted; it never
// leaves a second answer. An answer's row is final, and its message's id kept,
// before the edit is made.
//
// Where a platform shows drafts, an answer grows in one and has no row and no
// message before it is whole; then it goes out like any other. The draft passes
// by itself, so a crash leaves nothing behind. The road not taken, an answer
// sent at once where its draft was shown, would spare the placeholder's moment
// and lose the certainty that it is there once.
//
// A live preview is the row of the answer's first part. Its edits are not
// kept: what is shown half-way needs no durability, only the final text does.
//
// Rows of unknown outcome are not sent again by themselves (unless the
// operator prefers a double over a loss): the person is told instead.
package outbox
