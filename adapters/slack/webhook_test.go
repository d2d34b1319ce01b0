package slack_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/slack"
	"talaria/adapters/slack"
	"talaria/core/chat"
)

func callback(team, text string) []byte {
	data, err := json.Marshal(map[string]any{
		"type": "event_callback", "team_id": team, "event_id": "Ev9",
		"event": map[string]any{"type": "message", "channel": "D9", "channel_type": "im", "user": ada, "ts": "1700000000.000100", "text": text},
	})
	if err != nil {
		panic(err)
	}
	return data
}

// post sends a request to the adapter's endpoint by itself.
func (r *rig) post(method, contentType string, body []byte, change func(http.Header)) *httptest.ResponseRecorder {
	req := httptest.NewRequestWithContext(r.Ctx, method, "/hooks/slack", bytes.NewReader(body))
	req.Header.Set("Content-Type", contentType)
	simulator.Sign(req.Header, body, r.Server.SigningSecret(), time.Now())
	if change != nil {
		change(req.Header)
	}
	w := httptest.NewRecorder()
	r.Adapter.ServeHTTP(w, req)
	return w
}

func TestNothingUnsignedIsTaken(t *testing.T) {
	r := newRig(t, setup{mode: slack.HTTP})
	h := adaptertest.NewRecorder()
	r.Start(h)
	r.Server.Say(ada, r.Server.Direct(ada), "up?")
	h.Events(r.Ctx, t, 1)
	body := callback(simulator.Team, "forged")
	sign := func(body []byte, secret string, at time.Time) func(http.Header) {
		return func(h http.Header) { simulator.Sign(h, body, secret, at) }
	}
	remove := func(name string) func(http.Header) { return func(h http.Header) { h.Del(name) } }
	set := func(name, value string) func(http.Header) { return func(h http.Header) { h.Set(name, value) } }
	const signature, stamp = "X-Slack-Signature", "X-Slack-Request-Timestamp"
	now, secret := time.Now(), r.Server.SigningSecret()
	for name, c := range map[string]struct {
		body   []byte
		change func(http.Header)
	}{
		"no signature":       {body, remove(signature)},
		"blank signature":    {body, set(signature, "")},
		"no version":         {body, set(signature, strings.Repeat("0", 64))},
		"short":              {body, set(signature, "v0=00")},
		"no hex":             {body, set(signature, "v0="+strings.Repeat("z", 64))},
		"no time":            {body, remove(stamp)},
		"time of no form":    {body, set(stamp, "now")},
		"old":                {body, sign(body, secret, now.Add(-302*time.Second))},
		"from the future":    {body, sign(body, secret, now.Add(302*time.Second))},
		"another secret":     {body, sign(body, secret+"x", now)},
		"another body":       {callback(simulator.Team, "changed"), sign(body, secret, now)},
		"encoded anew":       {append(slices.Clone(body), ' '), sign(body, secret, now)},
		"another workspace":  {callback("T0OTHER", "x"), sign(callback("T0OTHER", "x"), secret, now)},
		"time changed after": {body, set(stamp, fmt.Sprint(now.Unix()-1))},
	} {
		if got := r.post(http.MethodPost, "application/json", c.body, c.change); got.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d", name, got.Code)
		}
	}
	if got := r.post(http.MethodGet, "application/json", body, nil); got.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d", got.Code)
	}
	if got := r.post(http.MethodPost, "application/json", bytes.Repeat([]byte(" "), 1<<20+1), nil); got.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("too large: %d", got.Code)
	}
	if got := r.post(http.MethodPost, "application/json", []byte("hello"), nil); got.Code != http.StatusOK {
		t.Errorf("signed, but no JSON: %d", got.Code)
	}
	if events := h.Events(r.Ctx, t, 1); len(events) != 1 {
		t.Errorf("taken: %+v", events)
	}
}

