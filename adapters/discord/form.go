package discord

import (
	"context"
	"net/http"
	"time"

	"talaria/core/chat"

	"github.com/bwmarrin/discordgo"
)

// doorTime bounds the question whether a press opens a form: what is left of
// Discord's three seconds is for the response.
const doorTime = time.Second

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

// UseDoor implements chat.Stateless.
func (a *Adapter) UseDoor(d chat.Door) { a.door = d }

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
	m := &modal{CustomID: customID(chat.Button{Action: f.Action, Token: f.Token}), Title: clipped(f.Title, maxTitle)}
	for _, field := range f.Fields {
		if len([]rune(field.Value)) > maxValue {
			return nil
		}
		style := singleLine
		if field.Lines > 1 {
			style = severalLines
		}
		m.Components = append(m.Components, label{labelled, clipped(field.Label, maxFieldLabel), input{
			Type: textInput, CustomID: field.Name, Style: style, Value: field.Value, Required: field.Required, Longest: maxValue,
		}})
	}
	return m
}

func clipped(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// open asks the door about a press and shows the form that it wants, as the
// first response. It reports false where there is none: then the press is
// acknowledged and handed over like any other.
func (in *intake) open(ctx context.Context, i interaction) bool {
	door := in.adapter.door
	if door == nil || i.Type != componentInteraction || i.Token.or() == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, doorTime)
	defer cancel()
	s, err := in.adapter.prepare(ctx, in.self, i.Guild.String(), i.Channel.String(), false)
	if err != nil {
		return false
	}
	item := s.fromInteraction(i)
	if item.Reason != "" {
		return false
	}
	reply, err := door.Answer(ctx, dated(item.Event, in.adapter.timing.now()))
	if err != nil || reply.Form == nil {
		return false
	}
	form := newModal(*reply.Form)
	if form == nil {
		return false
	}
	err = in.adapter.client.call(ctx, request{
		op: "createInteractionResponse", method: http.MethodPost, scope: i.ID.String(),
		url: discordgo.EndpointInteractionResponse(i.ID.String(), i.Token.or()), body: formResponse{formsResponse, form},
	}, nil)
	if err != nil {
		in.log.Warn("form not opened", "platform", Platform, "err", err)
	}
	return err == nil
}

// formResponse is the first response that shows a form.
type formResponse struct {
	Type int    `json:"type"`
	Data *modal `json:"data"`
}
