package discord

import (
	"cmp"

	"talaria/core/chat"
)

var _ chat.Linker = (*Adapter)(nil)

// Link implements chat.Linker. A thread is a channel of its own, and direct
// conversations belong to the server "@me".
func (a *Adapter) Link(at chat.Address, message string) string {
	if at.Chat == "" || message == "" {
		return ""
	}
	return "https://discord.com/channels/" + cmp.Or(at.Workspace, "@me") + "/" + cmp.Or(at.Thread, at.Chat) + "/" + message
}
