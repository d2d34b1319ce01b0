package telegram

import (
	"encoding/json"
	"unicode/utf8"

	"talaria/adapters/inbound"
	"talaria/adapters/markdown"
	"talaria/core/chat"

	tele "gopkg.in/telebot.v3"
)

// payload is a part's final form: what a call carries beside its address.
type payload struct {
	Text     string            `json:"text,omitempty"`
	Entities []markdown.Entity `json:"entities,omitempty"` // never a parse_mode: nothing needs escaping
	// Preview is always off: a preview makes Telegram fetch an address that a
	// model chose.
	Preview  *preview  `json:"link_preview_options,omitempty"`
	Keyboard *keyboard `json:"reply_markup,omitempty"`
	Document *document `json:"document,omitempty"` // then Text is empty
}

type preview struct {
	Disabled bool `json:"is_disabled"`
}

type keyboard struct {
	Rows [][]tele.InlineButton `json:"inline_keyboard"`
}

// document is a file to be sent: its bytes, or the hash that they are kept
// under.
type document struct {
	Name string `json:"name"`
	Data []byte `json:"data,omitempty"`
	Blob string `json:"blob,omitempty"`
}

// Preview implements chat.Previewer.
func (a *Adapter) Preview(text string) (chat.Part, bool) {
	m, ok, err := markdown.Preview(a.Platform(), text)
	if err != nil || !ok {
		return chat.Part{}, false
	}
	return chat.Part{Text: m.Plain, Payload: encode(said(m))}, true
}

// Render implements chat.Adapter. Text goes out as entities; files follow as
// documents; the buttons hang on the last part. Mentions notify nobody here,
// nor do names in the text: Telegram would need a name to hang one on, and a
// reply notifies its person.
func (a *Adapter) Render(p chat.Post) []chat.Part {
	var parts []chat.Part
	var payloads []payload
	add := func(text string, pl payload) {
		parts = append(parts, chat.Part{Text: text, Fixed: pl.Document != nil})
		payloads = append(payloads, pl)
	}
	for _, m := range markdown.Telegram(p.Markdown) {
		add(m.Plain, said(m))
		if m.File != nil {
			add(m.File.Name, payload{Document: &document{Name: m.File.Name, Data: []byte(m.File.Text)}})
		}
	}
	for _, f := range p.Files {
		add(f.Name, payload{Document: &document{Name: f.Name, Data: f.Data, Blob: f.Blob}})
	}
	if len(parts) == 0 {
		return nil
	}
	payloads[len(payloads)-1].Keyboard = buttons(p.Buttons)
	for i := range parts {
		parts[i].Payload = encode(payloads[i])
	}
	return parts
}

// said is the payload of a text.
func said(m markdown.Part) payload {
	text, entities := hush(m.Text, m.Entities)
	return payload{Text: text, Entities: entities, Preview: &preview{Disabled: true}}
}

// encode can't fail: a payload holds nothing that JSON does not know.
func encode(p payload) json.RawMessage {
	data, _ := json.Marshal(p)
	return data
}

// A row of buttons holds at most rowButtons and about rowWidth characters:
// more and clients cut the labels.
const (
	rowButtons = 3
	rowWidth   = 30
)

// maxCallbackData is the most bytes of a button's data
// (core.telegram.org/bots/api#inlinekeyboardbutton). What chat.Button allows
// fits.
const maxCallbackData = 64

func buttons(all []chat.Button) *keyboard {
	var rows [][]tele.InlineButton
	width := 0
	for _, b := range all {
		data := inbound.Reference(b)
		if len(data) > maxCallbackData {
			continue // one button too long would have the whole message refused
		}
		label := utf8.RuneCountInString(b.Label)
		if n := len(rows); n == 0 || len(rows[n-1]) == rowButtons || width+label > rowWidth {
			rows, width = append(rows, nil), 0
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], tele.InlineButton{Text: b.Label, Data: data})
		width += label
	}
	if rows == nil {
		return nil
	}
	return &keyboard{rows}
}
