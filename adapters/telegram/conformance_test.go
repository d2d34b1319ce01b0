package telegram_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/telegram"
	"talaria/adapters/telegram"
	"talaria/core/chat"
)

// patience bounds each wait. It is far above what anything takes.
const patience = 3 * time.Minute

// The people and places of the tests.
const (
	ada   = 510001
	guest = 510002
	group = -1001000000001
	topic = 77
)

// TestConformance runs the suite in both modes and both manners, and where the
// server knows no drafts.
func TestConformance(t *testing.T) {
	for name, o := range map[string]struct {
		mode   telegram.Mode
		manner telegram.Manner
		drafts bool
	}{
		"poll":                          {telegram.Poll, telegram.EditIn, true},
		"poll, no drafts":               {telegram.Poll, telegram.EditIn, false},
		"poll, plain":                   {telegram.Poll, telegram.Plain, true},
		"webhook, no drafts":            {telegram.Webhook, telegram.EditIn, false},
		"webhook, plain, and no drafts": {telegram.Webhook, telegram.Plain, false},
	} {
		t.Run(name, func(t *testing.T) {
			adaptertest.Run(t, adaptertest.Harness{New: func(t *testing.T, log *slog.Logger) adaptertest.World {
				cfg := telegram.Config{Mode: o.mode, Delivery: o.manner}
				return newWorld(t, cfg, simulator.Options{NoFlood: true, NoDrafts: !o.drafts}, log)
			}})
		})
	}
}

func newWorld(t *testing.T, cfg telegram.Config, opts simulator.Options, log *slog.Logger) adaptertest.World {
	server := simulator.New(t, opts)
	server.Group(group, ada)
	server.Topic(group, topic)
	server.Restrict(group, guest, "restricted")
	server.Say(ada, ada, "/start") // a bot can't write first
	confirmAll(t, server)
	w := world{t: t, server: server}
	cfg.Token, cfg.APIURL = server.Token(), server.URL()
	var target http.Handler
	if cfg.Mode == telegram.Webhook {
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { target.ServeHTTP(w, r) }))
		t.Cleanup(front.Close)
		cfg.WebhookURL, cfg.WebhookSecret = front.URL, secret
	}
	adapter := newAdapter(t, cfg, log)
	adapter.Hold(30 * time.Millisecond)
	target = adapter
	return adaptertest.World{
		Adapter:      adapter,
		Secrets:      []string{server.Token(), secret},
		Direct:       place(ada, ""),
		Shared:       place(group, ""),
		Thread:       place(group, strconv.Itoa(topic)),
		Person:       chat.Identity{Platform: telegram.Platform, ID: strconv.Itoa(ada)},
		Guest:        chat.Identity{Platform: telegram.Platform, ID: strconv.Itoa(guest)},
		Say:          w.say,
		SayAsBot:     w.sayAsBot,
		Press:        w.press,
		Acknowledged: w.acknowledged,
		Await:        server.Await,
		Shown:        w.shown,
		Fail:         w.fail,
		Upload:       w.upload,
		Break: func() {
			server.Break(simulator.Fault{Times: -1, Code: http.StatusUnauthorized, Description: "Unauthorized"})
		},
		Breaches: server.Breaches,
	}
}

func newAdapter(t *testing.T, cfg telegram.Config, log *slog.Logger) *telegram.Adapter {
	t.Helper()
	a, err := telegram.New(cfg, log)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// confirmAll takes what was said before the adapter came.
func confirmAll(t *testing.T, server *simulator.Server) {
	t.Helper()
	resp, err := http.Get(server.URL() + "/bot" + server.Token() + "/getUpdates?offset=1000000")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

func place(id int64, thread string) chat.Address {
	return chat.Address{Platform: telegram.Platform, Chat: strconv.FormatInt(id, 10), Thread: thread}
}

// world moves the simulator.
type world struct {
	t      *testing.T
	server *simulator.Server
}

func number(t *testing.T, id string) int64 {
	t.Helper()
	n, err := strconv.ParseInt("0"+id, 10, 64)
	if id != "" && id[0] == '-' {
		n, err = strconv.ParseInt(id, 10, 64)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (w world) say(a chat.Address, text string) string {
	s := simulator.Speech{User: ada, Chat: number(w.t, a.Chat), Thread: number(w.t, a.Thread), Text: text}
	if s.Chat == group {
		s.Text = "@" + simulator.BotName + " " + text
	}
	return strconv.FormatInt(w.server.Speak(s).Message, 10)
}

func (w world) sayAsBot(a chat.Address, text string) {
	w.server.Speak(simulator.Speech{User: simulator.BotID, Chat: number(w.t, a.Chat), Text: text})
}

func (w world) press(a chat.Address, message, label string) func() bool {
	chatID, id := number(w.t, a.Chat), number(w.t, message)
	for _, m := range w.server.Sent(chatID) {
		for _, b := range slices.Concat(m.Buttons...) {
			if m.ID == id && b.Text == label {
				query := w.server.Press(ada, chatID, id, b.Data)
				return func() bool { return w.server.Answered(query) }
			}
		}
	}
	w.t.Fatalf("no button %q under message %s", label, message)
	return nil
}

func (w world) acknowledged(message string) bool {
	for _, u := range w.server.Updates() {
		if strconv.FormatInt(u.Message, 10) == message && u.Confirmed.IsZero() {
			return false
		}
	}
	return true
}

func (w world) shown(a chat.Address) []adaptertest.Shown {
	var all []adaptertest.Shown
	for _, m := range w.server.Sent(number(w.t, a.Chat)) {
		if m.Thread == number(w.t, a.Thread) {
			all = append(all, adaptertest.Shown{ID: strconv.FormatInt(m.ID, 10), Text: m.Text})
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
		chat.RateLimited:    {Code: http.StatusTooManyRequests, Description: "Too Many Requests: retry after 7", RetryAfter: 7},
		chat.UnknownOutcome: {Cut: simulator.CutAfter},
		chat.Permanent:      {Code: http.StatusBadRequest, Description: "Bad Request: message is too long"},
		chat.NotAllowed:     {Code: http.StatusForbidden, Description: "Forbidden: not enough rights to send text messages to the chat"},
		chat.Gone:           {Code: http.StatusForbidden, Description: "Forbidden: bot was kicked from the supergroup chat"},
	}[kind])
}

func (w world) upload(content []byte) chat.Attachment {
	w.server.Speak(simulator.Speech{User: ada, Chat: ada, File: &simulator.File{Name: "notes.bin", Data: content}})
	return chat.Attachment{Kind: chat.File, Ref: "notes.bin", Size: int64(len(content))}
}
