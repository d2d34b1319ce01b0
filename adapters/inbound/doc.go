// Package inbound holds what the chat platforms' adapters share on the way in:
// what one raw event comes to (Item), cleaning of names, exact commands, work in
// order by chat (Lanes), and the replay of recorded events against stated
// knowledge (Replay), which is what "talaria normalize" prints.
//
// It is not the gate of the running product: who may speak, and what was kept
// before, is decided where people and the store are known. Replay applies the
// same rules to knowledge that its input states, so that an event can be
// followed from the raw payload to "this becomes a turn" without a store.
//
// # Decisions
//
// An adapter returns an Item for everything, also for what it drops, with the
// reason. The road not taken is to return nothing for a dropped event: then a
// silent bug and a rule look the same, in logs and in tests.
package inbound
