package slack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	fake "talaria/adapters/fake/slack"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"
)

// A client library that knows Slack takes the simulator for it: it sends the
// Origin of Slack's site, gives its token to the host of the API alone, and
// does not acknowledge what it doesn't know.
func TestAnIndependentClientWorks(t *testing.T) {
	p := newPeer(t, fake.Options{NoLimits: true, AckTime: 50 * time.Millisecond, Minute: time.Millisecond})
	api := slack.New(p.server.BotToken(), slack.OptionAPIURL(p.server.URL()), slack.OptionAppLevelToken(p.server.AppToken()),
		slack.OptionHTTPClient(p.client))
	client := socketmode.New(api, socketmode.OptionDialer(&websocket.Dialer{}))
	ctx, cancel := context.WithCancel(p.ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { _ = client.RunContext(ctx) }) // ends with ctx
	p.server.Say(ada, general, "hello")
	p.server.Emit(map[string]any{"type": "telepathy"})
	kinds := map[socketmode.EventType]int{}
	for kinds[socketmode.EventTypeEventsAPI] == 0 || kinds[socketmode.EventTypeErrorBadMessage] == 0 {
		select {
		case e := <-client.Events:
			kinds[e.Type]++
			if e.Request != nil && e.Type == socketmode.EventTypeEventsAPI {
				if err := client.AckCtx(ctx, e.Request.EnvelopeID, nil); err != nil {
					t.Fatal(err)
				}
			}
		case <-p.ctx.Done():
			t.Fatalf("came: %v", kinds)
		}
	}
	if err := p.server.Await(p.ctx, func() bool { return p.server.Deliveries()[1].Dropped }); err != nil {
		t.Errorf("the unknown event was not offered in vain: %+v", p.server.Deliveries())
	}
	f, err := api.UploadFileContext(ctx, slack.UploadFileParameters{
		Filename: "a.txt", FileSize: 3, Reader: strings.NewReader("abc"), Channel: general,
	})
	if err != nil || string(p.server.Content(f.ID)) != "abc" {
		t.Errorf("upload: %v", err)
	}
	if b := p.server.Breaches(); len(b) != 1 || !strings.Contains(b[0], "ends twice") {
		t.Errorf("breaches: %v", b)
	}
	if err := api.UploadToURL(ctx, slack.UploadToURLParameters{UploadURL: "http://localhost:1/x", Filename: "a", Content: "a"}); err == nil {
		t.Error("the client gives its token to another host")
	}
}

