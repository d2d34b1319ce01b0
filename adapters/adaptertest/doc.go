// Package adaptertest is the contract of chat.Adapter as tests. An adapter's
// conformance test describes a World (the adapter beside a simulator of its
// platform) and calls Run; a bug found in one adapter becomes a case for all.
//
// What a platform lacks is asked by the optional interfaces of core/chat, not
// by its name. The suite holds nothing that only one platform has; that is
// tested beside its adapter, with what is here for it: a Rig of the adapter and
// its simulator, a Log that can be waited on, a Checkpoint in memory, and Golden,
// which holds recorded raw events against what they come to.
package adaptertest
