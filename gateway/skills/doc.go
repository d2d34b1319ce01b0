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
// A button carries a digest of the revision and its hash, and what the digest
// stands for is kept beside the store's other documents for a week. A card so
// answers whoever presses it, also an admin who does not see the skill, and says
// how its draft ended, in whatever order things happened. Looking the draft up
// among those that wait where the press is made would need no record, but finds
// nothing for the one and says nothing of the other.
//
// Approving by word, "/skills approve NAME", is about the draft that waits now.
// Its answer shows what was approved, and the way back.
//
// In a shared place the card of a proposal is posted, and the command's answer
// only says so: some platforms show an answer to its author alone.
//
// Where there are no forms a text is edited by a reply to a message of the bot's
// that names the skill. What is quoted decides nothing but the name; a table of
// open questions would have to be kept and to expire, for the same result.
//
// What is imported from another assistant becomes drafts. Putting it in force is
// the word of whoever imports it, skill by skill through the library's Approve,
// and never of what a check warns about.
package skills
