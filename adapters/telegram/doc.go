// Package telegram connects a bot account on Telegram. It turns updates into
// chat.Events, payloads into calls of the Bot API, and refusals into kinds of
// chat.Error. It decides nothing about who may speak or when to try again.
//
// # Setting up
//
// Make a bot with @BotFather and put its token into the configuration. In
// groups a bot hears only commands and replies to it, unless privacy mode is
// turned off (/setprivacy, then add the bot again) or it is an administrator.
// Being an administrator also lets it see who comes and goes. It needs no
// other right than to send messages.
//
// Updates come by polling, which needs no public address and may be done by
// one program at a time, or by webhook: then Adapter is the http.Handler for
// the path of Config.WebhookURL, and Run tells Telegram so.
//
// # Limits
//
// A text has 4096 UTF-16 units and a hundred entities, a button 64 bytes of
// data, a file 50 MB out and 20 MB in. About one message or edit a second may
// go into a chat, 20 a minute into a group, 30 a second altogether. See
// https://core.telegram.org/bots/api and https://core.telegram.org/bots/faq.
//
// # Decisions
//
// telebot speaks the Bot API and gives the types; receiving is ours. Its
// poller moves the offset before an update is handled, polls without a pause
// while it is refused, and drops kinds that it does not know without a word.
// Its calls take no context and put the token into their errors, so a bot of
// telebot's is made for each call (a few microseconds) over a transport that holds
// the call's context; the transport also sees whether the request was on the
// wire, which tells a call without effect from one of unknown outcome.
//
// The offset confirms updates only up to the lowest one that is not kept.
// Updates of different chats are handed over side by side, those of one chat
// in order. An event that is refused again and again while others are kept is
// parked in the adapter's checkpoint, since Telegram can't set one aside: the
// road not taken, confirming it after some attempts, loses it.
//
// Telegram sends an album as separate messages and never says how many. Parts
// are gathered until a pause, and confirmed together. To a webhook Telegram
// posts a chat's next update only after the one before was taken, so there
// the parts of an album stay separate events: acknowledging a part before it
// is kept, to get the next, could lose it.
//
// In private chats an answer grows in a draft (sendMessageDraft, Bot API 9.3),
// which passes by itself within half a minute; where that is refused, and in
// groups, it grows by edits of the placeholder. Also where a draft was shown the
// answer goes out as a placeholder and an edit: a draft can't be made a message,
// and a message sent whole could not be told from one that was lost.
//
// A press is held for some seconds, until what comes of it is said, its card
// changes or an answer is on its way: the answer to a press is the only thing in a
// group that one person alone sees, and there is only one. Answering first and
// without words, so that no client waits, would have everybody read who may not
// press what.
//
// Menus are kept by scope and language: what needs a direct conversation is left
// out in groups.
//
// Text goes out with entities and never with a parse mode: there is nothing to
// escape, and nothing a model writes can become markup by accident.
package telegram
