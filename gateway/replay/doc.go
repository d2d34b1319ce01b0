// Package replay follows recorded events of a platform from the raw payload to
// "this becomes a turn", against knowledge that its input states. It is what
// "talaria normalize" prints.
//
// Nothing in it is a second opinion: an event is read by its adapter's pure half
// (inbound.Normalizer) and decided on by person.Decide, as when it arrives live.
// What is stated here in place of the store is whom the bot knows: everybody may
// talk to it, in the places that the input allows.
package replay
