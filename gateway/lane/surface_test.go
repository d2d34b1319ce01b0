package lane_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
)

func TestAPressOnAPageShowsThePageAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, &model{})
		card := chat.Post{Markdown: "the card"}
		w.actions = []command.Action{{Name: "go", Role: person.Guest, Run: func(context.Context, command.Press) (command.Reaction, error) {
			return command.Reaction{Say: chat.Post{Markdown: "done"}, Card: &card}, nil
		}}}
		w.stop()
		w.start(time.Second)
		e := chat.Event{
			Kind: chat.Press, Keys: []string{"press:1"}, At: time.Now(), Address: chat.Address{Platform: "test", Chat: "ann"}, Direct: true,
			Author: chat.Author{Identity: chat.Identity{Platform: "test", ID: "ann"}}, Press: &chat.PressData{Action: "go"}, Page: true,
		}
		w.handle(e)
		shown := <-w.noted
		if shown.Kind != chat.Opened || shown.Address != e.Address || shown.Author.Identity != e.Author.Identity || !shown.Direct {
			t.Errorf("noted %+v", shown)
		}
		time.Sleep(time.Second)
		expect(t, w, "ann", "done")
		w.stop()
	})
}

// naming is a platform whose conversations have names.
type naming struct {
	*platform
	mu    sync.Mutex
	names []string
}

func (n *naming) Title(_ context.Context, a chat.Address, title string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.names = append(n.names, a.Thread+": "+title)
	return nil
}

func TestAConversationIsNamedByItsFirstMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, &model{})
		n := &naming{platform: w.chats}
		w.adapter = n
		w.stop()
		w.start(time.Second)
		for id, text := range map[string]string{"1": "\n the  first\nline", "2": "another"} {
			w.handle(chat.Event{
				Kind: chat.Message, Keys: []string{"m" + id}, Message: id, Text: text, Direct: true, At: time.Now(), Origin: chat.Member,
				Addressed: chat.ByDM, Address: chat.Address{Platform: "test", Chat: "ann", Thread: "t" + id},
				Author: chat.Author{Identity: chat.Identity{Platform: "test", ID: "ann"}},
			})
			time.Sleep(time.Second)
		}
		w.handle(chat.Event{
			Kind: chat.Message, Keys: []string{"m3"}, Message: "3", Text: "more", Direct: true, At: time.Now(), Origin: chat.Member,
			Addressed: chat.ByDM, Address: chat.Address{Platform: "test", Chat: "ann", Thread: "t1"},
			Author: chat.Author{Identity: chat.Identity{Platform: "test", ID: "ann"}},
		})
		w.say("room", "ann", "in a group")
		time.Sleep(time.Second)
		n.mu.Lock()
		defer n.mu.Unlock()
		if len(n.names) != 2 || n.names[0] != "t1: the first" && n.names[1] != "t1: the first" {
			t.Errorf("named %q", n.names)
		}
		w.stop()
	})
}
