package telegram_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/telegram"
	"talaria/adapters/telegram"
	"talaria/core/chat"
)

func TestAForeignWebhookIsNotTakenOver(t *testing.T) {
	for _, mode := range []telegram.Mode{telegram.Poll, telegram.Webhook} {
		t.Run(string(mode), func(t *testing.T) {
			r := newRig(t, func(c *telegram.Config) {
				c.Mode, c.WebhookURL, c.WebhookSecret = mode, "https://ours.example/hook", "s3cret"
			})
			r.call("setWebhook", url.Values{"url": {"http://127.0.0.1:1/theirs?key=hidden"}})
			err := r.Adapter.Run(r.Ctx, adaptertest.NewRecorder())
			if err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") || strings.Contains(err.Error(), "hidden") {
				t.Errorf("Run: %v", err)
			}
			if n := r.Server.Calls("deleteWebhook") + r.Server.Calls("setWebhook"); n != 1 {
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
	r.Start(h)
	r.Server.Say(ada, ada, "hello")
	h.Events(r.Ctx, t, 1)
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
	target = r.Adapter
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
	stop := r.Start(h)
	update := r.Server.Say(ada, ada, "hello")
	if e := h.Events(r.Ctx, t, 1)[0]; e.Text != "hello" {
		t.Errorf("came %q", e.Text)
	}
	r.confirmed()
	if u := r.Server.Update(update); u.Offered < 3 { // once more if it came before Run was up
		t.Errorf("offered %d times, not 3", u.Offered)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if got := r.Adapter.Exclusive(); got != "" {
		t.Errorf("lease %q", got)
	}
}

func TestWebhookTakesNothingWithoutTheSecret(t *testing.T) {
	r, address := newWebhookRig(t)
	body := `{"update_id":1,"message":{"message_id":1,"date":1,"chat":{"id":1,"type":"private"},"from":{"id":1},"text":"forged"}}`
	post := func(method, secret, body string) int {
		req, err := http.NewRequestWithContext(r.Ctx, method, address, strings.NewReader(body))
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
	r.Start(h)
	r.Server.Say(ada, ada, "up?")
	h.Events(r.Ctx, t, 1)
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
	for _, e := range h.Events(r.Ctx, t, 1) {
		if e.Text == "forged" {
			t.Error("a forged update was taken")
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestWebhookHandsOverEachPartOfAnAlbum(t *testing.T) {
	r, _ := newWebhookRig(t)
	h := adaptertest.NewRecorder()
	r.Start(h)
	for i := range 3 {
		r.Server.Speak(simulator.Speech{User: ada, Chat: ada, Text: fmt.Sprint(i), Album: "a1",
			File: &simulator.File{Name: fmt.Sprintf("f%d", i), Data: []byte("x")}})
	}
	// A webhook gets one update of a chat at a time, so a part can't wait for
	// the next; none may be lost as if the album had been had already.
	keys := map[string]bool{}
	for _, e := range h.Events(r.Ctx, t, 3) {
		for _, k := range e.Keys {
			if keys[k] {
				t.Errorf("key %s comes twice", k)
			}
			keys[k] = true
		}
	}
	r.confirmed()
}
