package console

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"talaria/adapters/markdown"
	"talaria/core/chat"
	"talaria/core/text"
)

// payload is a message. Text is what is written, above the buttons: only when
// it is written are their numbers known.
type payload struct {
	Text    string        `json:"text,omitempty"`
	Buttons []chat.Button `json:"buttons,omitempty"`
	File    *chat.Upload  `json:"file,omitempty"` // shown above Text
}

// render makes the messages of a post: its text, then each file, and the
// buttons below the last of them. None if there is nothing to be seen.
func render(post chat.Post, color bool) []chat.Part {
	md := text.Visible(post.Markdown)
	var parts []chat.Part
	var payloads []payload
	if text := Text(md, color); strings.TrimSpace(text) != "" {
		parts = append(parts, chat.Part{Text: markdown.Plain(md)})
		payloads = append(payloads, payload{Text: text})
	}
	for n, f := range post.Files {
		parts = append(parts, chat.Part{Text: "[file: " + oneLine(f.Name) + "]", Fixed: true})
		payloads = append(payloads, payload{File: &post.Files[n]})
	}
	if len(post.Buttons) > 0 {
		if len(parts) == 0 {
			parts, payloads = make([]chat.Part, 1), make([]payload, 1)
		}
		payloads[len(payloads)-1].Buttons = post.Buttons
	}
	for n := range parts {
		// Strings and bytes can always be encoded.
		parts[n].Payload, _ = json.Marshal(payloads[n])
	}
	return parts
}

// numbered is the text with the buttons below it, each on a line with its
// number.
func (p payload) numbered(first int) string {
	text := p.Text
	for n, b := range p.Buttons {
		text = strings.TrimPrefix(fmt.Sprintf("%s\n[%d] %s", text, first+n, oneLine(b.Label)), "\n")
	}
	return text
}

// oneLine makes a label or name harmless: without control characters.
func oneLine(label string) string {
	return text.Visible(strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(label, "\ufffd")))
}
