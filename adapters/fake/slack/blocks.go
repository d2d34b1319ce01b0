package slack

import (
	"encoding/json"
	"unicode/utf8"
)

// The limits of Block Kit, in characters where they are of texts
// (docs.slack.dev/reference/block-kit, the page of each block and element).
const (
	maxBlocks     = 50 // of a message
	maxViewBlocks = 100
	maxID         = 255 // of blocks, actions and forms
	maxSection    = 3000
	maxField      = 2000
	maxFields     = 10
	maxActions    = 25
	maxContext    = 10
	maxMarkdown   = 12_000 // of all markdown blocks together
	maxLabel      = 75     // of a button or an option
	maxValue      = 2000   // of a button
	maxOptionText = 150    // an option's value, and a placeholder
	maxOptions    = 100
	maxInput      = 3000
	// maxAllBlocks is what all texts of a message's blocks have together. It is not
	// documented (github.com/slackapi/bolt-js/issues/2509).
	maxAllBlocks = 13_200
)

type wireText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// plain reports whether it is a plain text of 1 to most characters.
func (t wireText) plain(most int) bool { return t.Type == "plain_text" && t.within(most) }

func (t wireText) within(most int) bool {
	n := utf8.RuneCountInString(t.Text)
	return n > 0 && n <= most
}

// anyText is a text object or, as in a markdown block, a bare text.
type anyText struct{ wireText }

// UnmarshalJSON implements json.Unmarshaler.
func (t *anyText) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &t.Text)
	}
	return json.Unmarshal(data, &t.wireText)
}

type wireBlock struct {
	Type     string        `json:"type"`
	ID       string        `json:"block_id"`
	Text     anyText       `json:"text"`
	Fields   []wireText    `json:"fields"`
	Elements []wireElement `json:"elements"`
	Label    wireText      `json:"label"`   // of an input
	Element  wireElement   `json:"element"` // of an input
}

type wireElement struct {
	Type        string       `json:"type"`
	Text        anyText      `json:"text"`
	Action      string       `json:"action_id"`
	Value       string       `json:"value"`
	Style       any          `json:"style"` // a word, or a set of them in rich text
	Initial     string       `json:"initial_value"`
	Placeholder *wireText    `json:"placeholder"`
	Options     []wireOption `json:"options"`
}

type wireOption struct {
	Text  wireText `json:"text"`
	Value string   `json:"value"`
}

func readBlocks(raw json.RawMessage) ([]wireBlock, bool) {
	var all []wireBlock
	if len(raw) == 0 {
		return nil, true
	}
	err := json.Unmarshal(raw, &all)
	return all, err == nil
}

// checkBlocks returns the error that blocks are refused with, empty for none.
func checkBlocks(raw json.RawMessage, most int) string {
	all, valid := readBlocks(raw)
	if !valid || len(all) > most {
		return "invalid_blocks"
	}
	ids, marked, together := map[string]bool{}, 0, 0
	for _, b := range all {
		if !b.valid() || b.ID != "" && ids[b.ID] {
			return "invalid_blocks"
		}
		ids[b.ID] = true
		n := utf8.RuneCountInString(b.Text.Text)
		together += n
		if b.Type == "markdown" {
			marked += n
		}
	}
	if marked > maxMarkdown || most == maxBlocks && together > maxAllBlocks {
		return "msg_blocks_too_long"
	}
	return ""
}

func (b wireBlock) valid() bool {
	if len(b.ID) > maxID {
		return false
	}
	switch b.Type {
	case "section":
		return b.validSection()
	case "header":
		return b.Text.plain(maxHeader)
	case "actions":
		return len(b.Elements) > 0 && len(b.Elements) <= maxActions && validElements(b.Elements)
	case "context":
		return len(b.Elements) > 0 && len(b.Elements) <= maxContext
	case "input":
		return b.Label.plain(maxField) && b.Element.valid()
	case "markdown":
		return b.Text.within(maxMarkdown)
	case "divider", "image", "rich_text", "table", "file", "video":
		return true
	}
	return false
}

func (b wireBlock) validSection() bool {
	for _, f := range b.Fields {
		if !f.within(maxField) {
			return false
		}
	}
	return len(b.Fields) <= maxFields && (b.Text.within(maxSection) || b.Text.Text == "" && len(b.Fields) > 0)
}

// validElements reports whether elements are valid, with an action of its own each.
func validElements(all []wireElement) bool {
	ids := map[string]bool{}
	for _, e := range all {
		if ids[e.Action] || !e.valid() {
			return false
		}
		ids[e.Action] = true
	}
	return true
}

func (e wireElement) valid() bool {
	if e.Action == "" || len(e.Action) > maxID || e.Placeholder != nil && !e.Placeholder.plain(maxOptionText) {
		return false
	}
	switch e.Type {
	case "button":
		styled := e.Style == nil || e.Style == "primary" || e.Style == "danger"
		return styled && e.Text.plain(maxLabel) && len(e.Value) <= maxValue
	case "static_select", "multi_static_select", "overflow", "radio_buttons", "checkboxes":
		return len(e.Options) > 0 && len(e.Options) <= mostOptions(e.Type) && validOptions(e.Options)
	case "plain_text_input":
		return utf8.RuneCountInString(e.Initial) <= maxInput
	}
	return true
}

func mostOptions(element string) int {
	switch element {
	case "overflow":
		return 5
	case "radio_buttons", "checkboxes":
		return 10
	}
	return maxOptions
}

func validOptions(all []wireOption) bool {
	for _, o := range all {
		if !o.Text.within(maxLabel) || o.Value == "" || len(o.Value) > maxOptionText {
			return false
		}
	}
	return true
}

// modal is a form as it is given.
type modal struct {
	Type     string          `json:"type"`
	Callback string          `json:"callback_id"`
	Metadata string          `json:"private_metadata"`
	Title    wireText        `json:"title"`
	Submit   *wireText       `json:"submit"`
	Close    *wireText       `json:"close"`
	Blocks   json.RawMessage `json:"blocks"`
}

// maxModalText is the most of a modal's title and of its buttons
// (docs.slack.dev/reference/views/modal-views).
const maxModalText = 24

func (m modal) valid() bool {
	blocks, _ := readBlocks(m.Blocks)
	inputs := false
	for _, b := range blocks {
		inputs = inputs || b.Type == "input"
	}
	for _, t := range []*wireText{m.Submit, m.Close} {
		if t != nil && !t.plain(maxModalText) {
			return false
		}
	}
	return m.Type == "modal" && m.Title.plain(maxModalText) && len(m.Callback) <= maxID && utf8.RuneCountInString(m.Metadata) <= maxMetadata &&
		len(blocks) > 0 && checkBlocks(m.Blocks, maxViewBlocks) == "" && (m.Submit != nil || !inputs)
}
