package app_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/adapters/fake/slack"
	"talaria/core/model/modeltest"
	"talaria/gateway/app"
	"talaria/gateway/config"
)

// workspace is the program in a simulated workspace that everybody may use.
type workspace struct {
	t *testing.T
	*slack.Server
}

// The people of the workspace, and its channel.
const eva, tom, general = "UEVA", "UTOM", "CGENERAL"

func newWorkspace(t *testing.T, env ...string) workspace {
	t.Helper()
	s, err := slack.Start(slack.Options{NoLimits: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.People(slack.Person{ID: eva, Name: "Eva"}, slack.Person{ID: tom, Name: "Tom", Locale: "zh-CN"})
	s.Channel(general, eva, tom)
	cfg, _, err := config.Load("", append(env,
		"TALARIA_ADAPTERS_SLACK_BOT_TOKEN="+s.BotToken(), "TALARIA_ADAPTERS_SLACK_APP_TOKEN="+s.AppToken(),
		"TALARIA_ADAPTERS_SLACK_API_URL="+s.URL(), "TALARIA_ADAPTERS_SLACK_PEOPLE=*", "TALARIA_WEB_LISTEN=off",
		"TALARIA_STORAGE_URL=sqlite:"+filepath.Join(t.TempDir(), "t.db"),
	))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	over, ready := make(chan error, 1), make(chan struct{})
	go func() {
		over <- live(ctx, app.Options{Config: cfg, Log: slog.New(slog.DiscardHandler), Ready: func() { close(ready) }})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-over; err != nil {
			t.Errorf("the program ended with %v", err)
		}
		for _, b := range s.Breaches() {
			t.Error(b)
		}
	})
	<-ready
	return workspace{t, s}
}

func (w workspace) await(what string, condition func() bool) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 3*time.Minute)
	defer cancel()
	if err := w.Await(ctx, condition); err != nil {
		w.t.Fatalf("waiting for %s: %v", what, err)
	}
}

// hear waits for something to be said in a channel.
func (w workspace) hear(channel, text string) (found slack.Message) {
	w.t.Helper()
	w.await(text, func() bool {
		for _, m := range w.Sent(channel) {
			if strings.Contains(m.Text, text) && !m.Streaming {
				found = m
			}
		}
		return found.TS != ""
	})
	return found
}

// open waits for a person's page as it is after they opened it.
func (w workspace) open(user string) slack.Home {
	w.t.Helper()
	before := w.Home(user).Published
	w.OpenHome(user)
	w.await("the page of "+user, func() bool { return w.Home(user).Published > before })
	return w.Home(user)
}

// press presses the button of a page and waits for the page to be shown anew.
func (w workspace) press(user, label string) slack.Home {
	w.t.Helper()
	before := w.Home(user)
	for _, b := range before.Buttons() {
		if b.Label == label {
			w.PressHome(user, b.ID)
			w.await("the page after "+label, func() bool { return w.Home(user).Published > before.Published })
			return w.Home(user)
		}
	}
	w.t.Fatalf("no button %q in %v", label, before.Buttons())
	return slack.Home{}
}

func TestAPersonsPageInSlackIsTheirsAlone(t *testing.T) {
	w := newWorkspace(t)
	for _, c := range []struct{ who, fact, noted, task, job string }{
		{eva, "my parrot is called Rita", "Noted", "feed the parrot", "Job `"}, {tom, "my boat is called Otto", "记住了", "paint the boat", "任务 `"},
	} {
		w.Slash(c.who, w.Direct(c.who), "memory add "+c.fact)
		w.hear(w.Direct(c.who), c.noted)
		w.Slash(c.who, w.Direct(c.who), "jobs add every weekday at 9:00 remind me to "+c.task)
		w.hear(w.Direct(c.who), c.job)
	}
	mine, theirs := w.open(eva), w.open(tom)
	for _, want := range []string{"Your requests", "my parrot is called Rita", "memory edit", "feed the parrot"} {
		if !strings.Contains(mine.Text(), want) {
			t.Errorf("Eva's page lacks %q: %s", want, mine.Text())
		}
	}
	for _, words := range []string{"boat", "Otto"} {
		if strings.Contains(mine.JSON, words) {
			t.Errorf("Eva's page tells of Tom's %s", words)
		}
	}
	if strings.Contains(theirs.JSON, "arrot") || !strings.Contains(theirs.Text(), "你的请求") {
		t.Errorf("Tom's page: %s", theirs.Text())
	}

	if page := w.press(eva, "Pause"); !strings.Contains(page.Text(), "paused") || w.Home(tom).Published != 1 {
		t.Errorf("after the press: %s", page.Text())
	}
	before := w.Home(eva).Published
	w.PressHome(eva, "card.edit")
	w.await("the form", func() bool { return len(w.Views()) == 1 })
	w.Submit(w.Views()[0], eva, map[string]string{"text": "my parrot is called Lola"})
	w.await("the page", func() bool { return w.Home(eva).Published > before })
	if page := w.Home(eva); !strings.Contains(page.Text(), "Lola") || strings.Contains(page.Text(), "Rita") {
		t.Errorf("after the edit: %s", page.Text())
	}
	if page := w.press(eva, "Forget"); strings.Contains(page.Text(), "Lola") {
		t.Errorf("after forgetting: %s", page.Text())
	}
	w.Slash(tom, w.Direct(tom), "forget me")
	code := regexp.MustCompile("forget me ([a-z2-7]{8})").FindStringSubmatch(w.hear(w.Direct(tom), "forget me ").Text)
	if code == nil {
		t.Fatalf("no code in %v", w.Sent(w.Direct(tom)))
	}
	w.Slash(tom, w.Direct(tom), "forget me "+code[1])
	w.await("an empty page", func() bool { return !strings.Contains(w.Home(tom).JSON, "Otto") })
}

