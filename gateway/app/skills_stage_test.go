package app_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/adapters/fake/discord"
	"talaria/adapters/fake/slack"
	fake "talaria/adapters/fake/telegram"
	"talaria/core/chat"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/storage/redis/redistest"
)

// role is one of the people of a shared place.
type role string

const (
	ada role = "admin"
	ben role = "approver"
	cy  role = "member"
)

// posted is a message of the bot's in the shared place.
type posted struct {
	id, text string
	buttons  map[string]string // ids by labels
}

// stage is a simulated platform with a shared place and one approver in it.
type stage interface {
	environ() []string
	place() chat.Address
	identity(who role) chat.Identity
	// command is given in the shared place.
	command(who role, line string)
	// speak says something to the bot.
	speak(who role, text string)
	press(who role, p posted, label string)
	// edit enters a text where the press of Edit asked for it.
	edit(t *testing.T, who role, p posted, text string)
	posted() []posted
	await(ctx context.Context, condition func() bool) error
	// connected reports whether what is said is told to a replica.
	connected() bool
	breaches() []string
}

// stages are all platforms.
var stages = map[string]func(t *testing.T) stage{
	"telegram": onTelegram, "slack": onSlack, "discord": onDiscord,
}

// troupe is two replicas of the program on one Redis, and a platform.
type troupe struct {
	*testing.T
	stage
	replicas []*app.App
}

func newTroupe(t *testing.T, s stage) *troupe {
	server := redistest.Start(t, redistest.Options{})
	w := &troupe{T: t, stage: s}
	for n := range 2 {
		cfg, _, err := config.Load("", append(s.environ(), "TALARIA_WEB_LISTEN=off", "TALARIA_STORAGE_URL="+server.URL(),
			"TALARIA_STORAGE_DIR="+t.TempDir(), "TALARIA_STORAGE_REPLICA=r"+strconv.Itoa(n)))
		if err != nil {
			t.Fatal(err)
		}
		w.start(cfg)
	}
	w.listening()
	return w
}

func (w *troupe) start(cfg config.Config) {
	ready := make(chan struct{})
	a, err := app.New(w.Context(), app.Options{Config: cfg, Log: slog.New(slog.DiscardHandler), Ready: sync.OnceFunc(func() { close(ready) })})
	if err != nil {
		w.Fatal(err)
	}
	ctx, stop := context.WithCancel(w.Context())
	over := make(chan error, 1)
	go func() { over <- a.Run(ctx) }()
	w.Cleanup(func() {
		stop()
		if err := <-over; err != nil {
			w.Errorf("the program ended with %v", err)
		}
		if err := a.Close(); err != nil {
			w.Error(err)
		}
	})
	<-ready
	w.replicas = append(w.replicas, a)
}

// listening waits until what is said is told to somebody.
func (w *troupe) listening() {
	if err := w.await(w.Context(), w.connected); err != nil {
		w.Fatal(err)
	}
}

// tells is what each replica answers to a command that is typed in the shell.
func (w *troupe) tells(n int, who role, line string) string {
	w.Helper()
	post, err := w.replicas[n].Command(w.Context(), app.Typed{As: w.identity(who), At: w.place(), Line: line})
	if err != nil {
		w.Fatal(err)
	}
	return post.Markdown
}

// imports takes the skill of a name in from a folder, in the shell, and asks
// for it to be approved.
func (w *troupe) imports(who role, name string) string {
	w.Helper()
	dir := filepath.Join(w.TempDir(), name)
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(steps(name, "imported")), 0o600)); err != nil {
		w.Fatal(err)
	}
	post, err := w.replicas[0].Command(w.Context(), app.Typed{As: w.identity(who), At: w.place(), Import: dir, Approve: true})
	if err != nil {
		w.Fatal(err)
	}
	return post.Markdown
}

// both waits until both replicas tell what fits.
func (w *troupe) both(line, pattern string) {
	w.Helper()
	for n := range w.replicas {
		w.told(line, pattern, n)
	}
}

