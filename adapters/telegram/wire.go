package telegram

import (
	"encoding/json"

	"talaria/adapters/wire"

	tele "gopkg.in/telebot.v3"
)

// update is one Update of the Bot API. At most one of the kinds is there; a
// kind that is not named here is found by kindOf.
type update struct {
	ID       int64                  `json:"update_id"`
	Message  *message               `json:"message"`
	Edited   *message               `json:"edited_message"`
	Callback *callback              `json:"callback_query"`
	Mine     *tele.ChatMemberUpdate `json:"my_chat_member"`
	Member   *tele.ChatMemberUpdate `json:"chat_member"`
	Reaction *reaction              `json:"message_reaction"`
}

// message is a Message, cut down to what is read here. The leaves are
// telebot's; its Message itself has some ninety strict fields, each of which
// could make an update unreadable when the Bot API changes.
type message struct {
	ID         int64                 `json:"message_id"`
	ThreadID   int64                 `json:"message_thread_id"`
	InTopic    bool                  `json:"is_topic_message"`
	From       wire.Maybe[tele.User] `json:"from"`
	SenderChat wire.Maybe[tele.Chat] `json:"sender_chat"`
	Chat       tele.Chat             `json:"chat"`
	Date       int64                 `json:"date"`
	EditDate   int64                 `json:"edit_date"`
	ViaBot     wire.Maybe[tele.User] `json:"via_bot"`
	AlbumID    string                `json:"media_group_id"`
	Relayed    bool                  `json:"is_automatic_forward"`

	Text            string                    `json:"text"`
	Entities        wire.Maybe[tele.Entities] `json:"entities"`
	Caption         string                    `json:"caption"`
	CaptionEntities wire.Maybe[tele.Entities] `json:"caption_entities"`

	ReplyTo       wire.Maybe[message]       `json:"reply_to_message"`
	ExternalReply wire.Maybe[externalReply] `json:"external_reply"`
	Quote         wire.Maybe[textQuote]     `json:"quote"`

	Origin            wire.Maybe[tele.MessageOrigin] `json:"forward_origin"`
	ForwardDate       int64                          `json:"forward_date"` // before Bot API 7.0, as the next three
	ForwardFrom       wire.Maybe[tele.User]          `json:"forward_from"`
	ForwardFromChat   wire.Maybe[tele.Chat]          `json:"forward_from_chat"`
	ForwardSenderName string                         `json:"forward_sender_name"`

	Photo     wire.Maybe[[]photoSize] `json:"photo"`
	Animation wire.Maybe[fileInfo]    `json:"animation"`
	Audio     wire.Maybe[fileInfo]    `json:"audio"`
	Document  wire.Maybe[fileInfo]    `json:"document"`
	Video     wire.Maybe[fileInfo]    `json:"video"`
	VideoNote wire.Maybe[fileInfo]    `json:"video_note"`
	Voice     wire.Maybe[fileInfo]    `json:"voice"`
	Sticker   wire.Maybe[sticker]     `json:"sticker"`

	Contact  wire.Maybe[tele.Contact]  `json:"contact"`
	Location wire.Maybe[tele.Location] `json:"location"`
	Venue    wire.Maybe[tele.Venue]    `json:"venue"`
	Dice     wire.Maybe[tele.Dice]     `json:"dice"`
	Poll     wire.Maybe[poll]          `json:"poll"`

	MigrateTo    json.Number             `json:"migrate_to_chat_id"`
	MigrateFrom  json.Number             `json:"migrate_from_chat_id"`
	Joined       wire.Maybe[[]tele.User] `json:"new_chat_members"`
	Left         wire.Maybe[tele.User]   `json:"left_chat_member"`
	TopicCreated json.RawMessage         `json:"forum_topic_created"`
}

type photoSize struct {
	FileID string `json:"file_id"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Size   int64  `json:"file_size"`
}

// fileInfo is what the seven sorts of files have in common.
type fileInfo struct {
	FileID string `json:"file_id"`
	Name   string `json:"file_name"`
	MIME   string `json:"mime_type"`
	Size   int64  `json:"file_size"`
}

type sticker struct {
	FileID   string `json:"file_id"`
	Emoji    string `json:"emoji"`
	Animated bool   `json:"is_animated"`
	Video    bool   `json:"is_video"`
	Size     int64  `json:"file_size"`
}

type poll struct {
	Question string `json:"question"`
	Options  []struct {
		Text string `json:"text"`
	} `json:"options"`
}

type textQuote struct {
	Text     string                    `json:"text"`
	Entities wire.Maybe[tele.Entities] `json:"entities"`
}

type externalReply struct {
	Origin wire.Maybe[tele.MessageOrigin] `json:"origin"`
}

// callback is a CallbackQuery. Its message may be an InaccessibleMessage, of
// which only chat and message_id are there.
type callback struct {
	ID      string              `json:"id"`
	From    tele.User           `json:"from"`
	Message wire.Maybe[message] `json:"message"`
	Data    string              `json:"data"`
}

// reaction is a MessageReactionUpdated.
type reaction struct {
	Chat tele.Chat       `json:"chat"`
	ID   int64           `json:"message_id"`
	User *tele.User      `json:"user"` // nil where it is anonymous
	Date int64           `json:"date"`
	Old  []tele.Reaction `json:"old_reaction"`
	New  []tele.Reaction `json:"new_reaction"`
}

// allowedUpdates are the kinds asked for. The list is explicit: an empty one
// would leave out reactions and members, and bring new kinds unasked.
var allowedUpdates = []string{
	"message", "edited_message", "callback_query", "my_chat_member", "chat_member", "message_reaction",
}

// kindOf names an update's kind, "" where it has none.
func kindOf(raw json.RawMessage) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return ""
	}
	for name := range fields {
		if name != "update_id" {
			return name
		}
	}
	return ""
}

// unsupportedContent are the contents of a message that a person sends and
// that are not read here. A message with none of these and nothing readable is
// a service message.
var unsupportedContent = []string{
	"story", "game", "invoice", "paid_media", "checklist", "giveaway", "giveaway_winners", "gift", "unique_gift",
}
