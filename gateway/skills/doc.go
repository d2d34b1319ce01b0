// Package skills is how people deal with the library of skills in chat: the
// card that a draft is decided on, its buttons, and the verbs of /skills.
//
// It decides nothing: every door leads to the library's own Approve, Reject and
// so on, which ask for the rights of whoever is at it. What it adds is that a
// decision is about what was shown: buttons and verbs carry the hash of the text
// on the card.
//
// # Decisions
//
// A button carries a digest of the revision and its hash and no number: a card
// of a draft that was changed, merged or decided meanwhile finds nothing any
// more, in whatever order things happened.
//
// Approving by word, "/skills approve NAME", is about the draft that waits now.
// Its answer shows what was approved, and the way back.
package skills
