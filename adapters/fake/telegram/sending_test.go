package telegram_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"talaria/adapters/fake/telegram"
)

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

// upload sends a document as the part of a form.
func (p *peer) upload(part, document string) {
	p.t.Helper()
	if a := p.uploads(part, document, []byte("content")); !a.OK {
		p.t.Fatalf("sendDocument: %+v", a)
	}
}

func (p *peer) uploads(part, document string, content []byte) answer {
	p.t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	_ = w.WriteField("chat_id", "11")
	if document != "" {
		_ = w.WriteField("document", document)
	}
	f, _ := w.CreateFormFile(part, "notes.txt")
	_, _ = f.Write(content)
	_ = w.Close()
	req, err := http.NewRequestWithContext(p.ctx, http.MethodPost, p.server.URL()+"/bot"+p.server.Token()+"/sendDocument", &form)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", w.FormDataContentType())
	a, err := p.do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}

// https://core.telegram.org/bots/api#senddocument and #getfile: files in a
// form; downloads up to 20 MB.
func TestFiles(t *testing.T) {
	p := calm(t)
	p.server.Say(ada, ada, "hi")
	p.upload("document", "")
	p.upload("part1", "attach://part1")
	for _, m := range p.server.Sent(ada) {
		if f := m.File; f == nil || f.Name != "notes.txt" || string(f.Data) != "content" {
			t.Errorf("file: %+v", f)
		}
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
	p.refused(p.uploads("document", "", nil), 400, "file must be non-empty")
	small := newPeer(t, telegram.Options{NoFlood: true, Upload: 7})
	small.server.Say(ada, ada, "hi")
	small.upload("document", "")
	small.refused(small.uploads("document", "", make([]byte, 8)), 413, "Request Entity Too Large") // #sending-files
}

// https://core.telegram.org/bots/api#sendchataction.
func TestWhatABotMayBeSaidToDo(t *testing.T) {
	p := calm(t)
	p.server.Say(ada, ada, "hi")
	if a := p.call("sendChatAction", `{"chat_id":11,"action":"typing"}`); !a.OK {
		t.Errorf("typing: %+v", a)
	}
	p.refused(p.call("sendChatAction", `{"chat_id":11,"action":"thinking"}`), 400, "wrong parameter action")
}
