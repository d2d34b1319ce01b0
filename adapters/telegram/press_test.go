package telegram_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/telegram"
	"talaria/adapters/telegram"
	"talaria/core/chat"
)

var inGroup = chat.Address{Platform: telegram.Platform, Chat: fmt.Sprint(group)}

// pressed is a press of a button of the bot's in the group, as it came as the n-th
// event, and its query.
func (r *rig) pressed(h *adaptertest.Recorder, n int) (e chat.Event, query string) {
	r.T.Helper()
	button := chat.Button{Label: "Yes", Action: "ask.yes", Token: "t1"}
	card := r.Post(chat.Delivery{Address: inGroup}, chat.Post{Markdown: "May I?", Buttons: []chat.Button{button}})[0]
	id, err := strconv.ParseInt(card.Message, 10, 64)
	if err != nil {
		r.T.Fatal(err)
	}
	query = r.Server.Press(ada, group, id, "ask.yes:t1")
	return h.Events(r.Ctx, r.T, n)[n-1], query
}

// aside is a delivery that answers a press, for whoever pressed.
func aside(e chat.Event) chat.Delivery {
	return chat.Delivery{Key: "k", Address: e.Address, ReplyTo: e.Message, Private: &e.Author.Identity, Interaction: e.Interaction}
}

func TestAPressIsAnsweredByANoticeThatOnlyItsPersonSees(t *testing.T) {
	r := newRig(t, nil)
	r.Adapter.Hold(time.Hour)
	h := adaptertest.NewRecorder()
	r.Start(h)
	e, query := r.pressed(h, 1)
	if e.Interaction == nil || e.Interaction.Room != 200 || !e.Interaction.Expires.After(time.Now()) {
		t.Fatalf("came with %+v", e.Interaction)
	}
	r.Post(aside(e), chat.Post{Markdown: "**Only** the person who asked can decide."})
	want := simulator.Notice{User: ada, Chat: group, Text: "Only the person who asked can decide.", Alert: true}
	got := r.Server.Notices(group)
	if len(got) == 1 {
		want.At = got[0].At
	}
	if len(got) != 1 || got[0] != want || !r.Server.Answered(query) {
		t.Errorf("notices: %+v", got)
	}
	if n, direct := len(r.Server.Sent(group)), len(r.Server.Sent(ada)); n != 1 || direct != 0 {
		t.Errorf("%d messages in the group, %d in the direct chat", n, direct)
	}
}

func TestWhatANoticeCanNotHoldIsSaidInTheDirectChat(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		change func(*rig, *chat.Event)
	}{
		"too long": {strings.Repeat("long ", 50), func(*rig, *chat.Event) {}},
		"expired":  {"short", func(_ *rig, e *chat.Event) { e.Interaction.Expires = time.Now().Add(-time.Second) }},
		"too old": {"short", func(r *rig, _ *chat.Event) {
			r.Server.Break(simulator.Fault{Method: "answerCallbackQuery", Times: 1, Code: 400,
				Description: "Bad Request: query is too old and response timeout expired or query ID is invalid"})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			r.Adapter.Hold(time.Hour)
			h := adaptertest.NewRecorder()
			r.Start(h)
			r.Server.Say(ada, ada, "hello")
			h.Events(r.Ctx, t, 1)
			e, _ := r.pressed(h, 2)
			c.change(r, &e)
			r.Post(aside(e), chat.Post{Markdown: c.text})
			if n, direct := len(r.Server.Sent(group)), len(r.Server.Sent(ada)); n != 1 || direct != 1 {
				t.Errorf("%d messages in the group, %d in the direct chat", n, direct)
			}
		})
	}
}

func TestAPressIsAnsweredWhenItsCardChanges(t *testing.T) {
	r := newRig(t, nil)
	r.Adapter.Hold(time.Hour)
	h := adaptertest.NewRecorder()
	r.Start(h)
	e, query := r.pressed(h, 1)
	id, _ := strconv.ParseInt(e.Message, 10, 64)
	second := r.Server.Press(ada, group, id, "ask.yes:t1")
	h.Events(r.Ctx, t, 2)
	if r.Server.Answered(query) {
		t.Error("answered before there was anything to show")
	}
	d := chat.Delivery{Key: "k", Address: e.Address, Message: e.Message, Payload: r.Payload(chat.Post{Markdown: "May I? Yes."}), Interaction: e.Interaction}
	if _, err := r.Adapter.Edit(r.Ctx, d); err != nil {
		t.Fatal(err)
	}
	r.Await("an answer to the press", func() bool { return r.Server.Answered(query) })
	if r.Server.Answered(second) {
		t.Error("a second press was answered by what came of the first")
	}
	if err := r.Adapter.Typing(r.Ctx, inGroup); err != nil {
		t.Fatal(err)
	}
	r.Await("an answer to the second press", func() bool { return r.Server.Answered(second) })
	if got := r.Server.Notices(group); len(got) != 0 {
		t.Errorf("notices: %+v", got)
	}
}

func TestAPressThatCanNoLongerBeAnsweredIsHandedOver(t *testing.T) {
	r := newRig(t, nil)
	r.Adapter.Hold(time.Millisecond)
	h := adaptertest.NewRecorder()
	r.Start(h)
	r.Server.Break(simulator.Fault{
		Method: "answerCallbackQuery", Times: -1, Code: 400,
		Description: "Bad Request: query is too old and response timeout expired or query ID is invalid",
	})
	for n := range 2 {
		if e, _ := r.pressed(h, n+1); e.Press == nil || *e.Press != (chat.PressData{Action: "ask.yes", Token: "t1"}) {
			t.Errorf("came %+v", e)
		}
	}
	r.confirmed()
}
