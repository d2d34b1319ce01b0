package discord

import (
	"talaria/adapters/inbound"
	"talaria/core/chat"
	"talaria/core/text"
)

// row is an action row: up to five buttons, or one select.
type row struct {
	Type    int         `json:"type"`
	Buttons []component `json:"components"`
}

// component is a button, or a select of options.
type component struct {
	Type        int            `json:"type"`
	Style       int            `json:"style,omitempty"`
	Label       string         `json:"label,omitempty"`
	CustomID    string         `json:"custom_id"`
	Placeholder string         `json:"placeholder,omitempty"`
	Options     []selectOption `json:"options,omitempty"`
}

type selectOption struct {
	Label string `json:"label"`
	Value string `json:"value"` // the id that its button would have
}

// A message holds at most five rows of five buttons, a label 80 characters, and
// a select 25 options of 100 characters
// (discord.com/developers/docs/components/reference#button, #string-select).
const (
	maxRows          = 5
	rowButtons       = 5
	maxLabel         = 80
	maxSelect        = 25
	maxSelectedLabel = 100
	maxCustomID      = 100 // characters
)

// The types and styles of components.
const (
	actionRow       = 1
	buttonComponent = 2
	stringSelect    = 3
	primaryStyle    = 1
	secondaryStyle  = 2
	dangerStyle     = 4
)

// selectID is the id of a select, which no button can have.
const selectID = "+"

// rows are the buttons of a message. Those that find no room as such are in a
// select that takes the place of the last row.
func rows(all []chat.Button) []row {
	var taken []chat.Button
	for _, b := range all {
		if len(inbound.Reference(b)) <= maxCustomID && b.Label != "" { // one bad button would have the whole message refused
			taken = append(taken, b)
		}
	}
	room := maxRows * rowButtons
	if len(taken) > room {
		room -= rowButtons
	}
	made := []row{}
	for n, b := range taken[:min(room, len(taken))] {
		if n%rowButtons == 0 {
			made = append(made, row{Type: actionRow})
		}
		last := &made[len(made)-1]
		last.Buttons = append(last.Buttons, component{Type: buttonComponent, Style: style(b.Style), Label: text.Clip(b.Label, maxLabel), CustomID: inbound.Reference(b)})
	}
	if len(taken) > room {
		made = append(made, row{Type: actionRow, Buttons: []component{newSelect(taken[room:])}})
	}
	return made
}

func newSelect(all []chat.Button) component {
	s := component{Type: stringSelect, CustomID: selectID, Placeholder: "…"}
	for _, b := range all[:min(maxSelect, len(all))] {
		s.Options = append(s.Options, selectOption{text.Clip(b.Label, maxSelectedLabel), inbound.Reference(b)})
	}
	return s
}

func style(name string) int {
	switch name {
	case "primary":
		return primaryStyle
	case "danger":
		return dangerStyle
	}
	return secondaryStyle
}
