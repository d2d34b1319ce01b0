package discord

import (
	"talaria/adapters/inbound"
	"talaria/core/chat"
	"talaria/core/text"
)

// The longest that Discord takes in a modal, in characters
// (discord.com/developers/docs/components/reference#text-input).
const (
	maxTitle      = 45
	maxFieldLabel = 45
	maxValue      = 4000
)

// The types of components in a modal, and the styles of a text input.
const (
	textInput     = 4
	labelled      = 18
	singleLine    = 1
	severalLines  = 2
	formsResponse = 9
)

// modal is a form as a response to an interaction.
type modal struct {
	CustomID   string  `json:"custom_id"`
	Title      string  `json:"title"`
	Components []label `json:"components"`
}

// label is a named input.
type label struct {
	Type  int    `json:"type"`
	Text  string `json:"label"`
	Input input  `json:"component"`
}

type input struct {
	Type     int    `json:"type"`
	CustomID string `json:"custom_id"`
	Style    int    `json:"style"`
	Value    string `json:"value,omitempty"`
	Required bool   `json:"required"`
	Longest  int    `json:"max_length"`
}

// newModal makes a form, or nil where Discord would refuse it.
func newModal(f chat.FormSpec) *modal {
	m := &modal{CustomID: inbound.Reference(chat.Button{Action: f.Action, Token: f.Token}), Title: text.Clip(f.Title, maxTitle)}
	for _, field := range f.Fields {
		if len([]rune(field.Value)) > maxValue {
			return nil
		}
		style := singleLine
		if field.Lines > 1 {
			style = severalLines
		}
		m.Components = append(m.Components, label{labelled, text.Clip(field.Label, maxFieldLabel), input{
			Type: textInput, CustomID: field.Name, Style: style, Value: field.Value, Required: field.Required, Longest: maxValue,
		}})
	}
	return m
}

// formResponse is the first response that shows a form.
type formResponse struct {
	Type int    `json:"type"`
	Data *modal `json:"data"`
}
