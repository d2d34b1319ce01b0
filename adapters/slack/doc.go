// Package slack connects an app in a Slack workspace. It turns deliveries into
// chat.Events, payloads into calls of the Web API, and refusals into kinds of
// chat.Error. It decides nothing about who may speak or when to try again.
//
// # Setting up
//
// Make an app at api.slack.com/apps from what Manifest writes and install it
// into one workspace. Check names scopes that its bot token lacks. No user
// token is ever needed. The manifest asks for Slack's assistant_view: in the
// newer agent_view there are no threads whose prompts could be set.
//
// Deliveries come by Socket Mode, which needs no public address and an
// app-level token with connections:write, or by the Events API over HTTP: then
// Adapter is the http.Handler for all request URLs, and the signing secret is
// needed. Any number of replicas may run with either.
//
// # Limits
//
// A text has 4000 bytes (Slack takes longer ones, but not in an edit), a
// section of blocks 3000 characters. About one message a second may go into a
// channel and 50 edits a minute into a workspace. A delivery has to be
// acknowledged within three seconds. At most ten sockets may be open. See
// https://docs.slack.dev/apis/web-api/rate-limits and .../apis/events-api.
//
// # Decisions
//
// slack-go speaks the Web API, verifies signatures and gives the types of
// blocks; receiving is ours. Its Socket Mode client does not acknowledge an
// event of a kind that it does not know (Slack then sends it again and may
// switch the app off), decodes strictly, so that one new field loses a
// message, and closes a socket before it opens the next. A client of slack-go's
// is made for each call over a transport that records the exchange: whether
// the request was on the wire, which tells a call without effect from one of
// unknown outcome, and the answer as it came, which slack-go may be unable to
// decode.
//
// Slack has no idempotency key, so each message carries its key as metadata
// and is looked for there before it is sent again (Find). The road not taken,
// a placeholder that the answer is put into by an edit, notifies people with a
// text that says nothing. Files and private messages carry no metadata; where
// their outcome is unknown it stays so.
//
// An event that can't be kept is tried again for about three seconds while its
// channel waits, since Slack sends the next ones meanwhile. Then it is left
// unacknowledged, and Slack sends it again.
//
// After a time in which nobody listened, the conversations that the bot was
// last spoken to in are read from where it had heard them: Slack gives a
// delivery up after some six minutes. The checkpoint holds these places and no
// events, so replicas may share it without a lease.
//
// A growing answer in a thread is shown by Slack's own stream, elsewhere and
// wherever Slack refuses one by edits. A stream begins without metadata and can't
// be told to show no previews, so it ends by an edit that puts in the answer as it
// was rendered, with its key; it holds nothing that Slack would fetch, or that may
// be a mention, and from the first such thing on the answer is edited. What a
// crash left of one is known by having no key: the bot's answers in a thread are
// written one after the other. In a channel only the person who asked sees it
// grow; that is the price of what they see.
//
// What Slack tells of where the person of an assistant thread looks is not used.
// A Home tab and the prompts of such a thread are pushed (ShowHome, Suggest) and
// never kept here; a press in the tab names no channel, so the tab carries it.
//
// ReplyTo is not used: Slack knows no replies beside threads, and
// chat.Address.Thread names the thread.
package slack
