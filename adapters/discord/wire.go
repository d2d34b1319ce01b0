package discord

import (
	"encoding/json"
	"strings"
	"time"
)

// dispatch is one payload of the gateway
// (discord.com/developers/docs/events/gateway-events#payload-structure).
type dispatch struct {
	Op   int             `json:"op"`
	Type string          `json:"t"`
	Seq  int64           `json:"s"`
	Data json.RawMessage `json:"d"`
}

// maybe is a part of an event that may be absent, or may have changed its
// shape: then it alone is lost and not the whole event. The library decodes a
// message with a single unknown component to an empty one.
type maybe[T any] struct{ is *T }

// UnmarshalJSON implements json.Unmarshaler.
func (m *maybe[T]) UnmarshalJSON(data []byte) error {
	v := new(T)
	if string(data) != "null" && json.Unmarshal(data, v) == nil {
		m.is = v
	}
	return nil
}

// or returns the part, or T's zero value.
func (m maybe[T]) or() (v T) {
	if m.is != nil {
		v = *m.is
	}
	return v
}

// snowflake is an id: 64 bits in decimal, which no float holds. Anything else
// reads as none.
type snowflake string

// UnmarshalJSON implements json.Unmarshaler.
func (s *snowflake) UnmarshalJSON(data []byte) error {
	*s = ""
	if id := strings.Trim(string(data), `"`); isID(id) {
		*s = snowflake(id)
	}
	return nil
}

// String returns the digits.
func (s snowflake) String() string { return string(s) }

func isID(s string) bool {
	return s != "" && len(s) <= 20 && strings.Trim(s, "0123456789") == ""
}

