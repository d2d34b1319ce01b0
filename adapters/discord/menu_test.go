package discord_test

import (
	"fmt"
	"strings"
	"testing"

	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"
)

func TestTheMenuIsRegisteredOnlyWhereItDiffers(t *testing.T) {
	r := newRig(t, simulator.Options{})
	menu := chat.Menu{Commands: []chat.MenuCommand{{Name: "help", Description: "What I can do"}, {Name: "stop", Description: strings.Repeat("long ", 50)}}}
	for range 2 {
		r.adapter = r.another()
		r.adapter.UseMenu(menu)
		stop := r.start(nil)
		r.listening()
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		r.await("the end of the connection", func() bool { return r.server.Ready() == 0 })
	}
	if n := r.server.Calls("putCommands"); n != 1 {
		t.Errorf("registered %d times", n)
	}
	r.adapter = r.another()
	r.adapter.UseMenu(chat.Menu{Commands: menu.Commands[:1]})
	r.start(nil)
	r.await("the smaller menu", func() bool { return fmt.Sprint(r.server.Commands()) == "[help]" })
}

func TestTooLargeAMenuIsCut(t *testing.T) {
	r := newRig(t, simulator.Options{})
	menu := chat.Menu{Commands: []chat.MenuCommand{{Name: "Not A Name", Description: "x"}, {Name: "silent"}}}
	for i := range 120 {
		menu.Commands = append(menu.Commands, chat.MenuCommand{Name: fmt.Sprintf("command-%d", i), Description: "x"})
	}
	r.adapter.UseMenu(menu)
	r.start(nil)
	r.await("the menu", func() bool { return len(r.server.Commands()) == 100 })
	r.log.await(t, r.ctx, "command-119")
}
