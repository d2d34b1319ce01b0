// Package tool holds the built-in tools, one file each with its description for
// the model beside it, and the Set that binds them to one turn.
//
// A bound tool acts for the turn's principal and for nobody else: the handles
// that it works with were made for that person and place, and no argument names
// another. The Set is also the gate of every call, those of other tools
// included: policy, rights, and the yes of a person where one is needed.
//
// # Decisions
//
// The strictest of all that has a say wins (role, policy, skill), so that rules
// can be read in any order and adding one never opens anything.
//
// A call that carries something outward from a turn which has seen foreign
// content needs a person's yes, whatever the policy. Foreign content may be
// speaking through the model, and what the turn knows could leave with the call.
// A page counts as outward too, since its address can carry data: it needs a yes
// unless the author wrote the address, a page read in this turn links to it, or
// the operator opened its host.
//
// Files of a conversation are documents in the shard of its place, not files on
// a disk: every replica sees them, they go with the conversation's backup and
// erasure, and there is no path to escape from. What is written lies in a
// document and not in a blob, because blobs of equal content are shared and
// nobody could tell when one may go.
package tool
