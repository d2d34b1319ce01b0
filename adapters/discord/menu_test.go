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
		r.Adapter = r.another()
		r.Adapter.UseMenu(menu)
		stop := r.Start(nil)
		r.listening()
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		r.Await("the end of the connection", func() bool { return r.Server.Ready() == 0 })
	}
	if n := r.Server.Calls("putCommands"); n != 1 {
		t.Errorf("registered %d times", n)
	}
	if told := r.Server.Menu()[0].Localized; told["zh-CN"] != "我能做什么" || told["zh-TW"] == "" {
		t.Errorf("told %v", told)
	}
	r.Adapter = r.another()
	r.Adapter.UseMenu(chat.Menu{Commands: menu.Commands[:1]})
	r.Start(nil)
	r.Await("the smaller menu", func() bool { return fmt.Sprint(r.Server.Commands()) == "[help]" })
}

func TestTooLargeAMenuIsCut(t *testing.T) {
	r := newRig(t, simulator.Options{})
	menu := chat.Menu{Commands: []chat.MenuCommand{{Name: "Not A Name", Description: "x"}, {Name: "silent"}}}
	for i := range 120 {
		menu.Commands = append(menu.Commands, chat.MenuCommand{Name: fmt.Sprintf("command-%d", i), Description: "x"})
	}
	r.Adapter.UseMenu(menu)
	r.Start(nil)
	r.Await("the menu", func() bool { return len(r.Server.Commands()) == 100 })
	r.Log.Await(t, r.Ctx, "command-119")
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
	r.Adapter.UseMenu(chat.Menu{Commands: []chat.MenuCommand{
		many, heavy, {Name: "bare", Description: "x"}, {Name: "bare", Description: "collides"}, one("nameless", chat.MenuOption{Name: "Not A Name", Description: "x"}),
		one("unordered", chat.MenuOption{Name: "a", Description: "x"}, chat.MenuOption{Name: "b", Description: "x", Required: true}),
	}})
	kept := r.run()
	got := map[string]string{}
	for _, c := range r.Server.Menu() {
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
	r.Server.Command(ada, direct, "many", map[string]any{"type": 1, "name": "more", "options": []any{
		map[string]any{"type": 3, "name": "verb", "value": "verb-29"}, map[string]any{"type": 3, "name": "arguments", "value": "a b"},
	}})
	if e := kept.Events(r.Ctx, t, 1)[0]; e.Command.Args != "verb-29 a b" {
		t.Errorf("read %+v", e.Command)
	}
}
