// Package discord connects a bot account on Discord. It turns dispatches of
// the gateway into chat.Events, payloads into calls of the REST API, and
// refusals into kinds of chat.Error. It decides nothing about who may speak or
// when to try again.
package discord
