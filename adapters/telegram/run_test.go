package telegram_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/telegram"
	"talaria/adapters/telegram"
	"talaria/core/chat"
)

// rig is an adapter beside a simulator.
type rig struct {
	t       *testing.T
	ctx     context.Context
	server  *simulator.Server
	adapter *telegram.Adapter
	log     *lines
}

// lines is a log that can be waited on.
type lines struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	wrote chan struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.wrote)
	l.wrote = make(chan struct{})
	return l.buf.Write(p)
}

func (l *lines) await(t *testing.T, ctx context.Context, text string) string {
	t.Helper()
	for {
		l.mu.Lock()
		all, wrote := l.buf.String(), l.wrote
		l.mu.Unlock()
		if strings.Contains(all, text) {
			return all
		}
		select {
		case <-wrote:
		case <-ctx.Done():
			t.Fatalf("the log does not say %q", text)
		}
	}
}

func newRig(t *testing.T, change func(*telegram.Config)) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	r := &rig{t: t, ctx: ctx, server: simulator.New(t, simulator.Options{NoFlood: true}), log: &lines{wrote: make(chan struct{})}}
	r.server.Group(group, ada)
	cfg := telegram.Config{Token: r.server.Token(), APIURL: r.server.URL()}
	if change != nil {
		change(&cfg)
	}
	r.adapter = newAdapter(t, cfg, slog.New(slog.NewTextHandler(r.log, nil)))
	r.adapter.Hurry(quick, 30*time.Millisecond)
	return r
}

func quick(int) time.Duration { return time.Millisecond }

