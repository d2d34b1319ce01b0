// Package slack simulates Slack on loopback, for tests, load and kill runs: the
// Web API, Socket Mode and the Events API over HTTP. It is a real HTTP and
// WebSocket server that enforces the rules which docs.slack.dev documents, and
// it keeps a log of the truth: what was said, offered and acknowledged, every
// message of the bot with all its versions, every refused call, and every
// breach (a call that Slack would take but that ours must never make).
//
// It knows nothing of the program under test and imports none of it, so that
// the two can't share a misunderstanding. People's side is driven by methods
// such as Say and Press; what came of it is waited for with Await, never by
// sleeping.
//
// # Rules
//
// What a person says in a channel is an event, and another one of the type
// app_mention where it mentions the bot; the bot's own messages are events too.
// Each is given to one of at most ten open sockets, or posted to the callback
// with a signature, one after the other for a channel. What is not acknowledged
// in time comes again: at once, after a minute and after five, which Options
// shortens. Without an open socket events wait.
//
// A text has up to 40,000 characters, one put in by an edit 4,000; blocks and
// forms keep the limits of Block Kit; a thread's root must be there. A
// channel takes about one message a second and the workspace 50 edits a minute,
// then 429 with Retry-After; other methods have their tiers. A token may come in
// the header or in the form, and methods want their scopes.
//
// A stream replies to somebody, who alone sees it grow; while it is open it takes
// no edit, and Slack closes it by itself. What is streamed has up to 12,000
// characters a call. An assistant thread suggests up to four prompts, a Home tab
// has up to 100 blocks.
//
// # Decisions
//
// Addresses for sockets, uploads and files have the host that calls go to,
// since client libraries give their token to no other. Any Origin is taken:
// slack-go sends that of Slack's own site.
package slack
