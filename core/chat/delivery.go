package chat

import (
	"encoding/json"
	"time"
)

// Post is something to be said, before any platform's form.
type Post struct {
	Markdown string   `json:"markdown,omitempty"`
	Buttons  []Button `json:"buttons,omitempty"` // shown under the last part
	Files    []Upload `json:"files,omitempty"`
	// Mentions are the identities that may be notified. A mention written in
	// Markdown never notifies anybody.
	Mentions []Identity `json:"mentions,omitempty"`
	// Free says that a model wrote it: what looks like a command in it is left
	// as it stands. In the program's own words, `/help` is written as the
	// platform's people type it.
	Free bool `json:"free,omitempty"`
	// At is where it is said, as far as that changes the words; the outbox fills
	// it in. Empty, it is said on the top level of some place.
	At Address `json:"at,omitzero"`
}

// Button is a choice. Action and Token come back in PressData.
type Button struct {
	Label  string `json:"label"`
	Action string `json:"action"`          // at most 24 bytes of [a-z0-9_.-]
	Token  string `json:"token,omitempty"` // at most 32 bytes of [A-Za-z0-9_-]
	Style  string `json:"style,omitempty"` // "", "primary" or "danger"
}

// Upload is a file to be sent.
type Upload struct {
	Name string `json:"name"`
	MIME string `json:"mime,omitempty"`
	Blob string `json:"blob,omitempty"` // hash in the blob store of the place's shard
	Data []byte `json:"data,omitempty"` // small content carried inline
}

// Part is one message of a rendered Post: the adapter's own payload, final.
type Part struct {
	Payload json.RawMessage `json:"payload"`
	Text    string          `json:"text"` // what a reader sees, for transcripts and people's logs
	// Fixed says that it can't be put into an existing message by an edit,
	// as a file can't.
	Fixed bool `json:"fixed,omitempty"`
}

// Delivery is one call to a platform: a new message, or with Message set an
// edit of that one.
type Delivery struct {
	Key     string          `json:"key"` // idempotency key, the same on every attempt
	Address Address         `json:"address"`
	ReplyTo string          `json:"reply_to,omitempty"` // message to hang the answer on; its absence is no error
	Message string          `json:"message,omitempty"`  // message to edit
	Payload json.RawMessage `json:"payload"`
	Silent  bool            `json:"silent,omitempty"` // without a notification, where the platform can
	// Private is the only person who may see it, where the platform can do so
	// in a shared place; Interaction is the handle for that. Of an edit it is the
	// press that the change answers, where a platform holds presses until then.
	Private     *Identity    `json:"private,omitempty"`
	Interaction *Interaction `json:"interaction,omitempty"`
	// Growth is set on the message of an answer that is shown while it is
	// written, on its first call and on each edit, for platforms that have a way
	// of their own to do so.
	Growth *Growth `json:"growth,omitempty"`
}

// Growth tells of the message of an answer that is shown while it is written.
type Growth struct {
	For   Identity `json:"for"`             // whom it answers
	After string   `json:"after,omitempty"` // platform id of what it answers: it is newer than that
	Whole bool     `json:"whole,omitempty"` // the payload is the answer's last: nothing grows any more
}

// Receipt is what the platform said of a delivery that it took.
type Receipt struct {
	Message string    `json:"message"` // platform id of the message
	At      time.Time `json:"at"`
}

// Unit is how a platform counts the length of a text.
type Unit string

// The units in use.
const (
	UTF16      Unit = "utf16"      // UTF-16 code units of the visible text
	CodePoints Unit = "codepoints" // Unicode code points of the text as sent
	Characters Unit = "characters" // characters of the text after escaping
)

// Limits are a platform's documented numbers; zero means none is known.
type Limits struct {
	Text        int           // units in one message
	Unit        Unit          //
	Upload      int64         // bytes of a file sent
	Download    int64         // bytes of a file received
	PerChat     time.Duration // least time between two calls to one chat, edits included
	PerBot      time.Duration // least time between two calls of the bot
	GroupMinute int           // calls in one group within a minute
	EditPace    time.Duration // least time between two edits of a live preview
	Idempotent  time.Duration // how long the platform itself recognises a repeated Key; zero: never
}