// start runs the adapter; stop waits for its end and returns its error.
func (r *rig) start(h chat.Handler) (stop func() error) {
	ctx, cancel := context.WithCancel(r.ctx)
	done := make(chan error, 1)
	go func() { done <- r.adapter.Run(ctx, h) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	r.t.Cleanup(func() { _ = stop() })
	return stop
}

func (r *rig) await(what string, condition func() bool) {
	r.t.Helper()
	if err := r.server.Await(r.ctx, condition); err != nil {
		r.t.Fatalf("waiting for %s: %v", what, err)
	}
}

func (r *rig) confirmed() {
	r.t.Helper()
	r.await("confirmation", func() bool { return r.server.Unconfirmed() == 0 })
}

var errStore = errors.New("the store is away")

func TestAnOpenUpdateHoldsTheOffsetButNotTheOthers(t *testing.T) {
	r := newRig(t, nil)
	release := make(chan struct{})
	h := adaptertest.NewRecorder()
	h.Answer = func(e chat.Event, _ int) error {
		if e.Text == "slow" {
			<-release
		}
		return nil
	}
	slow := r.server.Say(1, 1, "slow")
	r.server.Say(2, 2, "quick")
	r.start(h)
	h.Events(r.ctx, t, 1)
	r.server.Say(3, 3, "after the poll")
	for _, e := range h.Events(r.ctx, t, 2) {
		if e.Text == "slow" {
			t.Error("kept while it was held")
		}
	}
	if n := r.server.Unconfirmed(); n != 3 {
		t.Errorf("%d updates unconfirmed, not 3", n)
	}
	close(release)
	r.confirmed()
	if u := r.server.Update(slow); u.Offered < 2 {
		t.Errorf("the open update was offered %d times only", u.Offered)
	}
	if n := len(h.Events(r.ctx, t, 3)); n != 3 {
		t.Errorf("%d events, not 3: an open update was handed over again", n)
	}
}

func TestStopConfirmsWhatWasKept(t *testing.T) {
	r := newRig(t, nil)
	h := adaptertest.NewRecorder()
	stop := r.start(h)
	r.server.Say(ada, ada, "last words")
	h.Events(r.ctx, t, 1)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if n := r.server.Unconfirmed(); n != 0 {
		t.Errorf("%d updates would come again", n)
	}
}

func TestAnotherPollerIsToldAndNotFought(t *testing.T) {
	r := newRig(t, nil)
	pauses := make(chan int)
	r.adapter.Hurry(func(attempt int) time.Duration {
		select {
		case pauses <- attempt:
		case <-r.ctx.Done():
		}
		return 0
	}, 0)
	r.server.Break(simulator.Fault{Method: "getUpdates", Times: 3, Code: http.StatusConflict,
		Description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"})
	r.start(adaptertest.NewRecorder())
	// Each failure asks for its own pause and, being a conflict, for a longer.
	for _, want := range []int{1, 3, 2, 4, 3, 5} {
		if got := <-pauses; got != want {
			t.Fatalf("pause %d, not %d", got, want)
		}
		if want == 4 {
			findings := r.adapter.Check(r.ctx)
			told := slices.ContainsFunc(findings, func(f chat.Finding) bool {
				return !f.OK && strings.Contains(f.What, "another program") && f.Remedy != ""
			})
			if !told {
				t.Errorf("findings: %+v", findings)
			}
		}
	}
	r.log.await(t, r.ctx, "polling failed")
	r.await("a poll that works", func() bool { return r.server.Calls("getUpdates") > 3 })
}

func TestPollingWaitsAsLongAsItIsTold(t *testing.T) {
	r := newRig(t, nil)
	r.server.Break(simulator.Fault{Method: "getUpdates", Code: http.StatusTooManyRequests,
		Description: "Too Many Requests: retry after 1", RetryAfter: 1})
	begin := time.Now()
	h := adaptertest.NewRecorder()
	r.server.Say(ada, ada, "hello")
	r.start(h)
	h.Events(r.ctx, t, 1)
	if waited := time.Since(begin); waited < time.Second {
		t.Errorf("polled again after %v", waited)
	}
}

func TestNoTokenInTheLogOfAServerThatIsAway(t *testing.T) {
	r := newRig(t, nil)
	r.server.Unplug()
	stop := r.start(adaptertest.NewRecorder())
	text := r.log.await(t, r.ctx, "connecting failed")
	if err := stop(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if strings.Contains(text, "SIMULATED") {
		t.Error("the token is in the log")
	}
}

func TestUnknownKindsAreRecordedAndConfirmed(t *testing.T) {
	r := newRig(t, nil)
	h := adaptertest.NewRecorder()
	r.start(h)
	r.server.Inject("brand_new_thing", map[string]any{"id": 1})
	r.server.Say(ada, ada, "hello")
	h.Events(r.ctx, t, 1)
	r.confirmed()
	r.log.await(t, r.ctx, "brand_new_thing")
	findings := r.adapter.Check(r.ctx)
	if !slices.ContainsFunc(findings, func(f chat.Finding) bool { return strings.Contains(f.What, "brand_new_thing") }) {
		t.Errorf("findings: %+v", findings)
	}
}

// memory is a checkpoint.
type memory struct {
	mu    sync.Mutex
	state []byte
	err   error
}

func (m *memory) Load(context.Context) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state, nil
}

func (m *memory) Save(_ context.Context, state []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		m.state = bytes.Clone(state)
	}
	return m.err
}

func (m *memory) String() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return string(m.state)
}

func TestAPoisonedEventIsParkedAndTriedAgain(t *testing.T) {
	r := newRig(t, nil)
	kept := &memory{}
	r.adapter.UseCheckpoint(kept)
	h := adaptertest.NewRecorder()
	h.Answer = func(e chat.Event, _ int) error {
		if e.Text == "poison" {
			return errStore
		}
		return nil
	}
	stop := r.start(h)
	r.server.Say(ada, ada, "poison")
	r.server.Say(ada, ada, "and on")
	h.Events(r.ctx, t, 1)
	r.confirmed()
	if !strings.Contains(kept.String(), "poison") {
		t.Fatalf("parked: %s", kept)
	}
	findings := r.adapter.Check(r.ctx)
	if !slices.ContainsFunc(findings, func(f chat.Finding) bool { return !f.OK && strings.Contains(f.What, "parked") }) {
		t.Errorf("findings: %+v", findings)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}

	healed := adaptertest.NewRecorder()
	stop = r.start(healed)
	if e := healed.Events(r.ctx, t, 1)[0]; e.Text != "poison" {
		t.Errorf("after the restart came %q", e.Text)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(kept.String(), "poison") {
		t.Errorf("still parked: %s", kept)
	}
}

func TestNothingIsParkedWhileTheStoreIsAway(t *testing.T) {
	r := newRig(t, nil)
	r.adapter.UseCheckpoint(&memory{err: errStore})
	const enough = 20 // far more than it takes to park
	tried := make(chan struct{})
	h := adaptertest.NewRecorder()
	h.Answer = func(_ chat.Event, n int) error {
		if n == enough {
			close(tried)
			return nil
		}
		return errStore
	}
	r.server.Say(ada, ada, "keep me")
	r.start(h)
	<-tried
	h.Events(r.ctx, t, 1)
	r.confirmed()
}

func TestAnAlbumIsOneEventAndConfirmedAsAWhole(t *testing.T) {
	r := newRig(t, nil)
	h := adaptertest.NewRecorder()
	h.Answer = func(e chat.Event, n int) error {
		if n == 1 {
			if got := r.server.Unconfirmed(); got < 3 {
				t.Errorf("%d updates unconfirmed before the album was kept", got)
			}
			return errStore
		}
		return nil
	}
	for i, caption := range []string{"first", "", "third"} {
		r.server.Speak(simulator.Speech{User: ada, Chat: ada, Text: caption, Album: "a1",
			File: &simulator.File{Name: fmt.Sprintf("f%d", i), Data: []byte("x")}})
	}
	r.server.Say(ada, ada, "what are these?")
	r.start(h)
	events := h.Events(r.ctx, t, 2)
	if got := events[0]; len(got.Attachments) != 3 || got.Text != "[1] first\n[3] third" {
		t.Errorf("album: %d files, %q", len(got.Attachments), got.Text)
	}
	if got := events[1].Text; got != "what are these?" {
		t.Errorf("then came %q", got)
	}
	r.confirmed()
}

func TestTheMenuIsRegisteredWhereItDiffers(t *testing.T) {
	r := newRig(t, nil)
	r.adapter.UseMenu(chat.Menu{Commands: []chat.MenuCommand{{Name: "help", Description: "What I can do"}}})
	for range 2 {
		h := adaptertest.NewRecorder()
		stop := r.start(h)
		r.server.Say(ada, ada, "up?")
		h.Events(r.ctx, t, 1)
		if err := stop(); err != nil {
			t.Fatal(err)
		}
	}
	if n := r.server.Calls("setMyCommands"); n != 1 {
		t.Errorf("registered %d times", n)
	}
}

// call makes a call beside the adapter.
func (r *rig) call(method string, params url.Values) {
	r.t.Helper()
	resp, err := http.PostForm(r.server.URL()+"/bot"+r.server.Token()+"/"+method, params)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		r.t.Fatalf("%s: %s", method, resp.Status)
	}
}

func TestAForeignWebhookIsNotTakenOver(t *testing.T) {
	for _, mode := range []telegram.Mode{telegram.Poll, telegram.Webhook} {
		t.Run(string(mode), func(t *testing.T) {
			r := newRig(t, func(c *telegram.Config) {
				c.Mode, c.WebhookURL, c.WebhookSecret = mode, "https://ours.example/hook", "s3cret"
			})
			r.call("setWebhook", url.Values{"url": {"http://127.0.0.1:1/theirs?key=hidden"}})
			err := r.adapter.Run(r.ctx, adaptertest.NewRecorder())
			if err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") || strings.Contains(err.Error(), "hidden") {
				t.Errorf("Run: %v", err)
			}
			if n := r.server.Calls("deleteWebhook") + r.server.Calls("setWebhook"); n != 1 {
				t.Errorf("%d changes of the webhook", n-1)
			}
		})
	}
}

