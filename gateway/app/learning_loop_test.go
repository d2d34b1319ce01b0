package app_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/adapters/fake/discord"
	"talaria/adapters/fake/slack"
	fake "talaria/adapters/fake/telegram"
	"talaria/core/trace"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/storage"
)

// private is a simulated platform with one person in a conversation with the
// bot.
type private struct {
	environ  []string
	say      func(text string)
	command  func(line string)
	press    func(message int, label string) // of what the bot said
	said     func() []string
	up       func() bool // the bot hears what is said; nil: it hears later what was said before
	await    func(ctx context.Context, condition func() bool) error
	breaches func() []string
}

// privates are the platforms.
var privates = map[string]func(t *testing.T) private{
	"telegram": func(t *testing.T) private {
		s := fake.New(t, fake.Options{NoFlood: true})
		say := func(text string) { s.Say(admin, admin, text) }
		return private{
			environ: []string{
				"TALARIA_ADAPTERS_TELEGRAM_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_TELEGRAM_API_URL=" + s.URL(), "TALARIA_PEOPLE_ADMINS=telegram:1",
			},
			say: say, command: func(line string) { say("/" + line) }, said: func() []string { return said(s, admin) },
			press: func(n int, label string) {
				m := s.Sent(admin)[n]
				for _, row := range m.Buttons {
					for _, b := range row {
						if b.Text == label {
							s.Press(admin, admin, m.ID, b.Data)
						}
					}
				}
			},
			await: s.Await, breaches: s.Breaches,
		}
	},
	"slack": func(t *testing.T) private {
		const who = "UADA"
		s, err := slack.Start(slack.Options{NoLimits: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		s.People(slack.Person{ID: who, Name: "ada"})
		dm := s.Direct(who)
		return private{
			environ: []string{
				"TALARIA_ADAPTERS_SLACK_BOT_TOKEN=" + s.BotToken(), "TALARIA_ADAPTERS_SLACK_APP_TOKEN=" + s.AppToken(),
				"TALARIA_ADAPTERS_SLACK_API_URL=" + s.URL(), "TALARIA_PEOPLE_ADMINS=slack:" + slack.Team + ":" + who,
			},
			say: func(text string) { s.Say(who, dm, text) }, command: func(line string) { s.Slash(who, dm, line) },
			said: func() (all []string) {
				for _, m := range s.Sent(dm) {
					all = append(all, m.Text+string(m.Blocks))
				}
				return all
			},
			press: func(n int, label string) {
				m := s.Sent(dm)[n]
				for _, b := range m.Buttons() {
					if b.Label == label {
						s.Press(who, dm, m.TS, b.ID)
					}
				}
			},
			await: s.Await, breaches: s.Breaches,
		}
	},
	"discord": func(t *testing.T) private {
		const who, dm = "1", "9000"
		s := discord.New(t, discord.Options{NoRates: true})
		s.Direct(dm, who)
		say := func(text string) { s.Say(who, dm, text) }
		return private{
			environ: []string{
				"TALARIA_ADAPTERS_DISCORD_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_DISCORD_API_URL=" + s.URL(), "TALARIA_PEOPLE_ADMINS=discord:1",
			},
			say: say, command: func(line string) { say("/" + line) },
			said: func() (all []string) {
				for _, m := range s.Sent(dm) {
					all = append(all, m.Text)
				}
				return all
			},
			press: func(n int, label string) {
				m := s.Sent(dm)[n]
				for _, b := range m.Buttons {
					if b.Label == label {
						s.Press(who, dm, m.ID, b.CustomID)
					}
				}
			},
			up:    func() bool { return s.Ready() > 0 },
			await: s.Await, breaches: s.Breaches,
		}
	},
}

// loop is somebody who talks to the program from one day to the next.
type loop struct {
	*testing.T
	private
	url  string
	from int // what was said before is not heard again
}

// day runs the program as long as f takes, on the store of the days before.
func (l *loop) day(f func()) {
	l.Helper()
	cfg, _, err := config.Load("", append(l.environ, "TALARIA_WEB_LISTEN=off", "TALARIA_STORAGE_URL="+l.url, "TALARIA_LEARNING_REFLECTION_QUIET=1s"))
	if err != nil {
		l.Fatal(err)
	}
	ctx, stop := context.WithCancel(l.Context())
	over, ready := make(chan error, 1), make(chan struct{})
	go func() {
		over <- app.Serve(ctx, app.Options{Config: cfg, Log: slog.New(slog.DiscardHandler), Ready: func() { close(ready) }})
	}()
	defer func() {
		stop()
		if err := <-over; err != nil {
			l.Errorf("the program ended with %v", err)
		}
	}()
	<-ready
	if l.up != nil {
		if err := l.await(ctx, l.up); err != nil {
			l.Fatal(err)
		}
	}
	f()
}

// hears waits for something new from the bot and returns which message it is.
func (l *loop) hears(pattern string) int {
	l.Helper()
	fits := regexp.MustCompile("(?s)" + pattern)
	ctx, cancel := context.WithTimeout(l.Context(), 30*time.Second)
	defer cancel()
	found := -1
	err := l.await(ctx, func() bool {
		for n, text := range l.said() {
			if n >= l.from && fits.MatchString(text) {
				found = n
			}
		}
		return found >= 0
	})
	if err != nil {
		l.Fatalf("nothing like %q was said; said:\n%s", pattern, strings.Join(l.said(), "\n----\n"))
	}
	return found
}

// asks says something and waits for what is answered.
func (l *loop) asks(text, pattern string) {
	l.Helper()
	l.from = len(l.said())
	l.say(text)
	l.hears(pattern)
}

func (l *loop) orders(line, pattern string) {
	l.Helper()
	l.from = len(l.said())
	l.command(line)
	l.hears(pattern)
}

// calls are the tool calls of the tasks that began with a request that holds a
// text, the first task first.
func (l *loop) calls(part string) (calls []int) {
	l.Helper()
	s, err := app.OpenStore(l.Context(), config.Storage{URL: config.NewSecret(l.url)})
	if err != nil {
		l.Fatal(err)
	}
	defer s.Close()
	var tasks []trace.Task
	for n := range storage.Shards {
		err := trace.Each(l.Context(), s, storage.Shard(n), func(t trace.Task) error {
			if strings.Contains(t.Request, part) {
				tasks = append(tasks, t)
			}
			return nil
		})
		if err != nil {
			l.Fatal(err)
		}
	}
	slices.SortFunc(tasks, func(a, b trace.Task) int { return a.Turns[0].Began.Compare(b.Turns[0].Began) })
	for _, t := range tasks {
		calls = append(calls, t.Calls)
	}
	return calls
}

// TestTheLoopOnEveryPlatform: a task of eight steps with an error and a recovery
// becomes a skill by a button; the next day the same request in other words
// takes six; a correction with its reason becomes a seventh step of the skill,
// by itself and undoable.
func TestTheLoopOnEveryPlatform(t *testing.T) {
	const skill = "list-files-read-save"
	for name, open := range privates {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &loop{T: t, private: open(t), url: "sqlite:" + filepath.Join(t.TempDir(), "t.db")}
			l.day(func() {
				l.asks("write a file called plan.md with: oolong on Monday", "is written")
				l.orders("new", "fresh start")
				l.asks("list the files, then read plan.txt, then save it to copy-a.md, then read copy-a.md, then tell me the time in Berlin and Tokyo", "Tokyo")
				l.asks("remember how this is done", "New skill: .{0,4}"+skill)
				card := l.hears("New skill: .{0,4}" + skill)
				l.from = card
				l.press(card, "Approve")
				l.hears("Approved by [^:]*: .{0,4}" + skill)
				l.orders("skills list", skill)
			})
			l.day(func() {
				l.orders("new", "fresh start")
				l.asks("please list our files, read plan.txt and save it to copy-b.md, then read copy-b.md, and tell me the time in Berlin and Tokyo",
					"followed the skill.*oolong.*Berlin.*Tokyo")
				l.asks("no, tell me the time in Oslo too, because the customer is in Oslo", "I changed the skill .{0,4}"+skill)
				l.orders("new", "fresh start")
				l.asks("please list our files, read plan.txt and save it to copy-c.md, then read copy-c.md, and tell me the time in Berlin and Tokyo",
					"followed the skill.*Oslo")
				l.orders("reflect quick", "Review of.*please list our files") // which observes what was not yet
				l.orders("reflect list", "acted")
				l.orders("skills history "+skill, "2")
			})
			if got := l.calls("plan.txt"); len(got) != 3 || got[0] != 8 || got[1] != 6 && got[1] != 7 || got[2] != 7 {
				t.Errorf("tool calls of the three tasks: %v", got)
			}
			for _, b := range l.breaches() {
				t.Error(b)
			}
		})
	}
}
