package inbound

import (
	"encoding/json"

	"talaria/core/chat"
)

// Normalizer is one platform's pure part, which needs no network and no store.
type Normalizer interface {
	// Normalize says what one raw event comes to. It never fails: what can't
	// be read is dropped with a reason.
	Normalize(raw json.RawMessage, known Known) Item
	// Merge makes one event of the parts of a group, in order of arrival.
	Merge(parts []chat.Event) chat.Event
	// Chat is how the platform's chats are written outside of addresses.
	Chat(a chat.Address) string
}

// Known is what a raw event leaves out and a running adapter would have asked
// its platform for.
type Known struct {
	Self     Account                    `json:"self"`     // the bot's own account, where it isn't the usual one
	Users    map[string]string          `json:"users"`    // display names by id
	Channels map[string]json.RawMessage `json:"channels"` // the platform's own facts by channel
	OwnRole  string                     `json:"own_role"`
}

// Account is a bot's own account on its platform.
type Account struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}
