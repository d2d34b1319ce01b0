package telegram

import (
	"encoding/json"
	"strconv"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// Normalizer reads recorded updates by the code that Run uses, without network
// and without a store.
func Normalizer() inbound.Normalizer { return normalizer{} }

// rehearsed is the account that updates were recorded for where they don't
// name another.
var rehearsed = account{id: 7000000001, name: "talaria_test_bot"}

// normalizer is the pure part of the adapter.
type normalizer struct{}

// Normalize implements inbound.Normalizer.
func (normalizer) Normalize(raw json.RawMessage, known inbound.Known) inbound.Item {
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
