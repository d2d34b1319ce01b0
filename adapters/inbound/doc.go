// Package inbound holds what the chat platforms' adapters share on the way in:
// what one raw event comes to (Item, Normalizer), cleaning of names, exact
// commands and presses, the order of ids, work in order by chat (Lanes), handing
// events over until they are kept (Keeper), and account of what is dropped
// (Drops).
//
// It decides nothing about people: who may speak, and what was kept before, is
// decided where people and the store are known.
//
// # Decisions
//
// An adapter returns an Item for everything, also for what it drops, with the
// reason. The road not taken is to return nothing for a dropped event: then a
// silent bug and a rule look the same, in logs and in tests.
package inbound
