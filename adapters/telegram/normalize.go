package telegram

import (
	"encoding/json"
	"strconv"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// Normalize replays one line of recorded updates (see inbound.Request) and
// returns what they come to. It is the code that Run uses, without network and
// without a store.
func Normalize(line []byte) (any, error) {
	answer, err := inbound.ReplayLine(line, normalizer{})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// rehearsed is the account that updates were recorded for where they don't
// name another.
var rehearsed = account{id: 7000000001, name: "talaria_test_bot"}

// normalizer is the pure part of the adapter as inbound.Replay wants it.
type normalizer struct{}

// Normalize implements inbound.Normalizer.
func (normalizer) Normalize(raw json.RawMessage, known inbound.Knowledge) inbound.Item {
	me := rehearsed
	if id, err := strconv.ParseInt(known.Self.ID, 10, 64); err == nil {
		me = account{id: id, name: known.Self.Name}
	}
	return normalize(raw, me)
}

// Merge implements inbound.Normalizer.
func (normalizer) Merge(parts []chat.Event) chat.Event { return mergeAlbum(parts) }

// Chat implements inbound.Normalizer: Telegram's chat ids are global.
func (normalizer) Chat(a chat.Address) string { return a.Chat }