// dial opens a socket and reads the greeting.
func (p *peer) dial() *websocket.Conn {
	p.t.Helper()
	a := p.do("apps.connections.open", nil, p.server.AppToken())
	ws, resp, err := websocket.DefaultDialer.DialContext(p.ctx, a.URL, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	resp.Body.Close()
	p.t.Cleanup(func() { ws.Close() })
	return ws
}

type frame struct {
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	ID      string `json:"envelope_id"`
	Attempt int    `json:"retry_attempt"`
}

func (p *peer) read(ws *websocket.Conn) frame {
	p.t.Helper()
	var f frame
	_ = ws.SetReadDeadline(time.Now().Add(patience))
	if err := ws.ReadJSON(&f); err != nil {
		p.t.Fatal(err)
	}
	return f
}

func TestAnEventGoesToOneSocketUntilItIsAcknowledged(t *testing.T) {
	p := newPeer(t, fake.Options{AckTime: 20 * time.Millisecond, Minute: time.Millisecond, Tries: -1})
	ts := p.server.Say(ada, general, "before anybody listens")
	one := p.dial()
	if f := p.read(one); f.Type != "hello" {
		t.Fatalf("greeting %+v", f)
	}
	first, again := p.read(one), p.read(one)
	if first.ID == "" || again.ID != first.ID || again.Attempt != 1 || p.server.Acknowledged(ts) {
		t.Errorf("offered as %+v, %+v", first, again)
	}
	if err := one.WriteJSON(map[string]string{"envelope_id": first.ID}); err != nil {
		t.Fatal(err)
	}
	if err := p.server.Await(p.ctx, func() bool { return p.server.Acknowledged(ts) }); err != nil {
		t.Error(err)
	}
}

func TestWhatASocketTookAlongIsOfferedToAnother(t *testing.T) {
	p := calm(t)
	one := p.dial()
	p.read(one)
	p.server.Say(ada, general, "lost?")
	taken := p.read(one)
	one.Close()
	two := p.dial()
	p.read(two)
	if f := p.read(two); f.ID != taken.ID {
		t.Errorf("came %+v, not %s", f, taken.ID)
	}
}

func TestTenSocketsAreTheMost(t *testing.T) {
	p := calm(t)
	for range 10 {
		if f := p.read(p.dial()); f.Type != "hello" {
			t.Fatalf("greeting %+v", f)
		}
	}
	if f := p.read(p.dial()); f.Type != "disconnect" || f.Reason != "too_many_websockets" {
		t.Errorf("the eleventh gets %+v", f)
	}
	if _, opened, most := p.server.Sockets(); opened != 10 || most != 10 {
		t.Errorf("opened %d, most %d", opened, most)
	}
}

func TestATicketIsGoodOnce(t *testing.T) {
	p := calm(t)
	a := p.do("apps.connections.open", nil, p.server.AppToken())
	for i := range 2 {
		ws, resp, err := websocket.DefaultDialer.DialContext(p.ctx, a.URL, nil)
		if ws != nil {
			ws.Close()
		}
		if resp != nil {
			resp.Body.Close()
		}
		if (err == nil) != (i == 0) {
			t.Errorf("dial %d: %v", i, err)
		}
	}
}

func TestCallbacksAreSignedAndComeAgain(t *testing.T) {
	type request struct {
		body, signature, stamp, retry string
	}
	got := make(chan request, 10)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- request{string(body), r.Header.Get("X-Slack-Signature"), r.Header.Get("X-Slack-Request-Timestamp"), r.Header.Get("X-Slack-Retry-Num")}
		w.WriteHeader(http.StatusInternalServerError)
	}))
	t.Cleanup(front.Close)
	p := newPeer(t, fake.Options{NoLimits: true, Callback: front.URL, Minute: time.Millisecond})
	p.server.Say(ada, general, "hello")
	for try := range 4 {
		r := <-got
		want := http.Header{}
		var seconds int64
		if _, err := fmt.Sscan(r.stamp, &seconds); err != nil {
			t.Fatal(err)
		}
		fake.Sign(want, []byte(r.body), p.server.SigningSecret(), time.Unix(seconds, 0))
		if r.signature != want.Get("X-Slack-Signature") || !json.Valid([]byte(r.body)) {
			t.Errorf("request %+v", r)
		}
		if (try == 0) != (r.retry == "") {
			t.Errorf("try %d says %q", try, r.retry)
		}
	}
	if err := p.server.Await(p.ctx, func() bool { return p.server.Deliveries()[0].Dropped }); err != nil {
		t.Error("it is offered for ever")
	}
}

func TestFilesNeedTheToken(t *testing.T) {
	p := calm(t)
	id := p.server.AddFile("a b.txt", "text/plain", []byte("abc"))
	address := strings.TrimSuffix(p.server.URL(), "api/") + "files/" + id + "/a"
	for bearer, want := range map[string]string{p.server.BotToken(): "abc", "": "<!DOCTYPE html>"} {
		req, err := http.NewRequestWithContext(p.ctx, http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+bearer)
		resp, err := p.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if !bytes.HasPrefix(data, []byte(want)) || resp.StatusCode != http.StatusOK {
			t.Errorf("with %q: %d %q", bearer, resp.StatusCode, data)
		}
	}
}
