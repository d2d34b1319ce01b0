package discord_test

import (
	"fmt"
	"strings"
	"testing"

	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"

	"github.com/google/go-cmp/cmp"
)

func TestTheMenuIsRegisteredOnlyWhereItDiffers(t *testing.T) {
	r := newRig(t, simulator.Options{})
	menu := chat.Menu{Commands: []chat.MenuCommand{{Name: "help", Description: "What I can do", Told: map[string]string{"zh": "我能做什么"}}, {Name: "stop", Description: strings.Repeat("long ", 50)}}}
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
	if told := r.server.Menu()[0].Localized; told["zh-CN"] != "我能做什么" || told["zh-TW"] == "" {
		t.Errorf("told %v", told)
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

func TestWhatDiscordWouldRefuseOfACommandIsTakenAsText(t *testing.T) {
	many := chat.MenuCommand{Name: "many", Description: "x"}
	for n := range 30 {
		many.Verbs = append(many.Verbs, chat.MenuVerb{Name: fmt.Sprint("verb-", n), Description: "x"})
	}
	heavy := chat.MenuCommand{Name: "heavy", Description: "x"}
	for n := range 20 {
		v := chat.MenuVerb{Name: fmt.Sprint("verb-", n), Description: strings.Repeat("y", 100)}
		for m := range 4 {
			v.Options = append(v.Options, chat.MenuOption{Name: fmt.Sprint("option-", m), Description: strings.Repeat("z", 100)})
		}
		heavy.Verbs = append(heavy.Verbs, v)
	}
	one := func(name string, options ...chat.MenuOption) chat.MenuCommand {
		return chat.MenuCommand{Name: name, Description: "x", Options: options}
	}
	r := newRig(t, simulator.Options{})
	r.adapter.UseMenu(chat.Menu{Commands: []chat.MenuCommand{
		many, heavy, {Name: "bare", Description: "x"}, {Name: "bare", Description: "collides"}, one("nameless", chat.MenuOption{Name: "Not A Name", Description: "x"}),
		one("unordered", chat.MenuOption{Name: "a", Description: "x"}, chat.MenuOption{Name: "b", Description: "x", Required: true}),
	}})
	kept := r.run()
	got := map[string]string{}
	for _, c := range r.server.Menu() {
		first := ""
		if len(c.Options) > 0 {
			first = c.Options[0].Name
		}
		got[c.Name] = fmt.Sprint(len(c.Options), first)
	}
	want := map[string]string{"many": "25verb-0", "heavy": "1arguments", "bare": "0", "nameless": "1arguments", "unordered": "1arguments"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	r.server.Command(ada, direct, "many", map[string]any{"type": 1, "name": "more", "options": []any{
		map[string]any{"type": 3, "name": "verb", "value": "verb-29"}, map[string]any{"type": 3, "name": "arguments", "value": "a b"},
	}})
	if e := kept.Events(r.ctx, t, 1)[0]; e.Command.Args != "verb-29 a b" {
		t.Errorf("read %+v", e.Command)
	}
}
