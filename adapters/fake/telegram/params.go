package telegram

import (
	"encoding/json"
	"strconv"
)

// params are the parameters of all methods together.
type params struct {
	Chat      chatRef                 `json:"chat_id"`
	User      loose[int64]            `json:"user_id"`
	Message   loose[int64]            `json:"message_id"`
	Thread    loose[int64]            `json:"message_thread_id"`
	Text      string                  `json:"text"`
	Caption   string                  `json:"caption"`
	ParseMode string                  `json:"parse_mode"`
	Entities  loose[[]Entity]         `json:"entities"`
	Preview   loose[previewOptions]   `json:"link_preview_options"`
	Keyboard  loose[*keyboard]        `json:"reply_markup"`
	Reply     loose[*replyParameters] `json:"reply_parameters"`
	Silent    loose[bool]             `json:"disable_notification"`
	Action    string                  `json:"action"`
	Draft     loose[int64]            `json:"draft_id"`

	Offset  loose[int64]    `json:"offset"`
	Limit   loose[int]      `json:"limit"`
	Timeout loose[int]      `json:"timeout"`
	Allowed loose[[]string] `json:"allowed_updates"`

	URL         string                 `json:"url"`
	Secret      string                 `json:"secret_token"`
	DropPending loose[bool]            `json:"drop_pending_updates"`
	Commands    loose[json.RawMessage] `json:"commands"`
	Scope       loose[scope]           `json:"scope"`
	Language    string                 `json:"language_code"`
	Callback    string                 `json:"callback_query_id"`
	Alert       loose[bool]            `json:"show_alert"`
	FileID      string                 `json:"file_id"`
	Document    string                 `json:"document"` // "attach://" and the name of the part that holds it

	file     []byte
	fileName string
}

// loose is a value that may also come as text holding its JSON, as in forms.
type loose[T any] struct {
	v     T
	given bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *loose[T]) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		data = []byte(text)
	}
	l.given = string(data) != "null"
	return json.Unmarshal(data, &l.v)
}

// chatRef is a chat's id as number or text; a public name stays unknown.
type chatRef int64

// UnmarshalJSON implements json.Unmarshaler.
func (c *chatRef) UnmarshalJSON(data []byte) error {
	text := string(data)
	if len(data) > 1 && data[0] == '"' {
		text = string(data[1 : len(data)-1])
	}
	id, _ := strconv.ParseInt(text, 10, 64)
	*c = chatRef(id)
	return nil
}

// Entity is a styled range of a text, in UTF-16 code units.
type Entity struct {
	Type     string `json:"type"`
	Offset   int    `json:"offset"`
	Length   int    `json:"length"`
	URL      string `json:"url,omitempty"`
	Language string `json:"language,omitempty"`
	User     *user  `json:"user,omitempty"`
}

type scope struct {
	Type string `json:"type"`
}

type previewOptions struct {
	Disabled bool `json:"is_disabled"`
}

type keyboard struct {
	Rows [][]Button `json:"inline_keyboard"`
}

// Button is a button under a message.
type Button struct {
	Text string `json:"text"`
	Data string `json:"callback_data,omitempty"`
	URL  string `json:"url,omitempty"`
}

type replyParameters struct {
	Message    loose[int64] `json:"message_id"`
	WithoutToo bool         `json:"allow_sending_without_reply"`
}

type user struct {
	ID       int64  `json:"id"`
	Bot      bool   `json:"is_bot"`
	First    string `json:"first_name"`
	Username string `json:"username,omitempty"`
}