// told waits until one of some replicas tells what fits.
func (w *troupe) told(line, pattern string, replicas ...int) {
	w.Helper()
	fits := regexp.MustCompile(pattern)
	deadline := time.After(3 * time.Minute)
	for turn := 0; ; turn++ {
		n := replicas[turn%len(replicas)]
		got := w.tells(n, ben, line)
		if fits.MatchString(got) {
			return
		}
		select {
		case <-deadline:
			w.Fatalf("replica %d tells %q of %q, not %q", n, got, line, pattern)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// hears waits for a message in the shared place that fits and was not there
// before the given number of messages.
func (w *troupe) hears(after int, pattern string) posted {
	w.Helper()
	fits := regexp.MustCompile(pattern)
	ctx, cancel := context.WithTimeout(w.Context(), 3*time.Minute)
	defer cancel()
	var found *posted
	err := w.await(ctx, func() bool {
		all := w.posted()
		for _, p := range all[min(after, len(all)):] {
			if fits.MatchString(p.text) {
				found = &p
			}
		}
		return found != nil
	})
	if err != nil {
		var said []string
		for _, p := range w.posted() {
			said = append(said, p.text)
		}
		w.Fatalf("nothing like %q was said; said:\n%s", pattern, strings.Join(said, "\n----\n"))
	}
	return *found
}

// becomes waits until a message says something else.
func (w *troupe) becomes(p posted, pattern string) posted {
	w.Helper()
	fits := regexp.MustCompile(pattern)
	ctx, cancel := context.WithTimeout(w.Context(), 3*time.Minute)
	defer cancel()
	var now posted
	err := w.await(ctx, func() bool {
		for _, m := range w.posted() {
			if m.id == p.id {
				now = m
			}
		}
		return fits.MatchString(now.text)
	})
	if err != nil {
		w.Fatalf("the message did not become %q: %q", pattern, now.text)
	}
	return now
}

// Telegram.

type telegramStage struct{ *fake.Server }

func onTelegram(t *testing.T) stage {
	s := fake.New(t, fake.Options{NoFlood: true})
	s.Group(group, 1, 2, 3, 4, 5)
	return telegramStage{s}
}

func (s telegramStage) id(who role) int64 {
	return map[role]int64{ada: 1, ben: 2, cy: 3, gus: 4, eve: 5}[who]
}

func (s telegramStage) environ() []string {
	return []string{
		"TALARIA_ADAPTERS_TELEGRAM_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_TELEGRAM_API_URL=" + s.URL(), "TALARIA_ADAPTERS_TELEGRAM_PEOPLE=*",
		fmt.Sprintf("TALARIA_ADAPTERS_TELEGRAM_SPACES=telegram:%d", group), "TALARIA_PEOPLE_ADMINS=telegram:1", "TALARIA_PEOPLE_APPROVERS=telegram:2",
	}
}

func (s telegramStage) place() chat.Address {
	return chat.Address{Platform: "telegram", Chat: strconv.Itoa(group)}
}

func (s telegramStage) identity(who role) chat.Identity {
	return chat.Identity{Platform: "telegram", ID: fmt.Sprint(s.id(who))}
}

func (s telegramStage) command(who role, line string) { s.Say(s.id(who), group, "/"+line) }

func (s telegramStage) speak(who role, text string) {
	s.Say(s.id(who), group, "@"+fake.BotName+" "+text)
}

func (s telegramStage) press(who role, p posted, label string) {
	id, _ := strconv.ParseInt(p.id, 10, 64)
	s.Press(s.id(who), group, id, p.buttons[label])
}

func (s telegramStage) edit(t *testing.T, who role, p posted, text string) {
	before := len(s.posted())
	s.press(who, p, "Edit")
	asked := (&troupe{T: t, stage: s}).hears(before, "Reply to this message")
	id, _ := strconv.ParseInt(asked.id, 10, 64)
	s.Speak(fake.Speech{User: s.id(who), Chat: group, Text: text, ReplyTo: id})
}

// posted has what one person alone was told of a press among what was said.
func (s telegramStage) posted() (all []posted) {
	notices := s.Notices(group)
	defer func() {
		for _, n := range notices {
			all = append(all, posted{text: n.Text})
		}
	}()
	for _, m := range s.Sent(group) {
		for len(notices) > 0 && notices[0].At.Before(m.At) {
			all, notices = append(all, posted{text: notices[0].Text}), notices[1:]
		}
		p := posted{id: fmt.Sprint(m.ID), text: m.Text, buttons: map[string]string{}}
		for _, row := range m.Buttons {
			for _, b := range row {
				p.buttons[b.Text] = b.Data
			}
		}
		all = append(all, p)
	}
	return all
}

func (s telegramStage) await(ctx context.Context, c func() bool) error { return s.Await(ctx, c) }
func (s telegramStage) connected() bool                                { return true }
func (s telegramStage) breaches() []string                             { return s.Breaches() }

// Slack.

type slackStage struct{ *slack.Server }

const slackChannel = "CGENERAL"

func onSlack(t *testing.T) stage {
	s, err := slack.Start(slack.Options{NoLimits: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	st := slackStage{s}
	for _, who := range []role{ada, ben, cy, gus, eve} {
		s.People(slack.Person{ID: st.id(who), Name: string(who)})
	}
	s.Channel(slackChannel, st.id(ada), st.id(ben), st.id(cy), st.id(gus), st.id(eve))
	return st
}

func (s slackStage) id(who role) string { return "U" + strings.ToUpper(string(who)) }

func (s slackStage) environ() []string {
	return []string{
		"TALARIA_ADAPTERS_SLACK_BOT_TOKEN=" + s.BotToken(), "TALARIA_ADAPTERS_SLACK_APP_TOKEN=" + s.AppToken(),
		"TALARIA_ADAPTERS_SLACK_API_URL=" + s.URL(), "TALARIA_ADAPTERS_SLACK_PEOPLE=*",
		"TALARIA_ADAPTERS_SLACK_SPACES=slack:" + slack.Team + ":" + slackChannel,
		"TALARIA_PEOPLE_ADMINS=" + s.identity(ada).String(), "TALARIA_PEOPLE_APPROVERS=" + s.identity(ben).String(),
	}
}

func (s slackStage) place() chat.Address {
	return chat.Address{Platform: "slack", Workspace: slack.Team, Chat: slackChannel}
}

func (s slackStage) identity(who role) chat.Identity {
	return chat.Identity{Platform: "slack", Workspace: slack.Team, ID: s.id(who)}
}

func (s slackStage) command(who role, line string) { s.Slash(s.id(who), slackChannel, line) }

func (s slackStage) speak(who role, text string) {
	s.Say(s.id(who), slackChannel, "<@"+slack.BotUser+"> "+text)
}

func (s slackStage) press(who role, p posted, label string) {
	s.Press(s.id(who), slackChannel, p.id, p.buttons[label])
}

func (s slackStage) edit(t *testing.T, who role, p posted, text string) {
	s.press(who, p, "Edit")
	if err := s.Await(t.Context(), func() bool { return len(s.Views()) > 0 }); err != nil {
		t.Fatal(err)
	}
	s.Submit(s.Views()[0], s.id(who), map[string]string{"text": text})
}

func (s slackStage) posted() (all []posted) {
	for _, m := range s.Sent(slackChannel) {
		p := posted{id: m.TS, text: m.Text + string(m.Blocks), buttons: map[string]string{}}
		for _, b := range m.Buttons() {
			p.buttons[b.Label] = b.ID
		}
		all = append(all, p)
	}
	return all
}

func (s slackStage) await(ctx context.Context, c func() bool) error { return s.Await(ctx, c) }
func (s slackStage) connected() bool                                { open, _, _ := s.Sockets(); return open > 0 }
func (s slackStage) breaches() []string                             { return s.Breaches() }

// Discord.

type discordStage struct{ *discord.Server }

const (
	discordServer  = "9001"
	discordChannel = "9002"
)

func onDiscord(t *testing.T) stage {
	s := discord.New(t, discord.Options{NoRates: true})
	s.Guild(discordServer, "1", "2", "3", "4", "5")
	s.Channel(discordServer, discordChannel)
	return discordStage{s}
}

func (s discordStage) id(who role) string {
	return map[role]string{ada: "1", ben: "2", cy: "3", gus: "4", eve: "5"}[who]
}

func (s discordStage) environ() []string {
	return []string{
		"TALARIA_ADAPTERS_DISCORD_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_DISCORD_API_URL=" + s.URL(), "TALARIA_ADAPTERS_DISCORD_PEOPLE=*",
		"TALARIA_ADAPTERS_DISCORD_SPACES=discord:" + discordServer + ":" + discordChannel,
		"TALARIA_PEOPLE_ADMINS=discord:" + discordServer + ":1", "TALARIA_PEOPLE_APPROVERS=discord:" + discordServer + ":2",
	}
}

func (s discordStage) place() chat.Address {
	return chat.Address{Platform: "discord", Workspace: discordServer, Chat: discordChannel}
}

func (s discordStage) identity(who role) chat.Identity {
	return chat.Identity{Platform: "discord", ID: s.id(who)}
}

func (s discordStage) command(who role, line string) {
	s.Say(s.id(who), discordChannel, "<@"+discord.BotID+"> /"+line)
}

func (s discordStage) speak(who role, text string) {
	s.Say(s.id(who), discordChannel, "<@"+discord.BotID+"> "+text)
}

func (s discordStage) press(who role, p posted, label string) {
	s.Press(s.id(who), discordChannel, p.id, p.buttons[label])
}

func (s discordStage) edit(t *testing.T, who role, p posted, text string) {
	s.press(who, p, "Edit")
	if err := s.Await(t.Context(), func() bool { return len(s.Forms()) > 0 }); err != nil {
		t.Fatal(err)
	}
	s.Submit(s.Forms()[0], map[string]string{"text": text})
}

func (s discordStage) posted() (all []posted) {
	for _, m := range s.Sent(discordChannel) {
		p := posted{id: m.ID, text: m.Text, buttons: map[string]string{}}
		for _, b := range m.Buttons {
			p.buttons[b.Label] = b.CustomID
		}
		all = append(all, p)
	}
	return all
}

func (s discordStage) await(ctx context.Context, c func() bool) error { return s.Await(ctx, c) }
func (s discordStage) connected() bool                                { return s.Ready() > 0 }
func (s discordStage) breaches() []string                             { return s.Breaches() }
