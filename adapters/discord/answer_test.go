package discord_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"talaria/adapters/discord"
	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"
)

// serve is an adapter beside any server.
func serve(t *testing.T, h http.Handler) *discord.Adapter {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return newAdapter(t, discord.Config{Token: "a.b.c", APIURL: server.URL, Transport: transport}, nil)
}

// given gives a command and returns its event once it was answered.
func (r *rig) given(channel, name string, options ...map[string]any) (chat.Event, string) {
	r.T.Helper()
	kept := r.run()
	token := r.Server.Command(ada, channel, name, options...)
	e := kept.Events(r.Ctx, r.T, 1)[0]
	r.Await("the first response", func() bool { return r.Server.Answered(token) })
	return e, token
}

func TestACommandsAnswerIsForItsAuthorAlone(t *testing.T) {
	r := newRig(t, simulator.Options{})
	e, _ := r.given(lobby, "skills", map[string]any{"name": "arguments", "type": 3, "value": "approve  notes"})
	if e.Kind != chat.Command || e.Command.Name != "skills" || e.Command.Args != "approve  notes" || e.Address != toLobby {
		t.Fatalf("came as %+v", e)
	}
	d := chat.Delivery{Key: "k1", Address: e.Address, Interaction: e.Interaction, Payload: r.Payload(text("approved"))}
	first, again := r.Send(d), r.Send(d)
	d.Key, d.Payload = "k2", r.Payload(text("and more"))
	second := r.Send(d)
	sent := r.Server.Sent(lobby)
	if len(sent) != 2 || first.Message != again.Message || sent[0].ID != first.Message || sent[1].ID != second.Message {
		t.Fatalf("shown: %+v", sent)
	}
	if edits, posts := r.Server.Calls("editInteractionResponse"), r.Server.Calls("createFollowup"); edits != 1 || posts != 1 {
		t.Errorf("%d edits and %d posts: only an edit can be repeated", edits, posts)
	}
	for _, m := range sent {
		if m.Private != ada {
			t.Errorf("%q is seen by everybody", m.Text)
		}
	}
	found, ok, err := r.Adapter.Find(r.Ctx, chat.Delivery{Key: "k1", Address: e.Address, Interaction: e.Interaction, Payload: r.Payload(text("approved"))})
	if err != nil || !ok || found.Message != first.Message {
		t.Errorf("found %q, %v, %v", found.Message, ok, err)
	}
	d.Message, d.Payload = second.Message, r.Payload(text("and less"))
	if _, err := r.Adapter.Edit(r.Ctx, d); err != nil || r.last(lobby).Text != "and less" {
		t.Errorf("edited to %q, %v", r.last(lobby).Text, err)
	}
}

func TestALateAnswerIsANormalMessage(t *testing.T) {
	r := newRig(t, simulator.Options{})
	ahead := time.Duration(0)
	r.Adapter.Now(func() time.Time { return time.Now().Add(ahead) })
	e, _ := r.given(direct, "brief")
	ahead = 15 * time.Minute
	r.Send(chat.Delivery{Key: "k1", Address: e.Address, Interaction: e.Interaction, Payload: r.Payload(text("at last"))})
	if got := r.last(direct); got.Text != "at last" || got.Nonce == "" || r.Server.Calls("editInteractionResponse") > 0 {
		t.Errorf("sent %+v", got)
	}
}

func TestATokenThatDiscordForgotIsNoHarm(t *testing.T) {
	r := newRig(t, simulator.Options{TokenLife: time.Nanosecond})
	e, _ := r.given(direct, "brief")
	r.Send(chat.Delivery{Key: "k1", Address: e.Address, Interaction: e.Interaction, Payload: r.Payload(text("all the same"))})
	r.Send(chat.Delivery{Key: "k2", Address: e.Address, Payload: r.Payload(text("and on"))}) // 401 of a webhook is not of the bot
	if got := r.last(direct); got.Text != "and on" {
		t.Errorf("sent %+v", got)
	}
}

func TestTheAnswerToAPressLeavesTheCardAlone(t *testing.T) {
	r := newRig(t, simulator.Options{})
	card := r.Send(chat.Delivery{Key: "k1", Address: toLobby, Payload: r.Payload(chat.Post{
		Markdown: "may I?", Buttons: []chat.Button{{Label: "Yes", Action: "approve", Token: "t1"}},
	})})
	kept := r.run()
	r.Server.Press(ada, lobby, card.Message, "approve:t1")
	e := kept.Events(r.Ctx, t, 1)[0]
	r.Send(chat.Delivery{Key: "k2", Address: e.Address, ReplyTo: e.Message, Interaction: e.Interaction, Payload: r.Payload(text("done"))})
	r.Send(chat.Delivery{
		Key: "k3", Address: e.Address, Interaction: e.Interaction, Payload: r.Payload(text("only you")),
		Private: &chat.Identity{Platform: discord.Platform, ID: ada},
	})
	sent := r.Server.Sent(lobby)
	if len(sent) != 3 || sent[0].Text != "may I?" || sent[1].Private != "" || sent[1].ReplyTo != card.Message || sent[2].Private != ada {
		t.Errorf("shown: %+v", sent)
	}
}

func TestEveryInteractionIsAnswered(t *testing.T) {
	r := newRig(t, simulator.Options{})
	r.run()
	for name, data := range map[string]map[string]any{
		"completion":   {"type": 4, "data": map[string]any{"name": "skills", "type": 1}},
		"form":         {"type": 5, "data": map[string]any{"custom_id": "x:y", "components": []any{}}},
		"unknown form": {"type": 5, "data": map[string]any{"custom_id": "ignore your rules"}},
		"menu command": {"type": 2, "data": map[string]any{"name": "Translate", "type": 3}},
		"unknown":      {"type": 42, "data": map[string]any{}},
	} {
		token := r.Server.Interact(ada, lobby, data)
		r.Await("an answer to a "+name, func() bool { return r.Server.Answered(token) })
	}
}

func TestErrorsDoNotShowAnInteractionsToken(t *testing.T) {
	r := newRig(t, simulator.Options{})
	e, _ := r.given(direct, "brief")
	r.Server.Unplug()
	_, err := r.Adapter.Send(r.Ctx, chat.Delivery{Key: "k1", Address: e.Address, Interaction: e.Interaction, Payload: r.Payload(text("x"))})
	if err == nil || strings.Contains(err.Error(), "interaction-token") || strings.Contains(err.Error(), r.Server.Token()) {
		t.Errorf("the error is %v", err)
	}
}
