package discord_test

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
	"time"

	"talaria/adapters/discord"
	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"
)

func text(md string) chat.Post { return chat.Post{Markdown: md} }

// last is the newest message of the bot's in a channel.
func (r *rig) last(channel string) simulator.Message {
	r.T.Helper()
	sent := r.Server.Sent(channel)
	if len(sent) == 0 {
		r.T.Fatal("nothing was sent")
	}
	return sent[len(sent)-1]
}

func TestSendCarriesEverything(t *testing.T) {
	r := newRig(t, simulator.Options{})
	question := r.Server.Say(ada, thread, "?")
	r.Send(chat.Delivery{
		Key: "turn/1", Address: toThread, ReplyTo: question, Silent: true,
		Payload: r.Payload(chat.Post{Markdown: "**yes** @everyone https://a.example", Buttons: []chat.Button{
			{Label: "Go", Action: "go", Token: "t1", Style: "primary"}, {Label: "Stop", Action: "stop", Style: "danger"},
		}}),
	})
	got := r.last(thread)
	if !strings.HasPrefix(got.Text, "**yes**") || got.ReplyTo != question || got.Nonce != discord.Nonce("turn/1") {
		t.Errorf("sent %+v", got)
	}
	const silent, noPreviews = 1 << 12, 1 << 2
	if got.Flags != silent|noPreviews {
		t.Errorf("flags %b", got.Flags)
	}
	if len(got.Buttons) != 2 || got.Buttons[0].CustomID != "go:t1" || got.Buttons[0].Style != 1 || got.Buttons[1].Style != 4 {
		t.Errorf("buttons %+v", got.Buttons)
	}
}

func TestARepeatedSendIsOneMessage(t *testing.T) {
	r := newRig(t, simulator.Options{})
	d := chat.Delivery{Key: "turn/1", Address: toDirect, Payload: r.Payload(text("once"))}
	r.Server.Break(simulator.Fault{Op: "createMessage", Cut: simulator.CutAfter})
	if _, err := r.Adapter.Send(r.Ctx, d); chat.KindOf(err) != chat.UnknownOutcome {
		t.Fatalf("the outcome is told as %v", err)
	}
	first, second := r.Send(d), r.Send(d)
	if first.Message != second.Message || len(r.Server.Sent(direct)) != 1 || r.Server.Repeated() != 2 {
		t.Errorf("messages %s and %s, %d shown", first.Message, second.Message, len(r.Server.Sent(direct)))
	}
	if n := len(discord.Nonce(strings.Repeat("long key ", 50))); n > 25 {
		t.Errorf("a nonce of %d characters", n)
	}
}

func TestNothingIsTriedAgainByTheLibrary(t *testing.T) {
	r := newRig(t, simulator.Options{})
	for _, status := range []int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusTooManyRequests} {
		before := r.Server.Calls("createMessage")
		r.Server.Break(simulator.Fault{Op: "createMessage", Status: status, RetryAfter: time.Millisecond})
		_, err := r.Adapter.Send(r.Ctx, chat.Delivery{Key: "k", Address: toDirect, Payload: r.Payload(text("x"))})
		if err == nil || r.Server.Calls("createMessage") != before+1 {
			t.Errorf("%d: %d calls, %v", status, r.Server.Calls("createMessage")-before, err)
		}
	}
}

func TestWhatOnePersonMaySeeGoesToTheirDirectChat(t *testing.T) {
	r := newRig(t, simulator.Options{})
	question := r.Server.Say(ada, lobby, "?")
	r.Send(chat.Delivery{
		Key: "k", Address: toLobby, ReplyTo: question, Payload: r.Payload(text("a secret")),
		Private: &chat.Identity{Platform: discord.Platform, ID: ada},
	})
	if len(r.Server.Sent(lobby)) > 0 || r.last(direct).Text != "a secret" {
		t.Error("it was shown to the channel")
	}
}

