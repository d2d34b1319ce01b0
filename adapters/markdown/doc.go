// Package markdown turns the Markdown that a model writes into what Slack,
// Discord, Telegram and a terminal can show: split into messages that each
// platform takes, with nothing in them that pings, previews or runs.
//
// It is pure: no network, no clock, no state. It does not know adapters, and
// it does not read what people write on the platforms; that is theirs.
//
// An answer goes through four steps. Goldmark parses it (parse.go), with
// parsers of our own for emphasis beside Chinese or Japanese text, bare
// addresses and HTML tags. It is laid out as lines of styled spans
// (flatten.go, inline.go, table.go), where bullets, numbers and indentation
// are text already and a line knows the quote or code block that it is in. The
// lines are dealt out to messages (split.go). Each run of lines is written as
// a message of its own by the form of the platform: telegram.go, or pen.go
// with the dialect in slack.go or discord.go.
//
// # Decisions
//
// Splitting comes before writing, not after. A splitter of finished text has
// to know where fences, marks, links and escapes begin and end, and to repair
// what it cuts. This one asks the form whether a run of lines fits, so lengths
// are measured as the platform measures them, closers and all, and every
// message is well formed because it was written whole. The price is that a
// long answer is written several times over, about a millisecond a message.
//
// Telegram gets text and entities, never MarkdownV2 or HTML: there is nothing
// to escape, and no text that a server's parser could refuse.
//
// Slack gets mrkdwn, not its newer markdown block: blocks have an undocumented
// limit on their sum, and a search or a notification shows the text anyway.
//
// There are no HTML blocks. Models write <details> and <br> among Markdown and
// mean the Markdown inside to be read; they also write List<int>. A few tags
// are understood, any other is the text it is.
//
// A line end stays a line end, where CommonMark makes a blank of it: in a chat
// people see lines, and models write for that.
//
// Hostile or huge answers are bounded, not refused: nesting, marks per
// paragraph and table sizes have limits past which markup is text, and what
// would take more than twenty messages goes along as a file.
package markdown
