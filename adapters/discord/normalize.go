package discord

import (
	"encoding/json"
	"strings"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// Platform is the adapter's name in addresses.
const Platform = "discord"

// Normalizer reads recorded dispatches by the code that Run uses, without network
// and without a store.
func Normalizer() inbound.Normalizer { return normalizer{} }

// rehearsed is the account that dispatches were recorded for where they don't
// name another.
const rehearsed = "900000000000000001"

// normalizer is the pure part of the adapter.
type normalizer struct{}

// Normalize implements inbound.Normalizer.
func (normalizer) Normalize(raw json.RawMessage, known inbound.Known) inbound.Item {
	item := normalize(raw, sceneOf(known))
	for n, a := range item.Event.Attachments { // recorded events name a file by its own id
		item.Event.Attachments[n].Ref = a.Ref[strings.LastIndexByte(a.Ref, '/')+1:]
	}
	return item
}

func sceneOf(known inbound.Known) scene {
	s := scene{
		me:   rehearsed,
		role: func(string) string { return known.OwnRole },
		user: func(id string) string { return known.Users[id] },
		channel: func(id string) (channel, bool) {
			var c channel
			raw, there := known.Channels[id]
			return c, there && json.Unmarshal(raw, &c) == nil
		},
	}
	if known.Self.ID != "" {
		s.me = known.Self.ID
	}
	return s
}

// Merge implements inbound.Normalizer. Discord sends the files of a message
// with it, so nothing is ever gathered.
func (normalizer) Merge(parts []chat.Event) chat.Event { return parts[0] }

// Chat implements inbound.Normalizer: the server and the channel.
func (normalizer) Chat(a chat.Address) string {
	if a.Workspace == "" {
		return "@dm/" + a.Chat
	}
	return a.Workspace + "/" + a.Chat
}
