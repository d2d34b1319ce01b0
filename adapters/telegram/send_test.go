package telegram_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	simulator "talaria/adapters/fake/telegram"
	"talaria/adapters/telegram"
	"talaria/core/chat"

	"github.com/google/go-cmp/cmp"
)

func text(md string) chat.Post { return chat.Post{Markdown: md} }

// last is the newest message of the bot's in a chat.
func (r *rig) last(id int64) simulator.Message {
	r.T.Helper()
	sent := r.Server.Sent(id)
	if len(sent) == 0 {
		r.T.Fatal("nothing was sent")
	}
	return sent[len(sent)-1]
}

func TestSendCarriesEverything(t *testing.T) {
	r := newRig(t, nil)
	r.Server.Topic(group, topic)
	question := r.Server.Speak(simulator.Speech{User: ada, Chat: group, Thread: topic, Text: "?"})
	r.Send(chat.Delivery{
		Address: place(group, "77"), ReplyTo: "1", Silent: true,
		Payload: r.Payload(chat.Post{Markdown: "**yes**", Buttons: []chat.Button{{Label: "Go", Action: "go", Token: "t1"}}}),
	})
	got := r.last(group)
	if got.Text != "yes" || got.Thread != topic || got.ReplyTo != question.Message || !got.Silent {
		t.Errorf("sent %+v", got)
	}
	if diff := cmp.Diff([]simulator.Entity{{Type: "bold", Offset: 0, Length: 3}}, got.Entities, cmp.AllowUnexported(simulator.Entity{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]simulator.Button{{{Text: "Go", Data: "go:t1"}}}, got.Buttons); diff != "" {
		t.Error(diff)
	}
}

func TestTheGeneralTopicIsLeftOut(t *testing.T) {
	r := newRig(t, nil)
	r.Server.Topic(group, topic)
	r.Send(chat.Delivery{Address: place(group, "1"), Payload: r.Payload(text("hi"))})
	if got := r.last(group).Thread; got != 0 {
		t.Errorf("sent into topic %d", got)
	}
}

func TestWhatOnePersonMaySeeGoesToTheirDirectChat(t *testing.T) {
	r := newRig(t, nil)
	r.Server.Say(ada, ada, "/start")
	r.Send(chat.Delivery{
		Address: place(group, ""), ReplyTo: "1", Payload: r.Payload(text("a secret")),
		Private: &chat.Identity{Platform: telegram.Platform, ID: "510001"},
	})
	if len(r.Server.Sent(group)) > 0 || r.last(ada).Text != "a secret" {
		t.Error("it was shown to the group")
	}
}

func TestPlaceholderThenEdit(t *testing.T) {
	r := newRig(t, nil)
	r.Server.Say(ada, ada, "?")
	holder := r.Adapter.Placeholder()
	if holder == nil {
		t.Fatal("no placeholder")
	}
	d := chat.Delivery{Address: place(ada, ""), ReplyTo: "1", Payload: holder.Payload}
	d.Message = r.Send(d).Message
	d.Payload = r.Payload(text("the answer"))
	for range 2 {
		if _, err := r.Adapter.Edit(r.Ctx, d); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.last(ada); got.Text != "the answer" || len(got.History) != 2 {
		t.Errorf("versions: %+v", got.History)
	}
	if tally := r.Server.Tally(nil); tally.Answered != 1 || len(tally.Orphans)+len(tally.Doubled)+len(tally.Lost) > 0 {
		t.Errorf("tally: %+v", tally)
	}
	plain := newRig(t, func(c *telegram.Config) { c.Delivery = telegram.Plain })
	if plain.Adapter.Placeholder() != nil {
		t.Error("a placeholder though answers go out plain")
	}
}

func TestFilesFollowAndCarryTheButtons(t *testing.T) {
	r := newRig(t, func(c *telegram.Config) {
		c.OpenBlob = func(_ context.Context, place chat.Address, hash string) (io.ReadCloser, error) {
			if place.Chat == "" || hash != "h1" {
				return nil, errors.New("no such blob")
			}
			return io.NopCloser(strings.NewReader("from the store")), nil
		}
	})
	parts := r.Adapter.Render(chat.Post{
		Markdown: "see below", Buttons: []chat.Button{{Label: "Ok", Action: "ok"}},
		Files: []chat.Upload{{Name: "a.txt", Data: []byte("inline")}, {Name: "b.txt", Blob: "h1"}},
	})
	if len(parts) != 3 || parts[0].Fixed || !parts[1].Fixed || !parts[2].Fixed {
		t.Fatalf("parts: %+v", parts)
	}
	for _, p := range parts {
		r.Send(chat.Delivery{Address: place(group, ""), Payload: p.Payload})
	}
	sent := r.Server.Sent(group)
	if sent[0].Buttons != nil || sent[1].Buttons != nil || len(sent[2].Buttons) != 1 {
		t.Error("the buttons are not on the last part alone")
	}
	if string(sent[1].File.Data) != "inline" || string(sent[2].File.Data) != "from the store" || sent[2].File.Name != "b.txt" {
		t.Errorf("files: %+v, %+v", sent[1].File, sent[2].File)
	}
	_, err := r.Adapter.Edit(r.Ctx, chat.Delivery{Address: place(group, ""), Message: "1", Payload: parts[1].Payload})
	if chat.KindOf(err) != chat.Permanent {
		t.Errorf("edit with a file: %v", err)
	}
}

func TestAStoredFileThatIsMissingFailsForGood(t *testing.T) {
	r := newRig(t, nil)
	p := r.Payload(chat.Post{Files: []chat.Upload{{Name: "b.txt", Blob: "h1"}}})
	_, err := r.Adapter.Send(r.Ctx, chat.Delivery{Address: place(group, ""), Payload: p})
	if chat.KindOf(err) != chat.Permanent {
		t.Errorf("send: %v", err)
	}
}

func TestButtonsFitTheirLimits(t *testing.T) {
	r := newRig(t, nil)
	long := chat.Button{Label: "Long", Action: strings.Repeat("a", 24), Token: strings.Repeat("T", 32)}
	over := chat.Button{Label: "Over", Action: strings.Repeat("a", 24), Token: strings.Repeat("T", 40)}
	var many []chat.Button
	for range 7 {
		many = append(many, chat.Button{Label: "x", Action: "x"})
	}
	r.Send(chat.Delivery{Address: place(group, ""), Payload: r.Payload(chat.Post{Markdown: "?", Buttons: append([]chat.Button{long, over}, many...)})})
	var labels, rows []int
	for _, row := range r.last(group).Buttons {
		rows = append(rows, len(row))
		for _, b := range row {
			labels = append(labels, len(b.Data))
		}
	}
	if len(labels) != 8 || slices.Max(labels) > 64 || slices.Max(rows) > 3 {
		t.Errorf("data of %v bytes in rows of %v", labels, rows)
	}
}

func TestLongTextsStayWithinTheLimit(t *testing.T) {
	r := newRig(t, nil)
	for _, p := range r.Adapter.Render(text(strings.Repeat("🦊", 5000))) {
		var content struct{ Text string }
		if err := json.Unmarshal(p.Payload, &content); err != nil {
			t.Fatal(err)
		}
		if n := len(utf16.Encode([]rune(content.Text))); n > r.Adapter.Limits().Text {
			t.Errorf("%d UTF-16 units", n)
		}
	}
}

func TestRefusalsOfThePlaceHaveTheirKind(t *testing.T) {
	r := newRig(t, nil)
	send := func(a chat.Address) *chat.Error {
		t.Helper()
		_, err := r.Adapter.Send(r.Ctx, chat.Delivery{Address: a, Payload: r.Payload(text("hi"))})
		e, ok := errors.AsType[*chat.Error](err)
		if !ok {
			t.Fatalf("send: %v", err)
		}
		return e
	}
	r.Server.Topic(group, topic)
	r.Server.CloseTopic(group, topic)
	if e := send(place(group, "77")); e.Kind != chat.Gone || !e.Thread {
		t.Errorf("deleted topic: %v", e)
	}
	if e := send(place(999, "")); e.Kind != chat.Gone || e.Thread {
		t.Errorf("unknown chat: %v", e)
	}
	r.Server.Say(ada, ada, "hi")
	r.Server.Block(ada)
	if e := send(place(ada, "")); e.Kind != chat.Gone {
		t.Errorf("blocked: %v", e)
	}
	r.Server.Migrate(-5, -1005)
	if e := send(place(-5, "")); e.Kind != chat.Moved || e.To != "-1005" {
		t.Errorf("migrated: %v", e)
	}
	if e := send(chat.Address{Platform: telegram.Platform, Chat: "-1001000000001", Thread: "no number"}); e.Kind != chat.Permanent {
		t.Errorf("thread of no form: %v", e)
	}
	_, err := r.Adapter.Send(r.Ctx, chat.Delivery{Address: place(group, ""), Payload: json.RawMessage("{")})
	if chat.KindOf(err) != chat.Permanent {
		t.Errorf("payload of no form: %v", err)
	}
}

func TestAnswersThatAreNoneAreUnclear(t *testing.T) {
	r := newRig(t, nil)
	for _, c := range []struct {
		name  string
		fault simulator.Fault
		want  chat.ErrorKind
	}{
		{"500 in JSON", simulator.Fault{Code: 500, Description: "Internal Server Error"}, chat.UnknownOutcome},
		{"502 of a proxy", simulator.Fault{Code: 502, Body: "<html>Bad Gateway</html>"}, chat.UnknownOutcome},
		{"200 that says no", simulator.Fault{Code: 200, Body: `{"ok":false}`}, chat.UnknownOutcome},
		{"200 of something else", simulator.Fault{Code: 200, Body: `<html>Log in</html>`}, chat.UnknownOutcome},
		{"200 with an odd result", simulator.Fault{Code: 200, Body: `{"ok":true,"result":"?"}`}, chat.UnknownOutcome},
		{"302 elsewhere", simulator.Fault{Code: 302, Body: "moved"}, chat.UnknownOutcome},
		{"cut before an answer", simulator.Fault{Cut: simulator.CutBefore}, chat.UnknownOutcome},
		{"413 of a proxy", simulator.Fault{Code: 413, Body: "too large"}, chat.Permanent},
		{"429 without a wait", simulator.Fault{Code: 429, Description: "Too Many Requests"}, chat.RateLimited},
		{"token echoed", simulator.Fault{Code: 400, Description: "Bad Request: " + r.Server.Token()}, chat.Permanent},
	} {
		r.Server.Break(c.fault)
		_, err := r.Adapter.Send(r.Ctx, chat.Delivery{Address: place(group, ""), Payload: r.Payload(text("hi"))})
		if chat.KindOf(err) != c.want || err == nil || strings.Contains(err.Error(), "SIMULATED") {
			t.Errorf("%s: %v", c.name, err)
		}
		if e, _ := errors.AsType[*chat.Error](err); c.want == chat.RateLimited && e.RetryAfter <= 0 {
			t.Errorf("%s: no wait", c.name)
		}
	}
}

func TestATimeOutAfterTheRequestIsUnclear(t *testing.T) {
	r := newRig(t, nil)
	ctx, cancel := context.WithCancel(r.Ctx)
	r.Server.Break(simulator.Fault{Method: "sendMessage", Delay: patience})
	done := make(chan error, 1)
	go func() {
		_, err := r.Adapter.Send(ctx, chat.Delivery{Address: place(group, ""), Payload: r.Payload(text("hi"))})
		done <- err
	}()
	r.Await("the call", func() bool { return r.Server.Calls("sendMessage") == 1 })
	cancel()
	if err := <-done; chat.KindOf(err) != chat.UnknownOutcome || !errors.Is(err, context.Canceled) {
		t.Errorf("send: %v", err)
	}
}

func TestDownloadsAreBounded(t *testing.T) {
	r := newRig(t, nil)
	_, err := r.Adapter.Download(r.Ctx, chat.Attachment{Ref: "x", Size: 20<<20 + 1})
	if chat.KindOf(err) != chat.Permanent || r.Server.Calls("getFile") > 0 {
		t.Errorf("a file said to be too large: %v", err)
	}
	r.Server.Speak(simulator.Speech{User: ada, Chat: ada, File: &simulator.File{Name: "big", Data: bytes.Repeat([]byte("x"), 20<<20+1)}})
	if _, err := r.Adapter.Download(r.Ctx, chat.Attachment{Ref: "big"}); chat.KindOf(err) != chat.Permanent {
		t.Errorf("a file that is too large: %v", err)
	}
	r.Server.Break(simulator.Fault{Method: "getFile", Code: http.StatusOK, Body: `{"ok":true,"result":{"file_id":"x","file_path":"documents/gone"}}`})
	if _, err := r.Adapter.Download(r.Ctx, chat.Attachment{Ref: "x"}); err == nil || strings.Contains(err.Error(), "SIMULATED") {
		t.Errorf("a file that is gone: %v", err)
	}
}

func TestCheckTellsWhatIsWrong(t *testing.T) {
	r := newRig(t, nil)
	r.call("setWebhook", map[string][]string{"url": {"http://127.0.0.1:1/theirs"}})
	bad := 0
	for _, f := range r.Adapter.Check(r.Ctx) {
		if !f.OK {
			bad++
		}
	}
	if bad == 0 {
		t.Error("a webhook that is in the way is not told")
	}
}