func TestTheEndpointIsChecked(t *testing.T) {
	r := newRig(t, setup{mode: slack.HTTP})
	got := r.post(http.MethodPost, "application/json", []byte(`{"type":"url_verification","challenge":"<c>"}`), nil)
	if got.Code != http.StatusOK || got.Body.String() != "<c>" || got.Header().Get("Content-Type") != "text/plain" {
		t.Errorf("challenge: %d %q", got.Code, got.Body)
	}
	if got := r.post(http.MethodPost, "application/json", callback(simulator.Team, "early"), nil); got.Code != http.StatusServiceUnavailable {
		t.Errorf("before Run: %d", got.Code)
	}
	h := adaptertest.NewRecorder()
	r.Start(h)
	r.Server.Say(ada, r.Server.Direct(ada), "up?")
	h.Events(r.Ctx, t, 1)
	if got := r.post(http.MethodPost, "application/x-www-form-urlencoded", []byte("ssl_check=1&token=x"), nil); got.Code != http.StatusOK {
		t.Errorf("probe: %d", got.Code)
	}
	press := url.Values{"payload": {`{"type":"block_actions","user":{"id":"UADA01"},"team":{"id":"T0OTHER"}}`}}.Encode()
	if got := r.post(http.MethodPost, "application/x-www-form-urlencoded", []byte(press), nil); got.Code != http.StatusUnauthorized {
		t.Errorf("press in another workspace: %d", got.Code)
	}
}

func TestTheCallbackAnswersOnlyOnceKept(t *testing.T) {
	r := newRig(t, setup{mode: slack.HTTP, opts: simulator.Options{Tries: -1}})
	r.Adapter.Hurry(func(int) time.Duration { return time.Hour }, 0, 0) // one try for each request
	h := adaptertest.NewRecorder()
	h.Answer = func(_ chat.Event, n int) error {
		if n < 3 {
			return errStore
		}
		return nil
	}
	r.Start(h)
	r.Server.Say(ada, r.Server.Direct(ada), "hello")
	h.Events(r.Ctx, t, 1)
	r.settled()
	if n := r.Server.Deliveries()[0].Offered; n < 3 {
		t.Errorf("offered %d times", n)
	}
}

func TestARetryAloneIsTaken(t *testing.T) {
	r := newRig(t, setup{mode: slack.HTTP})
	h := adaptertest.NewRecorder()
	r.Start(h)
	r.Server.Say(ada, r.Server.Direct(ada), "up?")
	h.Events(r.Ctx, t, 1)
	got := r.post(http.MethodPost, "application/json", callback(simulator.Team, "late"), func(h http.Header) {
		h.Set("X-Slack-Retry-Num", "3")
		h.Set("X-Slack-Retry-Reason", "http_timeout")
	})
	if events := h.Events(r.Ctx, t, 2); got.Code != http.StatusOK || events[1].Text != "late" {
		t.Errorf("%d, %+v", got.Code, events[1])
	}
}

func TestSocketModeTakesNoRequests(t *testing.T) {
	r := newRig(t, setup{config: func(c *slack.Config) { c.SigningSecret = "" }})
	if got := r.post(http.MethodPost, "application/json", callback(simulator.Team, "x"), nil); got.Code != http.StatusUnauthorized {
		t.Errorf("answered %d", got.Code)
	}
}

func TestSetUpMistakesAreToldWithoutSecrets(t *testing.T) {
	const bot, app, odd = "xoxb-very-secret-part", "xapp-very-secret-part", "very-secret-part "
	for name, cfg := range map[string]slack.Config{
		"no token":           {AppToken: app},
		"a user's token":     {BotToken: "xoxp-very-secret-part", AppToken: app},
		"a token with blank": {BotToken: odd, AppToken: app},
		"tokens swapped":     {BotToken: app, AppToken: bot},
		"no app token":       {BotToken: bot},
		"bot token for app":  {BotToken: bot, AppToken: bot},
		"no signing secret":  {BotToken: bot, Mode: slack.HTTP},
		"odd signing secret": {BotToken: bot, Mode: slack.HTTP, SigningSecret: odd},
		"mode":               {BotToken: bot, AppToken: app, Mode: "poll"},
		"api_url":            {BotToken: bot, AppToken: app, APIURL: "localhost"},
		"api_url with user":  {BotToken: bot, AppToken: app, APIURL: "http://me:very-secret-part@localhost"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := slack.New(cfg, slog.New(slog.DiscardHandler))
			if err == nil || strings.Contains(err.Error(), "very-secret-part") {
				t.Errorf("New: %v", err)
			}
		})
	}
}

func TestTheAPIAddressNeedsNoSlashAtItsEnd(t *testing.T) {
	r := newRig(t, setup{config: func(c *slack.Config) { c.APIURL = strings.TrimRight(c.APIURL, "/") }})
	for _, f := range r.Adapter.Check(r.Ctx) {
		if !f.OK {
			t.Errorf("finding: %+v", f)
		}
	}
}