func TestFilesFollowAndCarryTheButtons(t *testing.T) {
	r := newRig(t, simulator.Options{})
	parts := r.Adapter.Render(chat.Post{
		Markdown: "here", Files: []chat.Upload{{Name: "../a\r\nX-Evil: 1.txt", MIME: "text/plain\r\nX-Evil: 2", Data: []byte("content")}},
		Buttons: []chat.Button{{Label: "Keep", Action: "keep"}},
	})
	if len(parts) != 2 || parts[0].Fixed || !parts[1].Fixed {
		t.Fatalf("parts: %+v", parts)
	}
	for i, part := range parts {
		r.Send(chat.Delivery{Key: string(rune('a' + i)), Address: toDirect, Payload: part.Payload})
	}
	got := r.last(direct)
	if got.File == nil || string(got.File.Data) != "content" || strings.ContainsAny(got.File.Name, "\r\n/") || len(got.Buttons) != 1 {
		t.Errorf("sent %+v", got)
	}
	_, err := r.Adapter.Edit(r.Ctx, chat.Delivery{Address: toDirect, Message: got.ID, Payload: parts[1].Payload})
	if chat.KindOf(err) != chat.Permanent {
		t.Errorf("a file put in by an edit: %v", err)
	}
}

func TestStoredFilesAreOpenedByTheirPlace(t *testing.T) {
	server := newSimulator(t, simulator.Options{})
	cfg := discord.Config{Token: server.Token(), APIURL: server.URL()}
	size := 5
	cfg.OpenBlob = func(_ context.Context, place chat.Address, hash string) (io.ReadCloser, error) {
		if place != toDirect || hash != "h1" {
			return nil, errors.New("not there")
		}
		return io.NopCloser(bytes.NewReader(make([]byte, size))), nil
	}
	a := newAdapter(t, cfg, nil)
	d := chat.Delivery{Key: "k", Address: toDirect, Payload: a.Render(chat.Post{Files: []chat.Upload{{Name: "f", Blob: "h1"}}})[0].Payload}
	if _, err := a.Send(t.Context(), d); err != nil {
		t.Error(err)
	}
	size = 10<<20 + 1
	if _, err := a.Send(t.Context(), d); chat.KindOf(err) != chat.Permanent {
		t.Errorf("a file too large: %v", err)
	}
	d.Address = toLobby
	if _, err := a.Send(t.Context(), d); chat.KindOf(err) != chat.Permanent {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestAnEditTakesButtonsAway(t *testing.T) {
	r := newRig(t, simulator.Options{})
	d := chat.Delivery{Key: "k", Address: toLobby, Payload: r.Payload(chat.Post{Markdown: "may I?", Buttons: []chat.Button{{Label: "Yes", Action: "y"}}})}
	d.Message = r.Send(d).Message
	d.Payload = r.Payload(text("thank you @here"))
	if _, err := r.Adapter.Edit(r.Ctx, d); err != nil {
		t.Fatal(err)
	}
	if got := r.last(lobby); len(got.Buttons) > 0 || !strings.HasPrefix(got.Text, "thank you") {
		t.Errorf("shown %+v", got)
	}
}

func TestButtonsKeepToTheLimits(t *testing.T) {
	r := newRig(t, simulator.Options{})
	var many []chat.Button
	for i := range 40 {
		many = append(many, chat.Button{Label: strings.Repeat("long label ", 20), Action: "pick", Token: "t" + strings.Repeat("x", i%20) + string(rune('a'+i%26))})
	}
	many[3].Token = strings.Repeat("x", 120)
	seen := map[string]bool{}
	many = slices.DeleteFunc(many, func(b chat.Button) bool { twice := seen[b.Token]; seen[b.Token] = true; return twice })
	r.Send(chat.Delivery{Key: "k", Address: toLobby, Payload: r.Payload(chat.Post{Markdown: "which?", Buttons: many})})
	card := r.last(lobby)
	if n := len(card.Buttons); n != 21 || len(card.Buttons[20].Options) == 0 {
		t.Fatalf("%d buttons, the last one %+v", n, card.Buttons[n-1])
	}
	kept := r.run()
	more := card.Buttons[20]
	chosen := more.Options[len(more.Options)-1].Value
	r.Server.Choose(ada, lobby, card.ID, more.CustomID, chosen)
	if e := kept.Events(r.Ctx, t, 1)[0]; e.Press == nil || e.Press.Action+":"+e.Press.Token != chosen || e.Press.Value != "" {
		t.Errorf("chose %q, which came as %+v", chosen, e.Press)
	}
}

func TestFind(t *testing.T) {
	r := newRig(t, simulator.Options{})
	question := r.Server.Say(ada, lobby, "?")
	answer := chat.Delivery{Key: "k1", Address: toLobby, ReplyTo: question, Payload: r.Payload(text("the *answer*"))}
	find := func(d chat.Delivery, want string, wantFound bool) {
		t.Helper()
		got, found, err := r.Adapter.Find(r.Ctx, d)
		if err != nil || found != wantFound || got.Message != want {
			t.Errorf("found %v %q, %v", found, got.Message, err)
		}
	}
	find(answer, "", false)
	sent := r.Send(answer)
	find(answer, sent.Message, true)
	r.Server.Say(ada, lobby, "the _answer_") // by somebody else
	find(answer, sent.Message, true)
	other := answer
	other.ReplyTo = r.Server.Say(ada, lobby, "??")
	find(other, "", false)
	find(other, r.Send(chat.Delivery{Key: "k9", Address: toLobby, ReplyTo: other.ReplyTo, Payload: other.Payload}).Message, true)
	find(answer, sent.Message, true) // not the one that answers something else
	plain := chat.Delivery{Key: "k2", Address: toDirect, Payload: r.Payload(text("done"))}
	find(plain, "", false)
	first := r.Send(plain)
	find(plain, first.Message, true)
	plain.Key = "k3"
	r.Send(plain)
	if _, _, err := r.Adapter.Find(r.Ctx, plain); err == nil {
		t.Error("of two that look alike one is taken")
	}
	file := chat.Delivery{Key: "k4", Address: toDirect, Payload: r.Payload(chat.Post{Files: []chat.Upload{{Name: "a.txt", Data: []byte("x")}}})}
	find(file, "", false)
	find(file, r.Send(file).Message, true)
}

func TestErrorsAreClassified(t *testing.T) {
	cases := []struct {
		fault  simulator.Fault
		kind   chat.ErrorKind
		thread bool
	}{
		{simulator.Fault{Status: 403, Code: 50001, Message: "Missing Access"}, chat.NotAllowed, false},
		{simulator.Fault{Status: 401, Message: "401: Unauthorized"}, chat.NotAllowed, false},
		{simulator.Fault{Status: 403, Code: 50007, Message: "Cannot send messages to this user"}, chat.Gone, false},
		{simulator.Fault{Status: 404, Code: 10003, Message: "Unknown Channel"}, chat.Gone, true},
		{simulator.Fault{Status: 404, Code: 10008, Message: "Unknown Message"}, chat.Gone, false},
		{simulator.Fault{Status: 400, Code: 160005, Message: "Thread is locked"}, chat.Gone, true},
		{simulator.Fault{Status: 400, Code: 50006, Message: "Cannot send an empty message"}, chat.Permanent, false},
		{simulator.Fault{Status: 500, Body: "<html>"}, chat.UnknownOutcome, false},
		{simulator.Fault{Status: 504, Body: "<html>"}, chat.UnknownOutcome, false},
		{simulator.Fault{Cut: simulator.CutBefore}, chat.UnknownOutcome, false},
	}
	for _, c := range cases {
		r := newRig(t, simulator.Options{})
		r.Server.Break(c.fault)
		_, err := r.Adapter.Send(r.Ctx, chat.Delivery{Key: "k", Address: toThread, Payload: r.Payload(text("x"))})
		var e *chat.Error
		if !errors.As(err, &e) || e.Kind != c.kind || e.Thread != c.thread || e.Op != "createMessage" || e.Whole != (c.fault.Status == 401) {
			t.Errorf("%+v: %v (thread %v)", c.fault, err, e != nil && e.Thread)
		}
	}
}

func TestNoCallIsMadeBeforeTheWaitIsOver(t *testing.T) {
	r := newRig(t, simulator.Options{})
	ahead := time.Duration(0)
	r.Adapter.Now(func() time.Time { return time.Now().Add(ahead) })
	send := func(a chat.Address) *chat.Error {
		_, err := r.Adapter.Send(r.Ctx, chat.Delivery{Key: "k", Address: a, Payload: r.Payload(text("x"))})
		var e *chat.Error
		errors.As(err, &e)
		return e
	}
	for _, whole := range []bool{false, true} {
		r.Server.Break(simulator.Fault{Status: http.StatusTooManyRequests, RetryAfter: 30 * time.Second, Global: whole})
		if e := send(toLobby); e == nil || e.Kind != chat.RateLimited || e.Whole != whole || e.RetryAfter != 30*time.Second {
			t.Fatalf("refused with %v", e)
		}
		calls := r.Server.Calls("createMessage")
		if e := send(toLobby); e == nil || e.Kind != chat.RateLimited || e.RetryAfter > 30*time.Second {
			t.Errorf("then: %v", e)
		}
		if e := send(toDirect); (e != nil) != whole {
			t.Errorf("in another channel: %v", e)
		}
		want := calls
		if !whole {
			want++
		}
		if got := r.Server.Calls("createMessage"); got != want {
			t.Errorf("%d calls, not %d", got, want)
		}
		ahead += 31 * time.Second
		if e := send(toLobby); e != nil {
			t.Errorf("when it is over: %v", e)
		}
	}
}

func TestInteractionsAreAnsweredWhileTheBotHasToWait(t *testing.T) {
	r := newRig(t, simulator.Options{})
	kept := r.run()
	r.Server.Break(simulator.Fault{Op: "createMessage", Status: http.StatusTooManyRequests, Body: "<html>", RetryAfter: time.Minute})
	d := chat.Delivery{Key: "k", Address: toDirect, Payload: r.Payload(text("x"))}
	var e *chat.Error
	if _, err := r.Adapter.Send(r.Ctx, d); !errors.As(err, &e) || e.Kind != chat.RateLimited || !e.Whole || e.RetryAfter <= 0 {
		t.Fatalf("refused with %v", e)
	}
	token := r.Server.Command(ada, direct, "help")
	d.Interaction = kept.Events(r.Ctx, t, 1)[0].Interaction
	r.Await("the first response", func() bool { return r.Server.Answered(token) })
	r.Send(d)
}

func TestHeadersKeepTheBotWithinItsRate(t *testing.T) {
	r := newRig(t, simulator.Options{})
	sent, limited := 0, 0
	for i := range 12 {
		_, err := r.Adapter.Send(r.Ctx, chat.Delivery{Key: string(rune('a' + i)), Address: toLobby, Payload: r.Payload(text("x"))})
		switch {
		case err == nil:
			sent++
		case chat.KindOf(err) == chat.RateLimited:
			limited++
		default:
			t.Fatal(err)
		}
	}
	if waits, _ := r.Server.Waits(); waits != 0 || sent != 5 || limited != 7 {
		t.Errorf("%d sent, %d held back, %d refused by the server", sent, limited, waits)
	}
}

func TestARefusedTokenStopsAllCalls(t *testing.T) {
	r := newRig(t, simulator.Options{})
	r.Server.Break(simulator.Fault{Times: -1, Status: http.StatusUnauthorized, Message: "401: Unauthorized"})
	for range 5 {
		_, err := r.Adapter.Send(r.Ctx, chat.Delivery{Key: "k", Address: toLobby, Payload: r.Payload(text("x"))})
		if chat.KindOf(err) != chat.NotAllowed {
			t.Errorf("refused with %v", err)
		}
	}
	if n := len(r.Server.Refusals()); n != 1 {
		t.Errorf("%d calls with a refused token", n)
	}
}

func TestFilesAreFetchedFromDiscordAlone(t *testing.T) {
	r := newRig(t, simulator.Options{})
	evil := map[string]any{"attachments": []map[string]any{{"id": "61", "filename": "a", "url": "http://169.254.169.254/latest"}}}
	r.Server.Speak(simulator.Speech{User: ada, Channel: direct, Text: "x"})
	for _, ref := range []string{"61", "a/b/c", direct + "/1/61", "../" + direct + "/1"} {
		if _, err := r.Adapter.Download(r.Ctx, chat.Attachment{Ref: ref}); err == nil {
			t.Errorf("%q was fetched", ref)
		}
	}
	server := http.NewServeMux()
	server.HandleFunc("/api/v9/channels/{channel}/messages/{message}", func(w http.ResponseWriter, _ *http.Request) {
		evil["id"], evil["channel_id"] = "1", direct
		_ = json.NewEncoder(w).Encode(evil)
	})
	a := serve(t, server)
	_, err := a.Download(r.Ctx, chat.Attachment{Ref: direct + "/1/61"})
	if chat.KindOf(err) != chat.Permanent || !strings.Contains(err.Error(), "not on Discord's servers") {
		t.Errorf("an address elsewhere: %v", err)
	}
	if _, err := a.Download(r.Ctx, chat.Attachment{Ref: direct + "/1/61", Size: 1 << 40}); chat.KindOf(err) != chat.Permanent {
		t.Errorf("a file too large: %v", err)
	}
}
