package telegram_test

import (
	"strings"
	"testing"

	"talaria/adapters/adaptertest"
	"talaria/core/chat"

	"github.com/google/go-cmp/cmp"
)

func TestTheMenuIsRegisteredByScopeAndLanguageWhereItDiffers(t *testing.T) {
	r := newRig(t, nil)
	help := chat.MenuCommand{Name: "help", Description: "What I can do", Told: map[string]string{"zh": "我能做什么"}}
	link := chat.MenuCommand{Name: "link", Description: strings.Repeat("long ", 60), Direct: true}
	up := func(m ...chat.MenuCommand) {
		r.Adapter.UseMenu(chat.Menu{Commands: append(m, chat.MenuCommand{Name: "not-taken", Description: "x"})})
		h := adaptertest.NewRecorder()
		stop := r.Start(h)
		r.Server.Say(ada, ada, "up?")
		h.Events(r.Ctx, t, 1)
		if err := stop(); err != nil {
			t.Fatal(err)
		}
	}
	up(help, link)
	up(help, link)
	if n := r.Server.Calls("setMyCommands"); n != 4 {
		t.Errorf("registered %d times", n)
	}
	const helps, long = `{"command":"help","description":"What I can do"}`, `{"command":"link","description":"`
	text := strings.Repeat("long ", 51) + "…\"}"
	want := map[string]string{
		"default/": "[" + helps + "," + long + text + "]", "all_group_chats/": "[" + helps + "]",
		"default/zh":         `[{"command":"help","description":"我能做什么"},` + long + text + "]",
		"all_group_chats/zh": `[{"command":"help","description":"我能做什么"}]`,
	}
	if diff := cmp.Diff(want, r.Server.Menus()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	up(help)
	if n := r.Server.Calls("setMyCommands"); n != 6 {
		t.Errorf("registered %d times after a change of what groups don't show", n)
	}
	r.Log.Await(t, r.Ctx, "not-taken")
}
