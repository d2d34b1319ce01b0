package slack

import (
	"encoding/json"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// Platform is the adapter's name in addresses.
const Platform = "slack"

// Normalize replays one line of recorded deliveries (see inbound.Request) and
// returns what they come to. It is the code that Run uses, without network and
// without a store.
func Normalize(line []byte) (any, error) {
	answer, err := inbound.ReplayLine(line, normalizer{})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// rehearsed is the account that deliveries were recorded for where they don't
// name another.
var rehearsed = account{team: "T0TEAM0001", user: "U0BOT00001", bot: "B0BOT00001", app: "A0APP00001"}

// normalizer is the pure part of the adapter as inbound.Replay wants it.
type normalizer struct{}

// Normalize implements inbound.Normalizer.
func (normalizer) Normalize(raw json.RawMessage, known inbound.Knowledge) inbound.Item {
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
