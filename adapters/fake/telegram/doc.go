// Package telegram simulates the server of Telegram's Bot API on loopback, for
// tests, load and kill runs. It is a real HTTP server that enforces the rules
// which core.telegram.org/bots/api and the FAQ beside it document, and it
// keeps a log of the truth: what was said, offered and confirmed, every message
// of the bot with all its versions, every refused call, and every breach (a
// call that Telegram would take but that ours must never make).
//
// It knows nothing of the program under test and imports none of it, so that
// the two can't share a misunderstanding. People's side is driven by methods
// such as Say and Press; what came of it is waited for with Await, never by
// sleeping.
//
// # Rules
//
// An update is kept until getUpdates is called with an offset above it; one
// poller a bot, the older one is ended with 409; none while a webhook is set.
// A webhook is called with the secret header, one update of a chat at a time,
// and again until it answers 2xx. Texts have 1 to 4096 UTF-16 units, entities
// lie within them and the hundred first count, data of buttons has 1 to 64
// bytes, a press is answered once, within 15 seconds, by at most 200 units, files
// come by getFile up to 20 MB. Calls into one chat may come about once a second
// (with a small burst), 20 times a minute into a group, 30 times a second in all;
// edits share the budget; then 429 with retry_after. A draft has an id other than
// zero and is shown in a private chat, until the message is sent or half a minute
// passes. Commands are kept by scope and language.
//
// # Decisions
//
// State is locked chat by chat and answers are written by hand where they are
// short, since in load runs the simulator shares two cores with what it tests.
// A stand-in for the client library would be faster still, but then neither
// time-outs nor half-sent requests could be tried.
package telegram
