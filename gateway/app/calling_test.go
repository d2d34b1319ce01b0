package app_test

import (
	"path/filepath"
	"regexp"
	"testing"

	"talaria/adapters/fake/discord"
	"talaria/adapters/fake/slack"
	fake "talaria/adapters/fake/telegram"
	"talaria/gateway/config"
)

// single is one replica of the program on a store of its own, and a platform.
func single(t *testing.T, s stage) *troupe {
	t.Helper()
	cfg, _, err := config.Load("", append(s.environ(), "TALARIA_WEB_LISTEN=off", "TALARIA_STORAGE_URL=sqlite:"+filepath.Join(t.TempDir(), "t.db")))
	if err != nil {
		t.Fatal(err)
	}
	w := &troupe{T: t, stage: s}
	w.start(cfg)
	w.listening()
	return w
}

// status is what the command of that name answers, in either language, and
// nothing else says.
var status = regexp.MustCompile("Nothing is running|目前没有进行中的事")

// calling is one way in which something is said to the bot.
type calling struct {
	name string
	say  func()
	is   bool // a command
}

// answers has each calling answered before the next, and looks at whether it was
// taken for the command.
func (w *troupe) answers(all []calling) {
	w.Helper()
	for _, c := range all {
		before := len(w.posted())
		c.say()
		got := w.hears(before, `[^\s…]`) // the ellipsis holds an answer's place
		if is := status.MatchString(got.text); is != c.is {
			w.Errorf("%s: a command: %v, answered with %q", c.name, is, got.text)
		}
	}
}

func TestACommandIsCalledInEveryWayAndLanguageOnSlack(t *testing.T) {
	st := onSlack(t).(slackStage)
	w := single(t, st)
	eve, at := st.id(eve), "<@"+slack.BotUser+"> "
	said := func(text string) func() { return func() { st.Say(eve, slackChannel, text) } }
	slash := func(text string) func() { return func() { st.Slash(eve, slackChannel, text) } }
	edited := func(text string) func() {
		return func() { st.Edit(slackChannel, st.Say(eve, slackChannel, "a slip"), text) }
	}
	w.answers([]calling{
		{"slash", slash("status"), true},
		{"slash with a slash", slash("/status"), true},
		{"slash in Chinese", slash("状态"), true},
		{"slash in Chinese with a slash", slash("／状态"), true},
		{"bang", said("!talaria status"), true},
		{"bang in Chinese", said("!talaria 状态"), true},
		{"mention", said(at + "/status"), true},
		{"mention in Chinese", said(at + "/状态"), true},
		{"mention in Chinese, wide", said(at + "／状态"), true},
		{"edited mention", edited(at + "/status"), false},
		{"edited mention in Chinese", edited(at + "/状态"), false},
	})
	count := len(w.posted())
	said("/状态")() // talk among people
	w.answers([]calling{{"the next", said(at + "/status"), true}})
	if n := len(w.posted()); n != count+1 {
		t.Errorf("%d answers to one command and some talk", n-count)
	}
}

func TestACommandIsCalledInEveryWayAndLanguageOnDiscord(t *testing.T) {
	st := onDiscord(t).(discordStage)
	w := single(t, st)
	eve, at := st.id(eve), "<@"+discord.BotID+"> "
	said := func(text string) func() { return func() { st.Say(eve, discordChannel, text) } }
	w.answers([]calling{
		{"native", func() { st.Command(eve, discordChannel, "status") }, true},
		{"mention", said(at + "/status"), true},
		{"mention in Chinese", said(at + "/状态"), true},
		{"edited mention in Chinese", func() { st.Rewrite(discordChannel, st.Say(eve, discordChannel, "a slip"), at+"/状态") }, false},
	})
}

func TestACommandIsCalledInEveryWayAndLanguageOnTelegram(t *testing.T) {
	st := onTelegram(t).(telegramStage)
	w := single(t, st)
	eve, at := st.id(eve), "@"+fake.BotName+" "
	said := func(text string) func() { return func() { st.Say(eve, group, text) } }
	w.answers([]calling{
		{"bare", said("/status"), true},
		{"with the bot's name", said("/status@" + fake.BotName), true},
		{"mention in Chinese", said(at + "/状态"), true},
		{"unknown with the bot's name", said("/wonder@" + fake.BotName), false},
		{"unknown with a mention", said("/wonder " + at), false},
	})
	count := len(w.posted())
	said("/wonder")() // which may be another bot's
	w.answers([]calling{{"the next", said("/status"), true}})
	if n := len(w.posted()); n != count+1 {
		t.Errorf("%d answers to one command and one that may be another bot's", n-count)
	}
}
