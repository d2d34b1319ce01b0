package discord

import (
	"maps"
	"slices"
)

// submitted is the type of the interaction that a submitted form is.
const submitted = 5

// Form is a modal that was shown to a person.
type Form struct {
	CustomID, Title string
	User, Channel   string
	Inputs          []Input
	card            *Message
}

// Input is a text input of a form.
type Input struct {
	CustomID string `json:"custom_id"`
	Type     int    `json:"type"`
	Style    int    `json:"style"`
	Value    string `json:"value"`
	Required *bool  `json:"required"`
}

// modal is what a response that shows a form carries.
type modal struct {
	CustomID string `json:"custom_id"`
	Title    string `json:"title"`
	Parts    []struct {
		Type  int    `json:"type"`
		Label string `json:"label"`
		Input Input  `json:"component"`
	} `json:"components"`
}

// The rules of modals
// (discord.com/developers/docs/components/reference#text-input).
const (
	maxFormTitle = 45
	maxLabel     = 45
	maxInputs    = 5
	maxInput     = 4000
	labelType    = 18
	inputType    = 4
)

// showForm takes a form as the first response. The lock is held.
func (s *Server) showForm(i *interaction, c *call) *reply {
	bad := invalidForm("data")
	if i.submits || c.body.Data == nil {
		return &bad
	}
	m := c.body.Data.modal
	if m.Title == "" || length(m.Title) > maxFormTitle || m.CustomID == "" || length(m.CustomID) > 100 ||
		len(m.Parts) == 0 || len(m.Parts) > maxInputs {
		return &bad
	}
	f := &Form{CustomID: m.CustomID, Title: m.Title, User: i.user, Channel: i.place.id}
	if i.card {
		f.card = i.original
	}
	for _, p := range m.Parts {
		if p.Type != labelType || p.Label == "" || length(p.Label) > maxLabel || p.Input.Type != inputType ||
			p.Input.Style < 1 || p.Input.Style > 2 || p.Input.CustomID == "" || length(p.Input.Value) > maxInput {
			return &bad
		}
		f.Inputs = append(f.Inputs, p.Input)
	}
	i.form = f
	return nil
}

// Forms are the forms that were shown, in order.
func (s *Server) Forms() []Form {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Form
	for _, token := range slices.SortedFunc(maps.Keys(s.interactions), func(a, b string) int {
		return s.interactions[a].at.Compare(s.interactions[b].at)
	}) {
		if f := s.interactions[token].form; f != nil {
			all = append(all, *f)
		}
	}
	return all
}

// Submit has the person that a form was shown to submit it, with values by the
// ids of its inputs; what is missing stays as it was shown. It returns the token of the
// interaction.
func (s *Server) Submit(f Form, values map[string]string) string {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	p := s.channels[f.Channel]
	var parts []any
	for _, in := range f.Inputs {
		value, ok := values[in.CustomID]
		if !ok {
			value = in.Value
		}
		parts = append(parts, map[string]any{"type": labelType, "component": map[string]any{
			"type": inputType, "custom_id": in.CustomID, "value": value,
		}})
	}
	data := map[string]any{"type": submitted, "data": map[string]any{"custom_id": f.CustomID, "components": parts}}
	if f.card != nil {
		data["message"] = s.wire(p, f.card, false)
	}
	return s.interact(f.User, p, f.card, data)
}
