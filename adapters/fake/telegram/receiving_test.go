package telegram_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/adapters/fake/telegram"
)

// https://core.telegram.org/bots/api#getupdates: "An update is considered
// confirmed as soon as getUpdates is called with an offset higher than its
// update_id."
func TestUpdatesAreKeptUntilConfirmed(t *testing.T) {
	p := calm(t)
	first, second := p.server.Say(ada, ada, "one"), p.server.Say(ada, ada, "two")
	for range 2 {
		if got := p.updates(`{}`); !slices.Equal(got, []int64{first, second}) {
			t.Errorf("given out: %v", got)
		}
	}
	if got := p.updates(fmt.Sprintf(`{"offset":%d}`, second)); !slices.Equal(got, []int64{second}) {
		t.Errorf("behind the first: %v", got)
	}
	if got := p.updates(`{"limit":"1"}`); !slices.Equal(got, []int64{second}) {
		t.Errorf("then: %v", got)
	}
	if u := p.server.Update(first); u.Confirmed.IsZero() || u.Offered != 2 {
		t.Errorf("the first: %+v", u)
	}
	if u := p.server.Update(second); !u.Confirmed.IsZero() {
		t.Errorf("the second: %+v", u)
	}
	third := p.server.Say(ada, ada, "three")
	if got := p.updates(`{"offset":-1}`); !slices.Equal(got, []int64{third}) {
		t.Errorf("from the end: %v", got)
	}
}

// Same place: "Timeout in seconds for long polling."
func TestAPollWaitsForAnUpdate(t *testing.T) {
	p := calm(t)
	got := make(chan []int64)
	go func() { got <- p.updates(`{"timeout":60}`) }()
	if err := p.server.Await(p.ctx, func() bool { return p.server.Calls("getUpdates") == 1 }); err != nil {
		t.Fatal(err)
	}
	said := p.server.Say(ada, ada, "now")
	if ids := <-got; !slices.Equal(ids, []int64{said}) {
		t.Errorf("the poll brought %v", ids)
	}
}

// The Bot API ends an older poll when a newer comes.
func TestOnePollerOnly(t *testing.T) {
	p := calm(t)
	older := make(chan answer)
	go func() { older <- p.call("getUpdates", `{"timeout":60}`) }()
	if err := p.server.Await(p.ctx, func() bool { return p.server.Calls("getUpdates") == 1 }); err != nil {
		t.Fatal(err)
	}
	p.server.Say(ada, ada, "for one of them") // also ends the older poll if it was not waiting yet
	newer := p.updates(`{"timeout":1}`)
	a := <-older
	if a.OK == (len(newer) == 0) {
		t.Errorf("the older poll: %+v, the newer: %v", a, newer)
	}
	if !a.OK {
		p.refused(a, http.StatusConflict, "terminated by other getUpdates request")
	}
}

// Same place: "A JSON-serialized list of the update types you want your bot to
// receive … Specify an empty list to receive all update types except
// chat_member, message_reaction, and message_reaction_count (default)."
func TestKindsThatWereNotAskedForDoNotCome(t *testing.T) {
	p := calm(t)
	p.updates(`{"allowed_updates":"[\"message\"]"}`)
	said := p.server.Say(ada, ada, "hello")
	p.server.Rewrite(ada, 1, "hello again")
	if got := p.updates(`{}`); !slices.Equal(got, []int64{said}) {
		t.Errorf("given out: %v", got)
	}
	odd := p.server.Inject("brand_new", map[string]int{"x": 1})
	if got := p.updates(fmt.Sprintf(`{"offset":%d}`, odd)); !slices.Equal(got, []int64{odd}) {
		t.Errorf("forced: %v", got)
	}
}

// https://core.telegram.org/bots/api#setwebhook: the secret header, other
// answers than 2xx are tried again; getUpdates does not work meanwhile.
func TestWebhook(t *testing.T) {
	p := calm(t)
	var mu sync.Mutex
	var got []string
	var secrets []string
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		secrets = append(secrets, r.Header.Get("X-Telegram-Bot-Api-Secret-Token"))
		if len(secrets) == 1 {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		got = append(got, string(body))
	}))
	defer hook.Close()
	p.refused(p.call("setWebhook", `{"url":"`+hook.URL+`","secret_token":"no blanks"}`), 400, "secret token")
	if a := p.call("setWebhook", `{"url":"`+hook.URL+`","secret_token":"s3"}`); !a.OK {
		t.Fatalf("setWebhook: %+v", a)
	}
	p.server.Say(ada, ada, "one")
	p.server.Say(ada, ada, "two")
	if err := p.server.Await(p.ctx, func() bool { return p.server.Unconfirmed() == 0 }); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	if len(got) != 2 || !strings.Contains(got[0], "one") || !strings.Contains(got[1], "two") || slices.ContainsFunc(secrets, func(s string) bool { return s != "s3" }) {
		t.Errorf("posted %q with %q", got, secrets)
	}
	mu.Unlock()
	p.refused(p.call("getUpdates", `{}`), http.StatusConflict, "webhook is active")
	info := p.call("getWebhookInfo", `{}`)
	if !strings.Contains(string(info.Result), hook.URL) || !strings.Contains(string(info.Result), "last_error_message") {
		t.Errorf("info: %s", info.Result)
	}
	p.call("deleteWebhook", `{}`)
	said := p.server.Say(ada, ada, "three")
	if ids := p.updates(`{}`); !slices.Equal(ids, []int64{said}) {
		t.Errorf("after it: %v", ids)
	}
}

// https://core.telegram.org/bots/api#answercallbackquery.
func TestPresses(t *testing.T) {
	p := calm(t)
	p.server.Say(ada, ada, "hi")
	p.call("sendMessage", `{"chat_id":11,"text":"?","link_preview_options":{"is_disabled":true},"reply_markup":{"inline_keyboard":[[{"text":"Yes","callback_data":"y:1"}]]}}`)
	query := p.server.Press(ada, ada, 2, "y:1")
	p.refused(p.call("answerCallbackQuery", `{"callback_query_id":"other"}`), 400, "query is too old")
	if p.server.Answered(query) {
		t.Error("answered before it was")
	}
	p.call("answerCallbackQuery", `{"callback_query_id":"`+query+`"}`)
	if !p.server.Answered(query) {
		t.Error("not answered")
	}
	p.refused(p.call("answerCallbackQuery", `{"callback_query_id":"`+query+`"}`), 400, "query is too old")
	again := p.server.Press(ada, ada, 2, "y:1")
	p.refused(p.call("answerCallbackQuery", `{"callback_query_id":"`+again+`","text":"`+strings.Repeat("é", 201)+`"}`), 400, "MESSAGE_TOO_LONG")
	p.call("answerCallbackQuery", `{"callback_query_id":"`+again+`","text":"`+strings.Repeat("é", 200)+`","show_alert":true}`)
	if got := p.server.Notices(ada); len(got) != 1 || !got[0].Alert || got[0].User != ada {
		t.Errorf("notices: %+v", got)
	}
}

// Seen by bots, not documented: github.com/telegraf/telegraf/issues/1719.
func TestPressesCanNotBeAnsweredForLong(t *testing.T) {
	p := newPeer(t, telegram.Options{NoFlood: true, PressLife: time.Nanosecond})
	p.server.Say(ada, ada, "hi")
	query := p.server.Press(ada, ada, 1, "y:1")
	p.refused(p.call("answerCallbackQuery", `{"callback_query_id":"`+query+`"}`), 400, "query is too old")
}
