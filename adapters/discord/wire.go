package discord

import (
	"encoding/json"
	"strings"
	"time"

	"talaria/adapters/wire"
)

// dispatch is one payload of the gateway
// (discord.com/developers/docs/events/gateway-events#payload-structure).
type dispatch struct {
	Op   int             `json:"op"`
	Type string          `json:"t"`
	Seq  int64           `json:"s"`
	Data json.RawMessage `json:"d"`
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

// instant reads a time of the platform's; one that can't be read is unknown.
func instant(s string) time.Time {
	at, err := time.Parse(time.RFC3339, s)
	if err != nil || at.Year() < 1 || at.Year() > 9999 {
		return time.Time{}
	}
	return at.UTC()
}

type user struct {
	ID     snowflake          `json:"id"`
	Name   wire.Maybe[string] `json:"username"`
	Global wire.Maybe[string] `json:"global_name"`
	Bot    wire.Maybe[bool]   `json:"bot"`
	System wire.Maybe[bool]   `json:"system"`
}

func (u user) name() string {
	if g := u.Global.Or(); g != "" {
		return g
	}
	return u.Name.Or()
}

type member struct {
	User    wire.Maybe[user]        `json:"user"`
	Nick    wire.Maybe[string]      `json:"nick"`
	Pending wire.Maybe[bool]        `json:"pending"`
	Roles   wire.Maybe[[]snowflake] `json:"roles"`
	Silent  wire.Maybe[string]      `json:"communication_disabled_until"`
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
	ID     snowflake          `json:"id"`
	Guild  snowflake          `json:"guild_id"`
	Type   wire.Maybe[int]    `json:"type"`
	Parent snowflake          `json:"parent_id"`
	Owner  snowflake          `json:"owner_id"`
	Name   wire.Maybe[string] `json:"name"`
}

func (c channel) isThread() bool { return isThread(c.Type.Or()) }

func isThread(kind int) bool { return kind >= newsThread && kind <= privateThread }

type attachment struct {
	ID    snowflake          `json:"id"`
	Name  wire.Maybe[string] `json:"filename"`
	Title wire.Maybe[string] `json:"title"`
	MIME  wire.Maybe[string] `json:"content_type"`
	Size  wire.Maybe[int64]  `json:"size"`
	URL   wire.Maybe[string] `json:"url"`
}

type embed struct {
	Type        wire.Maybe[string] `json:"type"`
	Title       wire.Maybe[string] `json:"title"`
	Description wire.Maybe[string] `json:"description"`
	Fields      wire.Maybe[[]struct {
		Name  wire.Maybe[string] `json:"name"`
		Value wire.Maybe[string] `json:"value"`
	}] `json:"fields"`
}

type sticker struct {
	Name wire.Maybe[string] `json:"name"`
}

type poll struct {
	Question wire.Maybe[pollText] `json:"question"`
	Answers  wire.Maybe[[]struct {
		Media wire.Maybe[pollText] `json:"poll_media"`
	}] `json:"answers"`
}

type pollText struct {
	Text wire.Maybe[string] `json:"text"`
}

type reference struct {
	Type    wire.Maybe[int] `json:"type"`
	Message snowflake       `json:"message_id"`
	Channel snowflake       `json:"channel_id"`
}

// content is what a message and the snapshot of a forwarded one have in common.
type content struct {
	Text         wire.Maybe[string]          `json:"content"`
	Mentions     wire.Maybe[[]mentioned]     `json:"mentions"`
	MentionRoles wire.Maybe[[]snowflake]     `json:"mention_roles"`
	Attachments  wire.Maybe[[]attachment]    `json:"attachments"`
	Embeds       wire.Maybe[[]embed]         `json:"embeds"`
	Stickers     wire.Maybe[[]sticker]       `json:"sticker_items"`
	Poll         wire.Maybe[poll]            `json:"poll"`
	Components   wire.Maybe[json.RawMessage] `json:"components"`
	Channels     wire.Maybe[[]channel]       `json:"mention_channels"`
}

type mentioned struct {
	user
	Member wire.Maybe[member] `json:"member"`
}

type snapshot struct {
	Message wire.Maybe[content] `json:"message"`
}

// message is a Message. An update of one may hold any part of it.
type message struct {
	content
	ID          snowflake              `json:"id"`
	Channel     snowflake              `json:"channel_id"`
	Guild       snowflake              `json:"guild_id"`
	ChannelType wire.Maybe[int]        `json:"channel_type"`
	Type        wire.Maybe[int]        `json:"type"`
	Author      wire.Maybe[user]       `json:"author"`
	Member      wire.Maybe[member]     `json:"member"`
	Webhook     snowflake              `json:"webhook_id"`
	At          wire.Maybe[string]     `json:"timestamp"`
	Edited      json.RawMessage        `json:"edited_timestamp"`
	Nonce       wire.Maybe[string]     `json:"nonce"`
	Flags       wire.Maybe[int64]      `json:"flags"`
	Reference   wire.Maybe[reference]  `json:"message_reference"`
	Referenced  wire.Maybe[message]    `json:"referenced_message"`
	Snapshots   wire.Maybe[[]snapshot] `json:"message_snapshots"`
}

// wasEdited reports whether the text is not what was first sent, as that of a
// message that is read back may not be.
func (m *message) wasEdited() bool { return len(m.Edited) > 0 && string(m.Edited) != "null" }

// reaction is what MESSAGE_REACTION_ADD and _REMOVE tell.
type reaction struct {
	User    snowflake          `json:"user_id"`
	Channel snowflake          `json:"channel_id"`
	Message snowflake          `json:"message_id"`
	Guild   snowflake          `json:"guild_id"`
	Member  wire.Maybe[member] `json:"member"`
	Emoji   struct {
		Name wire.Maybe[string] `json:"name"`
		ID   snowflake          `json:"id"`
	} `json:"emoji"`
}

// interaction is an Interaction
// (discord.com/developers/docs/interactions/receiving-and-responding).
type interaction struct {
	ID      snowflake           `json:"id"`
	App     snowflake           `json:"application_id"`
	Type    int                 `json:"type"`
	Token   wire.Maybe[string]  `json:"token"`
	Guild   snowflake           `json:"guild_id"`
	Channel snowflake           `json:"channel_id"`
	Where   wire.Maybe[channel] `json:"channel"`
	Member  wire.Maybe[member]  `json:"member"`
	User    wire.Maybe[user]    `json:"user"`
	Locale  wire.Maybe[string]  `json:"locale"`
	Context wire.Maybe[int]     `json:"context"`
	Message wire.Maybe[message] `json:"message"`
	Data    interactionData     `json:"data"`
}

type interactionData struct {
	Name       wire.Maybe[string]          `json:"name"`
	Type       wire.Maybe[int]             `json:"type"`
	Options    wire.Maybe[[]option]        `json:"options"`
	CustomID   wire.Maybe[string]          `json:"custom_id"`
	Values     wire.Maybe[[]string]        `json:"values"`
	Components wire.Maybe[json.RawMessage] `json:"components"`
}

type option struct {
	Name    string               `json:"name"`
	Type    int                  `json:"type"`
	Value   json.RawMessage      `json:"value"`
	Options wire.Maybe[[]option] `json:"options"`
	Focused wire.Maybe[bool]     `json:"focused"`
}

// value is the option's value as its author typed it.
func (o option) value() string {
	var s string
	if json.Unmarshal(o.Value, &s) == nil {
		return s
	}
	return strings.TrimSpace(string(o.Value))
}
