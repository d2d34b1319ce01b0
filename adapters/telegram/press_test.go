package telegram_test

import (
	"fmt"
	"strconv"
	"testing"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/telegram"
	"talaria/adapters/telegram"
	"talaria/core/chat"
)

func TestAPressThatCanNoLongerBeAnsweredIsHandedOver(t *testing.T) {
	r := newRig(t, nil)
	h := adaptertest.NewRecorder()
	r.Start(h)
	there := chat.Address{Platform: telegram.Platform, Chat: fmt.Sprint(group)}
	button := chat.Button{Label: "Yes", Action: "ask.yes", Token: "t1"}
	card := r.Post(chat.Delivery{Address: there}, chat.Post{Markdown: "May I?", Buttons: []chat.Button{button}})[0]
	id, err := strconv.ParseInt(card.Message, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	r.Server.Break(simulator.Fault{
		Method: "answerCallbackQuery", Times: -1, Code: 400,
		Description: "Bad Request: query is too old and response timeout expired or query ID is invalid",
	})
	for range 2 {
		r.Server.Press(ada, group, id, "ask.yes:t1")
	}
	for _, e := range h.Events(r.Ctx, t, 2) {
		if e.Press == nil || *e.Press != (chat.PressData{Action: "ask.yes", Token: "t1"}) {
			t.Errorf("came %+v", e)
		}
	}
	r.confirmed()
}
