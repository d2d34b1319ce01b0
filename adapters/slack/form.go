package slack

import (
	"context"
	"encoding/json"
	"time"
	"unicode/utf8"

	"talaria/core/chat"
	"talaria/core/text"

	"github.com/slack-go/slack"
)

// answerTime bounds the stateless answer: the handle to open a form with lasts
// three seconds.
const answerTime = time.Second

// UseDoor implements chat.Stateless.
func (a *Adapter) UseDoor(d chat.Door) { a.door = d }

// answer asks the door about a press or a command and opens the form that it
// wants. It reports false where the event goes to the Handler: there is no
// door or no form, or the form could not be shown.
func (a *Adapter) answer(ctx context.Context, e chat.Event) bool {
	if a.door == nil || e.Interaction == nil || e.Kind != chat.Press && e.Kind != chat.Command {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	reply, err := a.door.Answer(ctx, e)
	if err != nil || reply.Form == nil || !fits(*reply.Form) {
		return false
	}
	_, err = a.client.call(ctx, "views.open", func(ctx context.Context, api *slack.Client) error {
		_, err := api.OpenViewContext(ctx, e.Interaction.ID, modal(*reply.Form, e))
		return err
	})
	if err != nil {
		a.log.Warn("form not opened", "platform", Platform, "err", err)
	}
	return err == nil
}

// The longest that Slack takes in a modal
// (docs.slack.dev/reference/views/modal-views).
const (
	maxTitle = 24
	maxField = 2000 // characters of a label
	maxInput = 3000 // of what is entered
)

// fits reports whether Slack takes what stands in a form: a text that is cut would
// be saved cut.
func fits(f chat.FormSpec) bool {
	for _, field := range f.Fields {
		if utf8.RuneCountInString(field.Value) > maxInput {
			return false
		}
	}
	return true
}

// modal makes a form. Where it was opened travels in its metadata.
func modal(f chat.FormSpec, opened chat.Event) slack.ModalViewRequest {
	where, _ := json.Marshal(formMetadata{
		Token: f.Token, Chat: opened.Address.Chat, Thread: opened.Address.Thread, Message: opened.Message, Page: opened.Page,
	})
	m := slack.ModalViewRequest{
		Type: slack.VTModal, CallbackID: f.Action, PrivateMetadata: string(where),
		Title: plain(text.Clip(f.Title, maxTitle)), Submit: plain("Save"), Close: plain("Cancel"),
	}
	for _, field := range f.Fields {
		input := slack.NewPlainTextInputBlockElement(nil, "value")
		input.InitialValue, input.Multiline = field.Value, field.Lines > 1
		block := slack.NewInputBlock(field.Name, plain(text.Clip(field.Label, maxField)), nil, input)
		block.Optional = !field.Required
		m.Blocks.BlockSet = append(m.Blocks.BlockSet, block)
	}
	return m
}

func plain(s string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, s, false, false)
}
