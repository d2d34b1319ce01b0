package discord_test

import (
	"context"
	"strings"
	"testing"

	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"
)

// door opens one form for the presses of one button.
type door struct{ form chat.FormSpec }

// Answer implements chat.Door.
func (d door) Answer(_ context.Context, e chat.Event) (chat.Reply, error) {
	if e.Press == nil || e.Press.Action != d.form.Action {
		return chat.Reply{}, nil
	}
	return chat.Reply{Form: &d.form}, nil
}

// edits is a form, with a text of a length in its field.
func edits(length int) door {
	return door{chat.FormSpec{
		Title: "A title that is rather longer than the forty-five characters", Action: "edit", Token: "t1",
		Fields: []chat.Field{{Name: "text", Label: "Text", Lines: 9, Value: strings.Repeat("x", length), Required: true}},
	}}
}

// withCard is a rig with a message that has two buttons.
func withCard(t *testing.T, d chat.Door) (*rig, string) {
	r := newRig(t, simulator.Options{})
	r.Adapter.UseDoor(d)
	card := r.Send(chat.Delivery{Key: "k1", Address: toLobby, Payload: r.Payload(chat.Post{Markdown: "card", Buttons: []chat.Button{
		{Label: "Edit", Action: "edit", Token: "t1"}, {Label: "Later", Action: "later", Token: "t1"},
	}})})
	return r, card.Message
}

func TestAFormIsShownInsteadOfAnAcknowledgement(t *testing.T) {
	r, card := withCard(t, edits(100))
	kept := r.run()
	token := r.Server.Press(ada, lobby, card, "edit:t1")
	r.Await("the form", func() bool { return len(r.Server.Forms()) == 1 })
	if !r.Server.Answered(token) {
		t.Error("the press was not answered")
	}
	r.Server.Submit(r.Server.Forms()[0], map[string]string{"text": "new"})
	e := kept.Events(r.Ctx, t, 1)[0]
	if e.Kind != chat.Form || e.Form.Action != "edit" || e.Form.Token != "t1" || e.Form.Values["text"] != "new" ||
		e.Address != toLobby || e.Message != card || e.Author.Identity.ID != ada {
		t.Errorf("came %+v", e)
	}
}

func TestAPressWithoutAFormIsHandedOver(t *testing.T) {
	for name, c := range map[string]struct {
		door   door
		button string
	}{
		"none for this button": {edits(1), "later:t1"},
		"text is too long":     {edits(4001), "edit:t1"},
	} {
		t.Run(name, func(t *testing.T) {
			r, card := withCard(t, c.door)
			kept := r.run()
			token := r.Server.Press(ada, lobby, card, c.button)
			if e := kept.Events(r.Ctx, t, 1)[0]; e.Kind != chat.Press {
				t.Errorf("came %+v", e)
			}
			r.Await("the first response", func() bool { return r.Server.Answered(token) })
		})
	}
}