func TestOwnWebhookOfAnEarlierRunIsEnded(t *testing.T) {
	const ours = "http://127.0.0.1:1/ours"
	r := newRig(t, func(c *telegram.Config) { c.WebhookURL = ours })
	r.call("setWebhook", url.Values{"url": {ours}})
	h := adaptertest.NewRecorder()
	r.start(h)
	r.server.Say(ada, ada, "hello")
	h.Events(r.ctx, t, 1)
}

const secret = "s3cret_for_tests"

// newWebhookRig serves the adapter where the simulator posts to.
func newWebhookRig(t *testing.T) (*rig, string) {
	var target http.Handler
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { target.ServeHTTP(w, req) }))
	t.Cleanup(front.Close)
	r := newRig(t, func(c *telegram.Config) {
		c.Mode, c.WebhookURL, c.WebhookSecret = telegram.Webhook, front.URL, secret
	})
	target = r.adapter
	return r, front.URL
}

func TestWebhookAnswersOnlyOnceKept(t *testing.T) {
	r, _ := newWebhookRig(t)
	h := adaptertest.NewRecorder()
	h.Answer = func(_ chat.Event, n int) error {
		if n < 3 {
			return errStore
		}
		return nil
	}
	stop := r.start(h)
	update := r.server.Say(ada, ada, "hello")
	if e := h.Events(r.ctx, t, 1)[0]; e.Text != "hello" {
		t.Errorf("came %q", e.Text)
	}
	r.confirmed()
	if u := r.server.Update(update); u.Offered != 3 {
		t.Errorf("offered %d times, not 3", u.Offered)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if got := r.adapter.Exclusive(); got != "" {
		t.Errorf("lease %q", got)
	}
}

func TestWebhookTakesNothingWithoutTheSecret(t *testing.T) {
	r, address := newWebhookRig(t)
	body := `{"update_id":1,"message":{"message_id":1,"date":1,"chat":{"id":1,"type":"private"},"from":{"id":1},"text":"forged"}}`
	post := func(method, secret, body string) int {
		req, err := http.NewRequestWithContext(r.ctx, method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if secret != "" {
			req.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		_, _ = io.Copy(io.Discard, resp.Body)
		return resp.StatusCode
	}
	if got := post(http.MethodPost, secret, body); got != http.StatusServiceUnavailable {
		t.Errorf("before Run: %d", got)
	}
	h := adaptertest.NewRecorder()
	r.start(h)
	r.server.Say(ada, ada, "up?")
	h.Events(r.ctx, t, 1)
	for _, c := range []struct {
		name, method, secret, body string
		want                       int
	}{
		{"no secret", http.MethodPost, "", body, http.StatusUnauthorized},
		{"wrong secret", http.MethodPost, secret + "x", body, http.StatusUnauthorized},
		{"part of it", http.MethodPost, secret[:3], body, http.StatusUnauthorized},
		{"no post", http.MethodGet, secret, "", http.StatusMethodNotAllowed},
		{"too large", http.MethodPost, secret, strings.Repeat(" ", 1<<20) + body, http.StatusRequestEntityTooLarge},
		{"not JSON", http.MethodPost, secret, "hello", http.StatusOK},
	} {
		if got := post(c.method, c.secret, c.body); got != c.want {
			t.Errorf("%s: %d, not %d", c.name, got, c.want)
		}
	}
	for _, e := range h.Events(r.ctx, t, 1) {
		if e.Text == "forged" {
			t.Error("a forged update was taken")
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestWebhookHandsOverEachPartOfAnAlbum(t *testing.T) {
	r, _ := newWebhookRig(t)
	h := adaptertest.NewRecorder()
	r.start(h)
	for i := range 3 {
		r.server.Speak(simulator.Speech{User: ada, Chat: ada, Text: fmt.Sprint(i), Album: "a1",
			File: &simulator.File{Name: fmt.Sprintf("f%d", i), Data: []byte("x")}})
	}
	// A webhook gets one update of a chat at a time, so a part can't wait for
	// the next; none may be lost as if the album had been had already.
	keys := map[string]bool{}
	for _, e := range h.Events(r.ctx, t, 3) {
		for _, k := range e.Keys {
			if keys[k] {
				t.Errorf("key %s comes twice", k)
			}
			keys[k] = true
		}
	}
	r.confirmed()
}

func TestSetUpMistakesAreToldWithoutSecrets(t *testing.T) {
	const token = "12345:very-secret-part"
	for name, cfg := range map[string]telegram.Config{
		"no token":          {},
		"token of no form":  {Token: "very-secret-part"},
		"api_url":           {Token: token, APIURL: "localhost"},
		"api_url with user": {Token: token, APIURL: "http://me:very-secret-part@localhost"},
		"mode":              {Token: token, Mode: "socket"},
		"delivery":          {Token: token, Delivery: "fast"},
		"no secret":         {Token: token, Mode: telegram.Webhook, WebhookURL: "https://a.example/x"},
		"odd secret":        {Token: token, Mode: telegram.Webhook, WebhookURL: "https://a.example/x", WebhookSecret: "very-secret-part!"},
		"no webhook_url":    {Token: token, Mode: telegram.Webhook, WebhookSecret: secret},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := telegram.New(cfg, slog.New(slog.DiscardHandler))
			if err == nil || strings.Contains(err.Error(), "very-secret-part") {
				t.Errorf("New: %v", err)
			}
		})
	}
}

func TestExclusiveNamesTheBot(t *testing.T) {
	a := newAdapter(t, telegram.Config{Token: "12345:abc"}, slog.New(slog.DiscardHandler))
	if got := a.Exclusive(); got != "telegram:12345" {
		t.Errorf("lease %q", got)
	}
}

func TestNormalizeSaysWhatEventsComeTo(t *testing.T) {
	line := `{"id":"n1","platform":"telegram","context":{"self":{"id":"42","name":"helper_bot"},"active_threads":["-100#7"]},"events":[
	 {"update_id":1,"message":{"message_id":5,"date":1,"chat":{"id":-100,"type":"supergroup"},"from":{"id":9},"message_thread_id":7,"is_topic_message":true,"text":"go on"}},
	 {"update_id":2,"message":{"message_id":6,"date":1,"chat":{"id":-100,"type":"supergroup"},"from":{"id":42,"is_bot":true},"text":"me"}}]}`
	out, err := telegram.Normalize([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"id":"n1"`, `"addressed_by":"thread"`, `"dedupe_key":"telegram:-100:5"`, `{"event":1,"reason":"own_message"}`} {
		if !strings.Contains(string(data), part) {
			t.Errorf("no %s in %s", part, data)
		}
	}
	if _, err := telegram.Normalize([]byte("{")); err == nil {
		t.Error("no error for what is no JSON")
	}
}
