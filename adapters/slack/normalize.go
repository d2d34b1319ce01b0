package slack

import (
	"encoding/json"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// Platform is the adapter's name in addresses.
const Platform = "slack"

// Normalizer reads recorded deliveries by the code that Run uses, without network
// and without a store.
func Normalizer() inbound.Normalizer { return normalizer{} }

// rehearsed is the account that deliveries were recorded for where they don't
// name another.
var rehearsed = account{team: "T0TEAM0001", user: "U0BOT00001", bot: "B0BOT00001", app: "A0APP00001"}

// normalizer is the pure part of the adapter.
type normalizer struct{}

// Normalize implements inbound.Normalizer.
func (normalizer) Normalize(raw json.RawMessage, known inbound.Known) inbound.Item {
	me := rehearsed
	if known.Self.ID != "" {
		me = account{team: me.team, user: known.Self.ID}
	}
	return normalize(raw, me, known.Users)
}

// Merge implements inbound.Normalizer. Slack sends the files of a message with
// it, so nothing is ever gathered.
func (normalizer) Merge(parts []chat.Event) chat.Event { return parts[0] }

// Chat implements inbound.Normalizer.
func (normalizer) Chat(a chat.Address) string { return a.Workspace + "/" + a.Chat }
