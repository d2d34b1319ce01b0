package slack_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/slack"
	"talaria/adapters/slack"
	"talaria/core/chat"
)

// The people and places of the tests.
const (
	ada     = "UADA01"
	guest   = "UGUEST1"
	general = "C0GENERAL"
)

func TestConformanceSocket(t *testing.T) {
	adaptertest.Run(t, adaptertest.Harness{New: func(t *testing.T, log *slog.Logger) adaptertest.World {
		return newWorld(t, slack.Socket, log)
	}})
}

func TestConformanceHTTP(t *testing.T) {
	adaptertest.Run(t, adaptertest.Harness{New: func(t *testing.T, log *slog.Logger) adaptertest.World {
		return newWorld(t, slack.HTTP, log)
	}})
}

func newWorld(t *testing.T, mode slack.Mode, log *slog.Logger) adaptertest.World {
	server, adapter := newPair(t, mode, nil, simulator.Options{NoLimits: true, Tries: -1, Minute: 5 * time.Millisecond, Ordered: true}, log)
	root := server.Past(simulator.Speech{User: ada, Channel: general, Text: "a thread begins"})
	direct := server.Direct(ada)
	w := world{t: t, server: server}
	return adaptertest.World{
		Adapter:      adapter,
		Secrets:      []string{server.BotToken(), server.AppToken(), server.SigningSecret()},
		Direct:       place(direct, ""),
		Shared:       place(general, ""),
		Thread:       place(general, root),
		Person:       identity(ada),
		Guest:        identity(guest),
		Say:          w.say,
		SayAsBot:     w.sayAsBot,
		Press:        w.press,
		Acknowledged: server.Acknowledged,
		Await:        server.Await,
		Shown:        w.shown,
		Fail:         w.fail,
		Upload:       w.upload,
		Break:        func() { server.Break(simulator.Fault{Times: -1, Error: "invalid_auth"}) },
		Breaches:     server.Breaches,
	}
}

// newPair makes a simulator and an adapter that are set up for each other.
func newPair(t *testing.T, mode slack.Mode, change func(*slack.Config), opts simulator.Options, log *slog.Logger) (*simulator.Server, *slack.Adapter) {
	t.Helper()
	var target http.Handler
	if mode == slack.HTTP {
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { target.ServeHTTP(w, r) }))
		t.Cleanup(front.Close)
		opts.Callback = front.URL
	}
	server := simulator.New(t, opts)
	server.People(simulator.Person{ID: ada, Name: "Ada"}, simulator.Person{ID: guest, Name: "Gus", Restricted: true})
	server.Channel(general, ada, guest)
	cfg := slack.Config{
		BotToken: server.BotToken(), AppToken: server.AppToken(), SigningSecret: server.SigningSecret(), Mode: mode, APIURL: server.URL(),
	}
	if change != nil {
		change(&cfg)
	}
	adapter := newAdapter(t, cfg, log)
	adapter.Hurry(quick, 20*time.Millisecond, 50*time.Millisecond)
	target = adapter
	return server, adapter
}

func newAdapter(t *testing.T, cfg slack.Config, log *slog.Logger) *slack.Adapter {
	t.Helper()
	a, err := slack.New(cfg, log)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func quick(int) time.Duration { return 5 * time.Millisecond }

func place(channel, thread string) chat.Address {
	return chat.Address{Platform: slack.Platform, Workspace: simulator.Team, Chat: channel, Thread: thread}
}

func identity(id string) chat.Identity {
	return chat.Identity{Platform: slack.Platform, Workspace: simulator.Team, ID: id}
}

// world moves the simulator.
type world struct {
	t      *testing.T
	server *simulator.Server
}

func (w world) say(a chat.Address, text string) string {
	if a.Chat == general {
		text = "<@" + simulator.BotUser + "> " + text
	}
	return w.server.Speak(simulator.Speech{User: ada, Channel: a.Chat, Thread: a.Thread, Text: text})
}

func (w world) sayAsBot(a chat.Address, text string) {
	w.server.Speak(simulator.Speech{User: simulator.BotUser, Channel: a.Chat, Text: text})
}

func (w world) press(a chat.Address, message, label string) func() bool {
	for _, m := range w.server.Sent(a.Chat) {
		for _, b := range m.Buttons() {
			if m.TS == message && b.Label == label {
				trigger := w.server.Press(ada, a.Chat, message, b.ID)
				return func() bool { return w.server.Acknowledged(trigger) }
			}
		}
	}
	w.t.Fatalf("no button %q under message %s", label, message)
	return nil
}

func (w world) shown(a chat.Address) []adaptertest.Shown {
	var all []adaptertest.Shown
	for _, m := range w.server.Sent(a.Chat) {
		if m.Thread == a.Thread {
			all = append(all, adaptertest.Shown{ID: m.TS, Text: m.Text})
		}
	}
	return all
}

func (w world) fail(kind chat.ErrorKind) {
	if kind == chat.Transient {
		w.server.Unplug()
		return
	}
	w.server.Break(map[chat.ErrorKind]simulator.Fault{
		chat.RateLimited:    {Method: "chat.postMessage", RetryAfter: 7},
		chat.UnknownOutcome: {Method: "chat.postMessage", Cut: simulator.CutAfter},
		chat.Permanent:      {Method: "chat.postMessage", Error: "msg_too_long"},
		chat.NotAllowed:     {Method: "chat.postMessage", Error: "restricted_action_thread_locked"},
		chat.Gone:           {Method: "chat.postMessage", Error: "is_archived"},
	}[kind])
}

func (w world) upload(content []byte) chat.Attachment {
	id := w.server.AddFile("notes.bin", "application/octet-stream", content)
	w.server.Speak(simulator.Speech{User: ada, Channel: w.server.Direct(ada), Files: []string{id}})
	return chat.Attachment{Kind: chat.File, Ref: id, Size: int64(len(content))}
}
