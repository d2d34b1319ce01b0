package slack

import (
	"net/url"
	"strings"

	"talaria/core/chat"
)

var _ chat.Linker = (*Adapter)(nil)

// Link implements chat.Linker. The workspace's own address comes with the
// bot's identity; until that is known, and for other workspaces, there is none.
func (a *Adapter) Link(at chat.Address, message string) string {
	me := a.identity()
	if me.site == "" || at.Workspace != me.team || message == "" {
		return ""
	}
	link := strings.TrimSuffix(me.site, "/") + "/archives/" + url.PathEscape(at.Chat) + "/p" + strings.ReplaceAll(message, ".", "")
	if at.Thread != "" && at.Thread != message {
		link += "?" + url.Values{"thread_ts": {at.Thread}, "cid": {at.Chat}}.Encode()
	}
	return link
}
