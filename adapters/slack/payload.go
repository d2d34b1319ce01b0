package slack

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"talaria/adapters/markdown"
	"talaria/core/chat"
	"talaria/core/text"

	"github.com/slack-go/slack"
)

// payload is a part's final form: what a call carries beside its address.
// Previews are off by the calls themselves, which know no other way.
type payload struct {
	Text    string      `json:"text,omitempty"`
	Grown   *grown      `json:"grown,omitempty"` // of a preview: what a stream may show of it
	Buttons []button    `json:"buttons,omitempty"`
	File    *attachedTo `json:"file,omitempty"` // then Text is empty
}

type button struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Value string `json:"value,omitempty"`
	Style string `json:"style,omitempty"`
}

// attachedTo is a file to be sent: its bytes, or the hash that they are kept
// under.
type attachedTo struct {
	Name string `json:"name"`
	Data []byte `json:"data,omitempty"`
	Blob string `json:"blob,omitempty"`
}

// Render implements chat.Adapter. Files follow the text as messages of their
// own; the buttons hang on the last part that has a text.
func (a *Adapter) Render(p chat.Post) []chat.Part {
	parts, payloads := render(p)
	for i := range parts {
		parts[i].Payload = encode(payloads[i])
	}
	return parts
}

func render(p chat.Post) (parts []chat.Part, payloads []payload) {
	last := -1
	add := func(text string, pl payload) {
		if pl.File == nil {
			last = len(parts)
		}
		parts = append(parts, chat.Part{Text: text, Fixed: pl.File != nil})
		payloads = append(payloads, pl)
	}
	words := p.Markdown
	if !p.Free {
		words = spelled(words, p.At.Thread != "")
	}
	for _, m := range markdown.Slack(words) {
		if m.Text != "" {
			add(m.Plain, payload{Text: m.Text})
		}
		if m.File != nil {
			add(m.File.Name, payload{File: &attachedTo{Name: m.File.Name, Data: []byte(m.File.Text)}})
		}
	}
	for _, f := range p.Files {
		add(f.Name, payload{File: &attachedTo{Name: f.Name, Data: f.Data, Blob: f.Blob}})
	}
	if last >= 0 {
		payloads[last].Buttons = buttons(p.Buttons)
		payloads[0].Text = addressees(p.Mentions, payloads[0])
	}
	return parts, payloads
}

// encode can't fail: a payload holds nothing that JSON does not know.
func encode(p payload) json.RawMessage {
	data, _ := json.Marshal(p)
	return data
}

// maxMentions bounds the people whom one message notifies.
const maxMentions = 3

var userID = regexp.MustCompile(`^[UW][A-Z0-9]{2,20}$`)

// addressees puts real mentions in front of a text, where there is room.
func addressees(who []chat.Identity, p payload) string {
	var b strings.Builder
	for _, id := range who[:min(len(who), maxMentions)] {
		if id.Platform == Platform && userID.MatchString(id.ID) {
			b.WriteString("<@" + id.ID + "> ")
		}
	}
	if p.Text == "" || b.Len()+len(p.Text) > markdown.SlackLimit {
		return p.Text
	}
	return b.String() + p.Text
}

// Slack's limits for a block of actions and its elements
// (docs.slack.dev/reference/block-kit/blocks/actions-block).
const (
	maxButtons = 25
	maxLabel   = 75
	maxSection = 3000 // characters of a section's text
)

func buttons(all []chat.Button) []button {
	var out []button
	seen := map[string]int{}
	for _, b := range all[:min(len(all), maxButtons)] {
		out = append(out, button{ID: actionID(b.Action, seen[b.Action]), Label: text.Clip(b.Label, maxLabel), Value: b.Token, Style: b.Style})
		seen[b.Action]++
	}
	return out
}

// blocks are the blocks of a message with buttons, none for one without. Its
// text stays what notifications, searches and screen readers take.
func (p payload) blocks() []slack.Block {
	if len(p.Buttons) == 0 {
		return nil
	}
	var all []slack.Block
	for _, s := range sections(p.Text) {
		all = append(all, textBlock(s))
	}
	return append(all, p.row())
}

// textBlock is a section. Not verbatim, Slack would look for mentions and links
// by itself.
func textBlock(text string) slack.Block {
	return slack.NewSectionBlock(slack.NewTextBlockObject(slack.MarkdownType, text, false, true), nil, nil)
}

// row is the block of the buttons.
func (p payload) row() slack.Block {
	var row []slack.BlockElement
	for _, b := range p.Buttons {
		e := slack.NewButtonBlockElement(b.ID, b.Value, slack.NewTextBlockObject(slack.PlainTextType, b.Label, false, false))
		if b.Style == "primary" || b.Style == "danger" {
			e = e.WithStyle(slack.Style(b.Style))
		}
		row = append(row, e)
	}
	return slack.NewActionBlock("", row...)
}

const fenceMark = "```"

// sections cuts a text for blocks, at the end of a line where there is one. A
// code block that is cut is closed and opened again; a token is never cut.
func sections(text string) []string {
	const room = maxSection - len("\n"+fenceMark)
	var all []string
	for len(text) > maxSection {
		at := strings.LastIndexByte(text[:room], '\n')
		if at <= 0 {
			at = strings.LastIndexByte(text[:room], ' ')
		}
		if open := strings.LastIndexByte(text[:max(at, 0)], '<'); open > strings.LastIndexByte(text[:max(at, 0)], '>') {
			at = open
		}
		if at <= len(fenceMark)+1 {
			at = wholeMark(text, room)
		}
		head, rest := text[:at], strings.TrimPrefix(text[at:], "\n")
		if strings.Count(head, fenceMark)%2 == 1 {
			head, rest = head+"\n"+fenceMark, fenceMark+"\n"+rest
		}
		all, text = append(all, head), rest
	}
	return append(all, text)
}

// wholeMark returns the last place up to at where no character and no fence is
// cut.
func wholeMark(text string, at int) int {
	for at > 1 && (!utf8.RuneStart(text[at]) || text[at] == '`' && text[at-1] == '`') {
		at--
	}
	return at
}
