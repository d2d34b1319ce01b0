// Package modeltest is a scripted model endpoint for tests, benchmarks and
// fault drills. It speaks both real wire formats, POST /v1/chat/completions
// and POST /v1/messages, streamed or not, over a real socket.
//
// A Script decides what is answered: step by step (Steps), or as a function of
// the request (Echo, or your own). An Answer is text in pieces, tool calls with
// their arguments split anywhere, usage, and what may go wrong on the way:
// vendors' errors, delays, stalls, cut connections, garbage, huge answers.
//
// Requests are checked as strictly as the vendors document it, and refused
// with the vendors' words, so that a malformed history turns a test red. What
// was asked can be looked at with Requests.
//
// Embeddings is an endpoint for vectors in which given words mean the same.
//
// It is no emulator: it knows nothing of models, limits or prices, and checks
// only what a chat with tools can send.
package modeltest
