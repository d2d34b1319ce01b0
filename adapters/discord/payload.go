package discord

import (
	"encoding/json"

	"talaria/adapters/markdown"
	"talaria/core/chat"
)

// Flags of messages
// (discord.com/developers/docs/resources/message#message-object-message-flags).
const (
	suppressEmbeds        = 1 << 2
	ephemeral             = 1 << 6
	loading               = 1 << 7 // a deferred answer that is still to come
	suppressNotifications = 1 << 12
)

// payload is a part's final form: what a call carries beside its address.
type payload struct {
	Content string `json:"content,omitempty"`
	// Mentions is empty but there: left out, everything in the content that
	// looks like a mention would notify.
	Mentions mentions `json:"allowed_mentions"`
	// Flags always turn embeds off: a preview makes Discord fetch an address
	// that a model chose.
	Flags int `json:"flags"`
	// Components is there also when it is empty, so that an edit takes buttons
	// away.
	Components []row `json:"components"`
	File       *file `json:"file,omitempty"` // then Content is empty
}

type mentions struct {
	Parse []string `json:"parse"`
}

// file is a file to be sent: its bytes, or the hash that they are kept under.
type file struct {
	Name string `json:"name"`
	MIME string `json:"mime,omitempty"`
	Data []byte `json:"data,omitempty"`
	Blob string `json:"blob,omitempty"`
}

func newPayload(content string) payload {
	return payload{Content: content, Mentions: mentions{[]string{}}, Flags: suppressEmbeds, Components: []row{}}
}

// Render implements chat.Adapter. Files follow the text that they belong to;
// the buttons hang on the last part. Mentions notify nobody: who asked is
// answered by a reply.
func (a *Adapter) Render(p chat.Post) []chat.Part {
	var parts []chat.Part
	var payloads []payload
	add := func(text string, pl payload) {
		parts = append(parts, chat.Part{Text: text, Fixed: pl.File != nil})
		payloads = append(payloads, pl)
	}
	addFile := func(f file) {
		pl := newPayload("")
		pl.File = &f
		add(f.Name, pl)
	}
	for _, m := range markdown.Discord(p.Markdown) {
		add(m.Plain, newPayload(m.Text))
		if m.File != nil {
			addFile(file{Name: m.File.Name, MIME: "text/plain; charset=utf-8", Data: []byte(m.File.Text)})
		}
	}
	for _, f := range p.Files {
		addFile(file{Name: f.Name, MIME: f.MIME, Data: f.Data, Blob: f.Blob})
	}
	if len(parts) == 0 {
		return nil
	}
	payloads[len(payloads)-1].Components = rows(p.Buttons)
	for i := range parts {
		parts[i].Payload = encode(payloads[i])
	}
	return parts
}

// encode can't fail: a payload holds nothing that JSON does not know.
func encode(p payload) json.RawMessage {
	data, _ := json.Marshal(p)
	return data
}
