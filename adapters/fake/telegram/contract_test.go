package telegram_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/adapters/fake/telegram"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	ada   = 11
	ben   = 12
	group = -1001
)

// patience bounds each wait. It is far above what anything takes.
const patience = 20 * time.Second

// peer is a client that knows nothing but the documentation.
type peer struct {
	t      *testing.T
	ctx    context.Context
	server *telegram.Server
	client *http.Client
}

// answer is the documented envelope
// (https://core.telegram.org/bots/api#making-requests).
type answer struct {
	OK          bool            `json:"ok"`
	Result      json.RawMessage `json:"result"`
	Code        int             `json:"error_code"`
	Description string          `json:"description"`
	Parameters  struct {
		RetryAfter int   `json:"retry_after"`
		MigrateTo  int64 `json:"migrate_to_chat_id"`
	} `json:"parameters"`
}

func newPeer(t *testing.T, opts telegram.Options) *peer {
	s, err := telegram.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	p := &peer{t: t, ctx: ctx, server: s, client: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(func() { cancel(); p.client.CloseIdleConnections(); s.Close() })
	return p
}

func calm(t *testing.T) *peer { return newPeer(t, telegram.Options{NoFlood: true}) }

// call posts JSON.
func (p *peer) call(method, params string) answer {
	p.t.Helper()
	a, err := p.try(p.ctx, method, params)
	if err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
	return a
}

func (p *peer) try(ctx context.Context, method, params string) (a answer, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.server.URL()+"/bot"+p.server.Token()+"/"+method, strings.NewReader(params))
	if err != nil {
		return a, err
	}
	req.Header.Set("Content-Type", "application/json")
	return p.do(req)
}

func (p *peer) do(req *http.Request) (a answer, err error) {
	resp, err := p.client.Do(req)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	return a, json.NewDecoder(resp.Body).Decode(&a)
}

func (p *peer) refused(a answer, code int, description string) {
	p.t.Helper()
	if a.OK || a.Code != code || !strings.Contains(a.Description, description) {
		p.t.Errorf("answered %v %d %q, not %d %q", a.OK, a.Code, a.Description, code, description)
	}
}

func (p *peer) updates(params string) (ids []int64) {
	p.t.Helper()
	a := p.call("getUpdates", params)
	var list []struct {
		ID int64 `json:"update_id"`
	}
	if err := json.Unmarshal(a.Result, &list); err != nil {
		p.t.Fatalf("getUpdates: %+v: %v", a, err)
	}
	for _, u := range list {
		ids = append(ids, u.ID)
	}
	return ids
}

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

