// Package person knows who somebody is and what they may do: identities and
// the people behind them, roles, teams, the spaces the bot was let into, and
// whether an event is for the bot at all.
//
// Decide is pure: what is known goes in as values, and a decision with its
// reason comes out. Directory keeps the facts in the store and looks them up.
// Neither sends anything, and neither knows a platform by name.
//
// # Identities and people
//
// An identity is an account by its immutable id. Each has a home: the person
// whose id is derived from it. Until it is linked to another, an identity is
// its home person, so that nothing has to be stored for a stranger and two
// replicas can't invent two people for one account. Linking points the
// identity at the other person; unlinking points it home again.
//
// # Decisions
//
// Rights stay with the identity that was given them. Linking two accounts
// shares memory, jobs and membership, but an admin on Slack is an admin from
// Telegram only where that account is named too. Otherwise somebody who is
// talked into typing a code would hand over their rights with it.
//
// That an account is its platform's guest is kept with its person, as it was when
// it wrote last: platforms tell it with messages alone, and a job or a linked
// account would make more of a guest than the platform does.
//
// Linking is between different workspaces only. One person has one account in
// a workspace, so a code overheard by a colleague there is of no use to them.
//
// Codes are 8 characters of an alphabet without look-alikes, 40 bits. They
// live for minutes, count for once, and guesses are limited for each identity
// and in total; so a plain SHA-256 is kept, which makes a copy of the store
// useless an hour later.
//
// What crosses partitions (linking does) is a record of the intention first,
// then steps that may be repeated, then the mark that it is done. Whoever next
// resolves the person finishes what a crash left.
package person