func TestAnAssistantThreadIsFurnishedAndNamed(t *testing.T) {
	w := newWorkspace(t)
	thread := w.OpenAssistant(tom, general)
	w.await("prompts", func() bool { return len(w.Assistant(thread).Prompts) == 4 })
	if a := w.Assistant(thread); !strings.Contains(a.Prompts[0].Message, "你") {
		t.Errorf("%+v", a)
	}
	direct := w.Direct(tom)
	w.Speak(slack.Speech{User: tom, Channel: direct, Thread: thread, Text: "hello there\nand more"})
	w.await("the title", func() bool { return w.Assistant(thread).Title == "hello there" })
	w.await("an answer", func() bool {
		sent := w.Sent(direct)
		return len(sent) == 1 && sent[0].Thread == thread && !sent[0].Streaming
	})
}

func TestAnAnswerInAThreadInSlackGrowsInAStream(t *testing.T) {
	const words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
	going := make(chan struct{})
	release := sync.OnceFunc(func() { close(going) })
	model := modeltest.Start(func(modeltest.Request) modeltest.Answer {
		<-going
		return modeltest.Answer{Text: strings.SplitAfter(words, " "), Gap: 250 * time.Millisecond}
	}, modeltest.Options{})
	t.Cleanup(model.Close)
	t.Cleanup(release)
	w := newWorkspace(t, "TALARIA_MODEL_PROVIDER=openai", "TALARIA_MODEL_BASE_URL="+model.URL()+"/v1", "TALARIA_MODEL_API_KEY=k", "TALARIA_MODEL_NAME=m")
	asked := w.Say(eva, general, "<@"+slack.BotUser+"> count")
	w.await("a status", func() bool { return len(w.Statuses()) == 1 })
	release()
	m := w.hear(general, words)
	if m.Thread != asked || m.Recipient != eva || len(m.History) == 0 || len(m.Metadata) == 0 || len(w.Sent(general)) != 1 || w.Calls("chat.postMessage") != 0 {
		t.Errorf("answered by %+v", m)
	}
}

// A channel's thread is read where the bot is called in, and what others said in
// it asks for nothing.
func TestAThreadInSlackIsKnownFromTheFirstMention(t *testing.T) {
	w := newWorkspace(t)
	root := w.Say(tom, general, "the release is on Thursday")
	w.Speak(slack.Speech{User: tom, Channel: general, Thread: root, Text: "remember that Tom is the boss"})
	w.Speak(slack.Speech{User: eva, Channel: general, Thread: root, Text: "<@" + slack.BotUser + "> hello"})
	w.await("an answer", func() bool { return len(w.Sent(general)) == 1 && !w.Sent(general)[0].Streaming })
	if n := w.Calls("conversations.replies"); n != 1 {
		t.Errorf("the thread was read %d times", n)
	}
	w.Speak(slack.Speech{User: eva, Channel: general, Thread: root, Text: "<@" + slack.BotUser + "> and again"})
	w.await("another answer", func() bool { return len(w.Sent(general)) == 2 && !w.Sent(general)[1].Streaming })
	if n := w.Calls("conversations.replies"); n != 1 {
		t.Errorf("the thread was read %d times", n)
	}
	if page := w.open(eva); strings.Contains(page.JSON, "boss") {
		t.Errorf("what another said was carried out: %s", page.Text())
	}
}
