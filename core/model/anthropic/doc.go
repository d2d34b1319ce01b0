// Package anthropic makes a model behind Anthropic's Messages API an
// agent.Model, over the vendor's SDK.
//
// It streams, has tools, prefix and history cached by the provider, shows
// images, counts cached tokens as the agent does, keeps signed thoughts for the
// next call of the same model in Message.Opaque, notices cut streams and turns
// every failure into a *agent.ModelError. It does not retry (package model
// does); the SDK's own retries, its reading of the environment and its
// telemetry are off.
//
// # Decisions
//
// An answer is whole when message_stop came, the vendor's own end mark.
//
// Three places are marked for caching of the four that the API allows: the last
// tool, the prefix, and the last block of the history. The API finds the
// longest earlier mark by itself, so older marks need not be repeated.
//
// The SDK's accumulator is not used: it copies all text so far on every piece,
// and refuses to go on after broken arguments.
package anthropic