// https://core.telegram.org/bots/api#authorizing-your-bot and
// #making-requests: errors come in the envelope, with their HTTP status.
func TestTokensMethodsAndBodiesAreChecked(t *testing.T) {
	p := calm(t)
	get := func(path string) answer {
		req, err := http.NewRequestWithContext(p.ctx, http.MethodGet, p.server.URL()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.do(req)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	p.refused(get("/bot1:wrong/getMe"), http.StatusUnauthorized, "Unauthorized")
	p.refused(get("/"), http.StatusNotFound, "Not Found")
	p.refused(p.call("sendSong", `{}`), http.StatusNotFound, "method not found")
	p.refused(p.call("getMe", `null`), http.StatusBadRequest, "")
	p.refused(p.call("getMe", `{"chat_id":`), http.StatusBadRequest, "")
	if a := get("/bot" + p.server.Token() + "/getMe"); !a.OK || !strings.Contains(string(a.Result), telegram.BotName) {
		t.Errorf("getMe: %+v", a)
	}
}

// https://core.telegram.org/bots/api#sendmessage: "1-4096 characters after
// entities parsing"; #messageentity: "in UTF-16 code units".
func TestTextsAndEntitiesAreChecked(t *testing.T) {
	p := calm(t)
	p.server.Say(ada, ada, "hi")
	send := func(text, more string) answer {
		body, _ := json.Marshal(text)
		return p.call("sendMessage", `{"chat_id":"11","link_preview_options":{"is_disabled":true},"text":`+string(body)+more+`}`)
	}
	p.refused(send(" \n", ""), 400, "message text is empty")
	p.refused(send(strings.Repeat("🦊", 2049), ""), 400, "message is too long")
	if a := send(strings.Repeat("🦊", 2048), ""); !a.OK {
		t.Errorf("4096 units: %+v", a)
	}
	p.refused(send("🦊", `,"entities":[{"type":"bold","offset":0,"length":3}]`), 400, "entity")
	p.refused(send("abc", `,"entities":[{"type":"bold","offset":-1,"length":1}]`), 400, "entity")
	if a := send("🦊", `,"entities":"[{\"type\":\"bold\",\"offset\":0,\"length\":2}]"`); !a.OK {
		t.Errorf("entities as text: %+v", a)
	}
	p.refused(send("x", `,"reply_markup":{"inline_keyboard":[[{"text":"a","callback_data":"`+strings.Repeat("é", 33)+`"}]]}`), 400, "BUTTON_DATA_INVALID")
	p.refused(send("x", `,"reply_markup":{"inline_keyboard":[[{"text":"a","callback_data":""}]]}`), 400, "BUTTON_DATA_INVALID")
	if a := send("x", `,"reply_markup":{"inline_keyboard":[[{"text":"a","callback_data":"`+strings.Repeat("é", 32)+`"}]]}`); !a.OK {
		t.Errorf("data of 64 bytes: %+v", a)
	}
	many := `,"entities":[` + strings.Repeat(`{"type":"bold","offset":0,"length":1},`, 100) + `{"type":"bold","offset":0,"length":1}]`
	if a := send("x", many); !a.OK || len(p.server.Sent(ada)[3].Entities) != 100 {
		t.Errorf("101 entities: %v", a.OK)
	}
	if n := len(p.server.Breaches()); n != 1 {
		t.Errorf("breaches: %v", p.server.Breaches())
	}
}

// The descriptions are those that the server of the Bot API gives.
func TestPlacesRefuse(t *testing.T) {
	p := calm(t)
	p.server.Group(group, ada)
	send := func(chat, more string) answer {
		return p.call("sendMessage", `{"chat_id":`+chat+`,"text":"x","link_preview_options":{"is_disabled":true}`+more+`}`)
	}
	p.refused(send("5", ""), 400, "chat not found")
	p.refused(send(`"@somebody"`, ""), 400, "chat not found")
	p.refused(send("-1001", `,"message_thread_id":7`), 400, "message thread not found")
	p.refused(send("-1001", `,"reply_parameters":{"message_id":99}`), 400, "message to be replied not found")
	if a := send("-1001", `,"reply_parameters":{"message_id":99,"allow_sending_without_reply":true}`); !a.OK {
		t.Errorf("reply to nothing: %+v", a)
	}
	p.server.Expel(group, ada)
	p.refused(send("-1001", ""), 403, "bot was kicked")
	p.server.Say(ben, ben, "hi")
	p.server.Block(ben)
	p.refused(send("12", ""), 403, "bot was blocked by the user")
	p.server.Migrate(-7, -1007)
	a := send("-7", "")
	p.refused(a, 400, "group chat was upgraded to a supergroup chat")
	if a.Parameters.MigrateTo != -1007 {
		t.Errorf("migrates to %d", a.Parameters.MigrateTo)
	}
	if n := len(p.server.Refusals()); n != 7 {
		t.Errorf("%d refusals in the log", n)
	}
}

// https://core.telegram.org/bots/api#editmessagetext,  #deletemessage.
func TestEdits(t *testing.T) {
	p := calm(t)
	p.server.Say(ada, ada, "hi")
	edit := func(id int, text string) answer {
		return p.call("editMessageText", fmt.Sprintf(`{"chat_id":11,"message_id":%d,"text":%q,"link_preview_options":{"is_disabled":true}}`, id, text))
	}
	p.call("sendMessage", `{"chat_id":11,"text":"one","link_preview_options":{"is_disabled":true}}`)
	if a := edit(2, "two"); !a.OK {
		t.Errorf("edit: %+v", a)
	}
	p.refused(edit(2, "two"), 400, "message is not modified")
	p.refused(edit(1, "two"), 400, "message can't be edited")
	p.refused(edit(9, "two"), 400, "message to edit not found")
	if h := p.server.Sent(ada)[0].History; len(h) != 2 || h[0].Text != "one" || h[1].Text != "two" {
		t.Errorf("history: %+v", h)
	}
	if a := p.call("deleteMessage", `{"chat_id":11,"message_id":2}`); !a.OK || len(p.server.Sent(ada)) != 0 {
		t.Errorf("delete: %+v", a)
	}
	p.refused(p.call("deleteMessage", `{"chat_id":11,"message_id":2}`), 400, "message to delete not found")
}

// https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this:
// one message a second into a chat, with short bursts; 20 a minute into a
// group; 30 a second in all. #responseparameters: retry_after.
func TestFloodControl(t *testing.T) {
	p := newPeer(t, telegram.Options{ChatBurst: 2})
	p.server.Say(ada, ada, "hi")
	send := func() answer {
		return p.call("sendMessage", `{"chat_id":11,"text":"x","link_preview_options":{"is_disabled":true}}`)
	}
	if a := send(); !a.OK {
		t.Errorf("first: %+v", a)
	}
	if a := p.call("editMessageText", `{"chat_id":11,"message_id":2,"text":"y","link_preview_options":{"is_disabled":true}}`); !a.OK {
		t.Errorf("an edit: %+v", a)
	}
	a := send()
	p.refused(a, http.StatusTooManyRequests, "retry after")
	if a.Parameters.RetryAfter < 1 {
		t.Errorf("retry after %d", a.Parameters.RetryAfter)
	}
	p.refused(send(), http.StatusTooManyRequests, "")
	if waits, premature := p.server.Waits(); waits != 1 || premature != 1 {
		t.Errorf("%d waits, %d premature", waits, premature)
	}
}

func TestGroupsAndTheWholeBotHaveBudgets(t *testing.T) {
	p := newPeer(t, telegram.Options{ChatBurst: 1000})
	p.server.Group(group, ada)
	sent := func(chat int64) (n int) {
		for {
			a := p.call("sendMessage", fmt.Sprintf(`{"chat_id":%d,"text":"x","link_preview_options":{"is_disabled":true}}`, chat))
			if !a.OK {
				p.refused(a, http.StatusTooManyRequests, "")
				return n
			}
			n++
		}
	}
	if n := sent(group); n != 20 {
		t.Errorf("%d into a group", n)
	}
	p.server.Say(ada, ada, "hi")
	if n := sent(ada); n < 10 || n > 500 { // 30 a second are refilled meanwhile
		t.Errorf("%d more in all", n)
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

// https://core.telegram.org/bots/api#senddocument and #getfile: files in a
// form; downloads up to 20 MB.
func TestFiles(t *testing.T) {
	p := calm(t)
	p.server.Say(ada, ada, "hi")
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	_ = w.WriteField("chat_id", "11")
	part, _ := w.CreateFormFile("document", "notes.txt")
	_, _ = part.Write([]byte("content"))
	_ = w.Close()
	req, err := http.NewRequestWithContext(p.ctx, http.MethodPost, p.server.URL()+"/bot"+p.server.Token()+"/sendDocument", &form)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", w.FormDataContentType())
	if a, err := p.do(req); err != nil || !a.OK {
		t.Fatalf("sendDocument: %+v, %v", a, err)
	}
	if f := p.server.Sent(ada)[0].File; f == nil || f.Name != "notes.txt" || string(f.Data) != "content" {
		t.Errorf("file: %+v", f)
	}
	a := p.call("getFile", `{"file_id":"notes.txt"}`)
	var file struct {
		Path string `json:"file_path"`
	}
	if err := json.Unmarshal(a.Result, &file); err != nil {
		t.Fatal(err)
	}
	resp, err := p.client.Get(p.server.URL() + "/file/bot" + p.server.Token() + "/" + file.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if data, _ := io.ReadAll(resp.Body); string(data) != "content" {
		t.Errorf("downloaded %q", data)
	}
	p.server.Speak(telegram.Speech{User: ada, Chat: ada, File: &telegram.File{Name: "big", Data: make([]byte, 20<<20+1)}})
	p.refused(p.call("getFile", `{"file_id":"big"}`), 400, "file is too big")
	p.refused(p.call("getFile", `{"file_id":"none"}`), 400, "wrong file_id")
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
}

func TestFaults(t *testing.T) {
	p := calm(t)
	p.server.Say(ada, ada, "hi")
	const send = `{"chat_id":11,"text":"x","link_preview_options":{"is_disabled":true}}`
	p.server.Break(telegram.Fault{Method: "sendMessage", Cut: telegram.CutBefore})
	if _, err := p.try(p.ctx, "sendMessage", send); err == nil || len(p.server.Sent(ada)) != 0 {
		t.Errorf("cut before: %v", err)
	}
	p.server.Break(telegram.Fault{Method: "sendMessage", Cut: telegram.CutAfter})
	if _, err := p.try(p.ctx, "sendMessage", send); err == nil || len(p.server.Sent(ada)) != 1 {
		t.Errorf("cut after: %v", err)
	}
	p.server.Break(telegram.Fault{Times: -1, Match: func(chat int64) bool { return chat == ada }, Code: 503, Description: "Service Unavailable"})
	for range 2 {
		p.refused(p.call("sendMessage", send), 503, "Service Unavailable")
	}
	p.server.Heal()
	if a := p.call("sendMessage", send); !a.OK {
		t.Errorf("healed: %+v", a)
	}
}

// What Telegram takes but ours must not do is logged.
func TestBreaches(t *testing.T) {
	p := calm(t)
	p.server.Group(group, ada)
	quiet := `"link_preview_options":{"is_disabled":true}`
	for body, want := range map[string]string{
		`{"chat_id":-1001,"text":"see https://example.com"}`:                                                                      "live link preview",
		`{"chat_id":-1001,"text":"x","parse_mode":"HTML",` + quiet + `}`:                                                          "parse_mode",
		`{"chat_id":-1001,"text":"ask @person_11",` + quiet + `}`:                                                                 "notifies @person_11",
		`{"chat_id":-1001,"text":"Ada","entities":[{"type":"text_mention","offset":0,"length":3}],` + quiet + `}`:                 "mention by entity",
		`{"chat_id":-1001,"text":"run @person_11 a@b.example","entities":[{"type":"code","offset":4,"length":10}],` + quiet + `}`: "",
	} {
		before := len(p.server.Breaches())
		if a := p.call("sendMessage", body); !a.OK {
			t.Errorf("%s: %+v", body, a)
		}
		fresh := p.server.Breaches()[before:]
		if (want == "") != (len(fresh) == 0) || want != "" && !strings.Contains(fresh[0], want) {
			t.Errorf("%s: %v", body, fresh)
		}
	}
	p.call("deleteWebhook", url.Values{}.Encode()+`{"drop_pending_updates":true}`)
	if all := p.server.Breaches(); !strings.Contains(all[len(all)-1], "drops pending updates") {
		t.Errorf("breaches: %v", all)
	}
}

func TestTally(t *testing.T) {
	p := calm(t)
	reply := func(to int64, text string) {
		p.call("sendMessage", fmt.Sprintf(`{"chat_id":11,"text":%q,"link_preview_options":{"is_disabled":true},"reply_parameters":{"message_id":%d}}`, text, to))
	}
	for _, text := range []string{"answered", "doubled", "lost", "late"} {
		p.server.Say(ada, ada, text)
	}
	reply(1, "a")
	reply(4, "early")
	reply(2, "b")
	reply(2, "b")
	reply(3, "…")
	p.call("sendMessage", `{"chat_id":11,"text":"stray","link_preview_options":{"is_disabled":true}}`)
	got := p.server.Tally(nil)
	if got.Said != 4 || got.Answered != 2 || len(got.Lost) != 1 || len(got.Doubled) != 1 || len(got.Orphans) != 1 || len(got.Disordered) != 1 || len(got.Strays) != 1 {
		t.Errorf("tally: %+v", got)
	}
}

// BenchmarkSend is how many messages the simulator takes, its client included.
func BenchmarkSend(b *testing.B) {
	s, err := telegram.Start(telegram.Options{NoFlood: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	s.Say(ada, ada, "hi")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	b.ReportAllocs()
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			resp, err := client.Post(s.URL()+"/bot"+s.Token()+"/sendMessage", "application/json",
				strings.NewReader(`{"chat_id":"11","text":"the answer","link_preview_options":{"is_disabled":true}}`))
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	})
}