// older orders ids, which ascend with time, without reading them as numbers.
func older(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// instant reads a time of the platform's; one that can't be read is unknown.
func instant(s string) time.Time {
	at, err := time.Parse(time.RFC3339, s)
	if err != nil || at.Year() < 1 || at.Year() > 9999 {
		return time.Time{}
	}
	return at.UTC()
}

type user struct {
	ID     snowflake     `json:"id"`
	Name   maybe[string] `json:"username"`
	Global maybe[string] `json:"global_name"`
	Bot    maybe[bool]   `json:"bot"`
	System maybe[bool]   `json:"system"`
}

func (u user) name() string {
	if g := u.Global.or(); g != "" {
		return g
	}
	return u.Name.or()
}

type member struct {
	User    maybe[user]        `json:"user"`
	Nick    maybe[string]      `json:"nick"`
	Pending maybe[bool]        `json:"pending"`
	Roles   maybe[[]snowflake] `json:"roles"`
	Silent  maybe[string]      `json:"communication_disabled_until"`
}

// The sorts of channels that matter here
// (discord.com/developers/docs/resources/channel#channel-object-channel-types).
const (
	groupChannel   = 3
	newsThread     = 10
	publicThread   = 11
	privateThread  = 12
	replyToMessage = 19
	forwarding     = 1 // of a message_reference
)

// channel is what is known of a channel or thread.
type channel struct {
	ID     snowflake     `json:"id"`
	Guild  snowflake     `json:"guild_id"`
	Type   maybe[int]    `json:"type"`
	Parent snowflake     `json:"parent_id"`
	Owner  snowflake     `json:"owner_id"`
	Name   maybe[string] `json:"name"`
}

func (c channel) isThread() bool { return isThread(c.Type.or()) }

func isThread(kind int) bool { return kind >= newsThread && kind <= privateThread }

type attachment struct {
	ID    snowflake     `json:"id"`
	Name  maybe[string] `json:"filename"`
	Title maybe[string] `json:"title"`
	MIME  maybe[string] `json:"content_type"`
	Size  maybe[int64]  `json:"size"`
	URL   maybe[string] `json:"url"`
}

type embed struct {
	Type        maybe[string] `json:"type"`
	Title       maybe[string] `json:"title"`
	Description maybe[string] `json:"description"`
	Fields      maybe[[]struct {
		Name  maybe[string] `json:"name"`
		Value maybe[string] `json:"value"`
	}] `json:"fields"`
}

type sticker struct {
	Name maybe[string] `json:"name"`
}

type poll struct {
	Question maybe[pollText] `json:"question"`
	Answers  maybe[[]struct {
		Media maybe[pollText] `json:"poll_media"`
	}] `json:"answers"`
}

type pollText struct {
	Text maybe[string] `json:"text"`
}

type reference struct {
	Type    maybe[int] `json:"type"`
	Message snowflake  `json:"message_id"`
	Channel snowflake  `json:"channel_id"`
}

// content is what a message and the snapshot of a forwarded one have in common.
type content struct {
	Text         maybe[string]          `json:"content"`
	Mentions     maybe[[]mentioned]     `json:"mentions"`
	MentionRoles maybe[[]snowflake]     `json:"mention_roles"`
	Attachments  maybe[[]attachment]    `json:"attachments"`
	Embeds       maybe[[]embed]         `json:"embeds"`
	Stickers     maybe[[]sticker]       `json:"sticker_items"`
	Poll         maybe[poll]            `json:"poll"`
	Components   maybe[json.RawMessage] `json:"components"`
	Channels     maybe[[]channel]       `json:"mention_channels"`
}

type mentioned struct {
	user
	Member maybe[member] `json:"member"`
}

type snapshot struct {
	Message maybe[content] `json:"message"`
}

// message is a Message. An update of one may hold any part of it.
type message struct {
	content
	ID          snowflake         `json:"id"`
	Channel     snowflake         `json:"channel_id"`
	Guild       snowflake         `json:"guild_id"`
	ChannelType maybe[int]        `json:"channel_type"`
	Type        maybe[int]        `json:"type"`
	Author      maybe[user]       `json:"author"`
	Member      maybe[member]     `json:"member"`
	Webhook     snowflake         `json:"webhook_id"`
	At          maybe[string]     `json:"timestamp"`
	Edited      json.RawMessage   `json:"edited_timestamp"`
	Nonce       maybe[string]     `json:"nonce"`
	Flags       maybe[int64]      `json:"flags"`
	Reference   maybe[reference]  `json:"message_reference"`
	Referenced  maybe[message]    `json:"referenced_message"`
	Snapshots   maybe[[]snapshot] `json:"message_snapshots"`
}

// reaction is what MESSAGE_REACTION_ADD and _REMOVE tell.
type reaction struct {
	User    snowflake     `json:"user_id"`
	Channel snowflake     `json:"channel_id"`
	Message snowflake     `json:"message_id"`
	Guild   snowflake     `json:"guild_id"`
	Member  maybe[member] `json:"member"`
	Emoji   struct {
		Name maybe[string] `json:"name"`
		ID   snowflake     `json:"id"`
	} `json:"emoji"`
}

// interaction is an Interaction
// (discord.com/developers/docs/interactions/receiving-and-responding).
type interaction struct {
	ID      snowflake       `json:"id"`
	App     snowflake       `json:"application_id"`
	Type    int             `json:"type"`
	Token   maybe[string]   `json:"token"`
	Guild   snowflake       `json:"guild_id"`
	Channel snowflake       `json:"channel_id"`
	Where   maybe[channel]  `json:"channel"`
	Member  maybe[member]   `json:"member"`
	User    maybe[user]     `json:"user"`
	Locale  maybe[string]   `json:"locale"`
	Context maybe[int]      `json:"context"`
	Message maybe[message]  `json:"message"`
	Data    interactionData `json:"data"`
}

type interactionData struct {
	Name       maybe[string]          `json:"name"`
	Type       maybe[int]             `json:"type"`
	Options    maybe[[]option]        `json:"options"`
	CustomID   maybe[string]          `json:"custom_id"`
	Values     maybe[[]string]        `json:"values"`
	Components maybe[json.RawMessage] `json:"components"`
}

type option struct {
	Name    string          `json:"name"`
	Type    int             `json:"type"`
	Value   json.RawMessage `json:"value"`
	Options maybe[[]option] `json:"options"`
	Focused maybe[bool]     `json:"focused"`
}

// value is the option's value as its author typed it.
func (o option) value() string {
	var s string
	if json.Unmarshal(o.Value, &s) == nil {
		return s
	}
	return strings.TrimSpace(string(o.Value))
}
