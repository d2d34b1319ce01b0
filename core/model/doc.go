// Package model has what lies between the agent and the providers: the Chain,
// which makes several models that may fail one that seldom does.
//
// The providers are packages of their own: openai and anthropic speak to
// endpoints over wire; rehearsal is built in and asks nobody; modeltest is the
// scripted endpoint of the tests.
//
// # Decisions
//
// The Chain tries again only while nothing of an answer was passed on. Words
// that a person has seen cannot be unsaid by another model's; after the first
// one a fault goes to the agent loop, which knows what was shown.
//
// A request that a model refuses as it is, and one that is too long, go back to
// the agent loop too and not to the next model: the first would hide a fault of
// ours, the second is answered by compaction.
package model
