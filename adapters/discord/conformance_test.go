package discord_test

import (
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	"talaria/adapters/discord"
	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"
)

// patience bounds each wait. It is far above what anything takes.
const patience = 3 * time.Minute

// The people and places of the tests.
const (
	ada    = "510000000000000001"
	guest  = "510000000000000002"
	guild  = "520000000000000001"
	lobby  = "530000000000000001"
	thread = "530000000000000002"
	direct = "530000000000000003"
)

func TestConformance(t *testing.T) {
	adaptertest.Run(t, adaptertest.Harness{New: newWorld})
}

// newSimulator makes a server with a channel, a thread and a direct
// conversation, whose heartbeats come often.
func newSimulator(t *testing.T, o simulator.Options) *simulator.Server {
	if o.Heartbeat == 0 {
		o.Heartbeat = 40 * time.Millisecond
	}
	server := simulator.New(t, o)
	server.Guild(guild, ada)
	server.Screen(guild, guest)
	server.Channel(guild, lobby)
	server.Thread(lobby, thread, simulator.BotID)
	server.Direct(direct, ada)
	return server
}

func newWorld(t *testing.T, log *slog.Logger) adaptertest.World {
	server := newSimulator(t, simulator.Options{NoRates: true})
	w := world{t: t, server: server, ahead: new(atomic.Int64)}
	a := newAdapter(t, discord.Config{Token: server.Token(), APIURL: server.URL()}, log)
	a.Hurry(quick, patience)
	a.Now(func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) })
	return adaptertest.World{
		Adapter:      a,
		Secrets:      []string{server.Token(), "interaction-token"},
		Direct:       chat.Address{Platform: discord.Platform, Chat: direct},
		Shared:       chat.Address{Platform: discord.Platform, Workspace: guild, Chat: lobby},
		Thread:       chat.Address{Platform: discord.Platform, Workspace: guild, Chat: lobby, Thread: thread},
		Person:       chat.Identity{Platform: discord.Platform, ID: ada},
		Guest:        chat.Identity{Platform: discord.Platform, ID: guest},
		Say:          w.say,
		SayAsBot:     w.sayAsBot,
		Press:        w.press,
		Acknowledged: server.Acknowledged,
		Await:        server.Await,
		Shown:        w.shown,
		Fail:         w.fail,
		Upload:       w.upload,
		Break: func() {
			server.Break(simulator.Fault{Times: -1, Status: http.StatusUnauthorized, Message: "401: Unauthorized"})
		},
		Breaches: server.Breaches,
	}
}

func quick(int) time.Duration { return time.Millisecond }

func newAdapter(t *testing.T, cfg discord.Config, log *slog.Logger) *discord.Adapter {
	t.Helper()
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	a, err := discord.New(cfg, log)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// world moves the simulator.
type world struct {
	t      *testing.T
	server *simulator.Server
	ahead  *atomic.Int64 // of the adapter's clock
}

// channelOf is the channel that an address means.
func channelOf(a chat.Address) string {
	if a.Thread != "" {
		return a.Thread
	}
	return a.Chat
}

// listening waits until a session is told of what happens: before that, things
// are only found by who looks for them.
func (w world) listening() {
	w.t.Helper()
	if err := w.server.Await(w.t.Context(), func() bool { return w.server.Ready() > 0 || w.server.Identifies() > 0 }); err != nil {
		w.t.Fatal(err)
	}
}

func (w world) say(a chat.Address, text string) string {
	w.listening()
	if a.Workspace != "" {
		text = "<@" + simulator.BotID + "> " + text
	}
	return w.server.Say(ada, channelOf(a), text)
}

func (w world) sayAsBot(a chat.Address, text string) {
	w.listening()
	w.server.Say(simulator.BotID, channelOf(a), text)
}

func (w world) press(a chat.Address, message, label string) func() bool {
	w.listening()
	for _, m := range w.server.Sent(channelOf(a)) {
		for _, b := range m.Buttons {
			if m.ID == message && b.Label == label {
				token := w.server.Press(ada, channelOf(a), message, b.CustomID)
				return func() bool { return w.server.Answered(token) }
			}
		}
	}
	w.t.Fatalf("no button %q under message %s", label, message)
	return nil
}

func (w world) shown(a chat.Address) []adaptertest.Shown {
	var all []adaptertest.Shown
	for _, m := range w.server.Sent(channelOf(a)) {
		all = append(all, adaptertest.Shown{ID: m.ID, Text: m.Text})
	}
	return all
}

// fail moves the adapter's clock past any wait that an earlier failure asked
// for: until then it would make no call.
func (w world) fail(kind chat.ErrorKind) {
	w.ahead.Add(int64(time.Minute))
	if kind == chat.Transient {
		w.server.Unplug()
		return
	}
	f := map[chat.ErrorKind]simulator.Fault{
		chat.RateLimited:    {Status: http.StatusTooManyRequests, RetryAfter: 7 * time.Second},
		chat.UnknownOutcome: {Cut: simulator.CutAfter},
		chat.Permanent:      {Status: http.StatusBadRequest, Code: 50035, Message: "Invalid Form Body"},
		chat.NotAllowed:     {Status: http.StatusForbidden, Code: 50013, Message: "Missing Permissions"},
		chat.Gone:           {Status: http.StatusNotFound, Code: 10003, Message: "Unknown Channel"},
	}[kind]
	f.Op = "createMessage"
	w.server.Break(f)
}

func (w world) upload(content []byte) chat.Attachment {
	file := &simulator.File{Name: "notes.bin", Data: content}
	message := w.server.Speak(simulator.Speech{User: ada, Channel: direct, Text: "see", File: file})
	events, err := newAdapter(w.t, discord.Config{Token: w.server.Token(), APIURL: w.server.URL()}, slog.New(slog.DiscardHandler)).
		History(w.t.Context(), chat.Address{Platform: discord.Platform, Chat: direct}, "", 10)
	if err != nil || len(events) == 0 {
		w.t.Fatalf("message %s: %v", message, err)
	}
	return events[len(events)-1].Attachments[0]
}
