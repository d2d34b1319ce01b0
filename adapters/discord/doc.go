// Package discord connects a bot account on Discord. It turns dispatches of
// the gateway into chat.Events, payloads into calls of the REST API, and
// refusals into kinds of chat.Error. It decides nothing about who may speak or
// when to try again.
//
// # Setting up
//
// Make an application in the developer portal, add a bot and put its token
// into the configuration. Under Bot turn on Message Content Intent; without it
// Discord refuses the connection, and Run says so. Invite the bot with the
// scopes bot and applications.commands and the permissions View Channels, Send
// Messages, Send Messages in Threads, Read Message History and Attach Files.
// It never needs Administrator or Mention Everyone.
//
// # Limits
//
// A message has 2000 code points, five rows of five buttons (of more, the rest
// are in a select) and a file of 10 MB; an application has a hundred commands,
// and its interactions want a first response within three seconds and can be
// answered for fifteen minutes. Rates are told with each answer; ten thousand
// refused calls in ten minutes, or a thousand new sessions in a day, shut the bot
// out. See
// https://discord.com/developers/docs/topics/rate-limits.
//
// # Decisions
//
// discordgo gives the addresses, makes the requests and the forms; receiving
// is ours. Its gateway can't take over the session of another replica (the
// session's id is hidden in it), ignores the address to resume at, reconnects
// for ever after a refused token, waits five heartbeats before it gives up a
// dead connection, blocks without a deadline on a silent server, and decodes a
// message that holds one unknown component to an empty one. The road not
// taken, its gateway with raw handlers and a supervisor around it, would have
// left the first of these and half of the others.
//
// Each call has a bucket of its own in the library, since waiting for one
// heeds no context and makes overlapping calls stand in line. What the headers
// say is kept here, and a call that would be refused is refused without being
// made, with the time to wait: the outbox decides what to do meanwhile.
//
// The gateway is told (by heartbeats and when resuming) the number up to which
// all dispatches are kept, not the last one received. What a crash left
// unkept comes again, and what can't be kept for a while is left to Discord
// rather than to memory. Where the session is lost too, the messages since the
// last one that is known are fetched, channel by channel, before newer ones
// are handed over. A channel that was never heard of before cannot be found
// that way.
//
// A message carries a nonce made of the outbox's key, which Discord enforces
// for a few minutes; after that it is read back. Nonces are not told then, so
// it is known by its author, what it replies to and what it says; two that
// look alike are of unknown outcome rather than one taken for the other.
//
// A menu's verbs are sub-commands and its options native ones; what is entered
// is put together to what would have been typed, so there is one reading of a
// command. A command whose form Discord would refuse takes one text instead, and
// verbs beyond the 25th share a sub-command: one such command would have all
// refused. Completions are answered by the chat.Door and are never kept.
//
// A slash command is deferred at once, in a server so that its author alone
// sees the answer. The answer is put in by an edit, which can be repeated.
// Parts that follow it have no idempotency key at Discord: a crash between
// sending one and recording it may show it to that person twice.
//
// Mentions notify nobody, previews are off, on every message and edit: nothing
// that a model writes can reach beyond the place that it is written in.
package discord
