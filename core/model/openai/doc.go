// Package openai makes any endpoint that speaks OpenAI's Chat Completions
// format an agent.Model: OpenAI itself, other vendors' compatible endpoints,
// gateways, and local servers of open models.
//
// It streams, gathers tool calls however they are cut up, reports usage with
// cached tokens, shows images as data URLs, notices cut streams and turns every
// failure into a *agent.ModelError. It does not retry (package model does), and
// shows nothing of a model's reasoning, which this format has no way to take
// back.
//
// # Decisions
//
// An answer is whole when a finish_reason came, and only then: the closing
// [DONE] alone is also what some proxies send after a provider behind them
// broke off.
//
// The output limit is sent as max_completion_tokens to OpenAI and for its newer
// models, else as max_tokens. The older name is refused by those models, the
// newer one unknown to many other servers.
//
// Requests are encoded and events read here, with the library's types for what
// they hold, and not by the library's client: that encodes every message and
// tool by itself and then reads the whole request twice more, which took four
// times the CPU time and memory of this, a seventh of all that a short exchange
// costs (see BenchmarkEncode). The tools of the request before are kept encoded.
//
// Tool calls whose arguments are no JSON are passed on as they are, except in an
// answer cut off by the length limit, where a call that is not whole was never
// meant.
package openai
