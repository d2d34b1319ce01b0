// Package markdown turns the Markdown that a model writes into what Slack,
// Discord, Telegram and a terminal can show.
package markdown
