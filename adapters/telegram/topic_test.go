package telegram_test

import (
	"testing"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/telegram"
	"talaria/core/chat"
)

// Topics in private chats came with Bot API 9.3
// (core.telegram.org/bots/api#message, is_topic_message).
func TestWhatIsSaidInATopicOfADirectChatIsAnsweredThere(t *testing.T) {
	const topic = 7
	r := newRig(t, nil)
	h := adaptertest.NewRecorder()
	r.Start(h)
	r.Server.Say(ada, ada, "outside")
	r.Server.Topic(ada, topic)
	r.Server.Speak(simulator.Speech{User: ada, Chat: ada, Thread: topic, Text: "inside"})
	var inside chat.Event
	for _, e := range h.Events(r.Ctx, t, 2) {
		if e.Text == "inside" {
			inside = e
		}
	}
	if inside.Address.Thread != "7" || !inside.Direct || inside.Addressed != chat.ByDM {
		t.Fatalf("came %+v", inside)
	}
	d := beginning(t, r, "k1", "an answer")
	d.Address, d.ReplyTo = inside.Address, inside.Message
	if err := r.Adapter.Typing(r.Ctx, d.Address); err != nil {
		t.Error(err)
	}
	if err := r.Adapter.Draft(r.Ctx, d); err != nil {
		t.Error(err)
	}
	if _, err := r.Adapter.Send(r.Ctx, d); err != nil {
		t.Error(err)
	}
	if sent, drafts := r.Server.Sent(ada), r.Server.Drafts(ada); len(sent) != 1 || sent[0].Thread != topic || len(drafts) != 1 || drafts[0].Thread != topic {
		t.Errorf("sent %+v, after drafts %+v", sent, drafts)
	}
}
