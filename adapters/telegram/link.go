package telegram

import (
	"strings"

	"talaria/core/chat"
)

var _ chat.Linker = (*Adapter)(nil)

// Link implements chat.Linker. Only messages of supergroups and channels,
// whose ids begin with -100, have addresses: t.me/c/ID[/TOPIC]/MESSAGE
// (https://core.telegram.org/api/links#message-links).
func (a *Adapter) Link(at chat.Address, message string) string {
	id, ok := strings.CutPrefix(at.Chat, "-100")
	if !ok || id == "" || message == "" {
		return ""
	}
	if at.Thread != "" {
		id += "/" + at.Thread
	}
	return "https://t.me/c/" + id + "/" + message
}
