package app_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/scheduler"
	"talaria/scheduler/when"
	"talaria/storage/teststore"
)

// bot is the program on a store that outlives it.
type bot struct {
	t        *testing.T
	telegram *fake.Server
	path     string
	config   config.Config
	stop     func()
}

func newBot(t *testing.T, environ ...string) *bot {
	t.Helper()
	b := &bot{t: t, telegram: fake.New(t, fake.Options{NoFlood: true}), path: filepath.Join(t.TempDir(), "t.db")}
	var err error
	b.config, _, err = config.Load("", append([]string{
		"TALARIA_ADAPTERS_TELEGRAM_TOKEN=" + b.telegram.Token(), "TALARIA_ADAPTERS_TELEGRAM_API_URL=" + b.telegram.URL(),
		"TALARIA_ADAPTERS_TELEGRAM_PEOPLE=*", "TALARIA_PEOPLE_ADMINS=telegram:1", "TALARIA_WEB_LISTEN=off",
		"TALARIA_SCHEDULER_ZONE=Europe/Berlin", "TALARIA_STORAGE_URL=sqlite:" + b.path,
	}, environ...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// start runs the program until stop, or the end of the test.
func (b *bot) start() {
	ctx, cancel := context.WithCancel(b.t.Context())
	over := make(chan error, 1)
	ready := make(chan struct{})
	go func() {
		over <- live(ctx, app.Options{Config: b.config, Log: slog.New(slog.DiscardHandler), Ready: func() { close(ready) }})
	}()
	stopped := false
	b.stop = func() {
		if cancel(); stopped {
			return
		}
		stopped = true
		if err := <-over; err != nil {
			b.t.Errorf("the program ended with %v", err)
		}
	}
	b.t.Cleanup(b.stop)
	<-ready
}

// ago is the scheduler's desk of a person as it was some time ago: jobs that
// are made there have missed what was due since.
func (b *bot) ago(d time.Duration, user string, place chat.Address, direct bool, use func(ctx context.Context, h scheduler.Handle)) {
	b.t.Helper()
	s := teststore.Open(b.t, b.path, -d)
	defer s.Close()
	identity := chat.Identity{Platform: "telegram", ID: user}
	who := person.Principal{Person: person.Home(identity), Identity: identity, Role: person.Member, Place: place, Direct: direct}
	maker := scheduler.New(scheduler.Config{
		Store: s, People: everybody{}, Limits: scheduler.Limits{Jobs: 50, Every: time.Minute}, Log: slog.New(slog.DiscardHandler), Zone: time.UTC,
	})
	use(b.t.Context(), maker.For(who))
}

// everybody has the rights they had.
type everybody struct{}

func (everybody) Present(_ context.Context, p person.Principal) (person.Principal, error) {
	return p, nil
}

func (everybody) DirectOf(_ context.Context, p person.Principal) (person.Principal, bool, error) {
	return p, false, nil
}

func dm(user string) chat.Address { return chat.Address{Platform: "telegram", Chat: user} }

var jobID = regexp.MustCompile("(?:Job|任务) ([a-z2-7]{5,})[:：]")

func TestAJobIsMadeFiredAndTalkedAbout(t *testing.T) {
	b := newBot(t)
	b.start()
	s := b.telegram
	s.Say(admin, admin, "/jobs add 0 9 * * 1-5 remind me to water the plants")
	made := hears(t, s, admin, jobID.String())
	if !strings.Contains(made, "Europe/Berlin") || strings.Count(made, ":00") < 3 {
		t.Errorf("read back as %q: zone and next three times are missing", made)
	}
	id := jobID.FindStringSubmatch(made)[1]
	s.Say(admin, admin, "/jobs run "+id)
	hears(t, s, admin, "^Reminder: water the plants$")
	s.Say(admin, admin, "/jobs")
	hears(t, s, admin, "(?s)"+id+".*next.*water the plants")
	s.Say(admin, admin, "/jobs pause "+id)
	hears(t, s, admin, "Paused.*paused")
	s.Say(admin, admin, "/jobs resume "+id)
	hears(t, s, admin, "On again.*next")
	s.Say(admin, admin, "/jobs set "+id+" overlap queue")
	hears(t, s, admin, `overlap: queue`)
	s.Say(admin, admin, "/jobs show "+id)
	hears(t, s, admin, `(?s)overlap: queue.*runs: 1`)
	s.Say(stranger, stranger, "/jobs delete "+id)
	hears(t, s, stranger, "no such job of yours")
	s.Say(admin, admin, "/jobs delete "+id)
	hears(t, s, admin, "Deleted")
}

func TestAJobIsMadeByTalking(t *testing.T) {
	b := newBot(t)
	b.start()
	s := b.telegram
	s.Say(admin, admin, "please remind me every Friday at 17:00 to send the report")
	made := hears(t, s, admin, "(?s)Job .*Reminder: ")
	if !strings.Contains(made, "send the report") || strings.Count(made, "Fri ") < 3 {
		t.Errorf("read back as %q", made)
	}
	s.Say(stranger, stranger, "每天早上9点提醒我喝水")
	hears(t, s, stranger, "(?s)任务 .*09:00.*提醒：喝水")
	s.Say(stranger, stranger, "取消任务 "+jobID.FindStringSubmatch(hears(t, s, stranger, jobID.String()))[1])
	hears(t, s, stranger, "已删除")
	s.Say(stranger, stranger, "what reminders do I have?")
	hears(t, s, stranger, "no jobs of yours")
}

func TestAMissedJobIsMadeUpForOnceAndSaysSo(t *testing.T) {
	b := newBot(t)
	b.start()
	b.telegram.Say(admin, admin, "hello")
	hears(t, b.telegram, admin, ".")
	b.stop()
	b.ago(5*time.Hour, "1", dm("1"), true, func(ctx context.Context, h scheduler.Handle) {
		each := when.Schedule{Kind: when.Recurring, Zone: "UTC", EverySeconds: 3600, From: time.Now().Add(-5*time.Hour - time.Minute)}
		if _, err := h.Add(ctx, scheduler.Order{Key: "k", Say: "the hourly word", Schedule: each}); err != nil {
			t.Fatal(err)
		}
	})
	b.start()
	text := hears(t, b.telegram, admin, "the hourly word")
	if !strings.Contains(text, "late") {
		t.Errorf("said %q, and not that it is late", text)
	}
	b.telegram.Say(admin, admin, "what is 20+3")
	hears(t, b.telegram, admin, "23")
	times := 0
	for _, said := range said(b.telegram, admin) {
		times += strings.Count(said, "the hourly word")
	}
	if times != 1 {
		t.Errorf("the missed hours were made up for %d times", times)
	}
}

func TestWhatAJobSaidIsPartOfTheConversation(t *testing.T) {
	b := newBot(t)
	b.start()
	s := b.telegram
	s.Say(admin, admin, "/jobs add 0 9 * * * remind me to buy 3 red apples")
	s.Say(admin, admin, "/jobs run "+jobID.FindStringSubmatch(hears(t, s, admin, jobID.String()))[1])
	hears(t, s, admin, "^Reminder: buy 3 red apples$")
	s.Say(admin, admin, "save it to list.txt")
	s.Say(admin, admin, "read list.txt")
	hears(t, s, admin, "(?s)list.txt.*Reminder: buy 3 red apples")
}

func TestAJobOfAGroupThatIsGoneComesToItsOwner(t *testing.T) {
	b := newBot(t)
	s := b.telegram
	s.Group(group, admin, stranger)
	b.start()
	s.Say(stranger, stranger, "hello")
	hears(t, s, stranger, ".")
	s.Say(admin, group, "/settings here on")
	hears(t, s, group, "full members")
	s.Say(stranger, group, "/jobs add 0 9 * * * remind us to stand up")
	id := jobID.FindStringSubmatch(hears(t, s, group, jobID.String()))[1]
	s.Say(stranger, stranger, "/jobs run "+id)
	hears(t, s, group, "^Reminder: stand up$")
	s.Restrict(group, stranger, "left")
	s.Say(stranger, stranger, "/jobs run "+id)
	hears(t, s, stranger, "(?s)no longer a member.*Reminder: stand up")
}
