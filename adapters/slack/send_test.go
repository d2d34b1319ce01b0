package slack_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/slack"
	"talaria/adapters/slack"
	"talaria/core/chat"
)

func TestButtonsOfOneActionHaveTheirOwnIDs(t *testing.T) {
	r := newRig(t, setup{})
	r.Post(chat.Delivery{Address: place(general, "")}, chat.Post{
		Markdown: "pick <one> & go",
		Buttons:  []chat.Button{{Label: "1", Action: "page", Token: "a"}, {Label: "2", Action: "page", Token: "b", Style: "danger"}},
	})
	m := r.Server.Sent(general)[0]
	if got := m.Buttons(); len(got) != 2 || got[0].ID != "page" || got[1].ID != "page#1" || got[1].Value != "b" {
		t.Errorf("buttons: %+v", got)
	}
	if m.Text != "pick &lt;one&gt; &amp; go" || !strings.Contains(string(m.Blocks), `"verbatim":true`) {
		t.Errorf("text %q, blocks %s", m.Text, m.Blocks)
	}
}

func TestLongTextWithButtonsIsCutIntoSections(t *testing.T) {
	r := newRig(t, setup{})
	code := "```\n" + strings.Repeat("line of code & more\n", 170) + "```"
	r.Post(chat.Delivery{Address: place(general, "")}, chat.Post{Markdown: code, Buttons: []chat.Button{{Label: "Yes", Action: "yes"}}})
	sent := r.Server.Sent(general)
	if last := sent[len(sent)-1]; len(last.Buttons()) != 1 {
		t.Errorf("%d messages, buttons of the last: %v", len(sent), last.Buttons())
	}
}

func TestMentionsComeFromTheFieldAlone(t *testing.T) {
	r := newRig(t, setup{})
	r.Post(chat.Delivery{Address: place(general, "")}, chat.Post{
		Markdown: "see <@UBEN01> <!channel> @here",
		Mentions: []chat.Identity{identity(ada), {Platform: "telegram", ID: "1"}, {Platform: slack.Platform, ID: "<!here>"}},
	})
	if got := r.Server.Sent(general)[0].Text; !strings.HasPrefix(got, "<@"+ada+"> see &lt;@UBEN01&gt; &lt;!channel&gt;") {
		t.Errorf("text %q", got)
	}
}

func TestAnEditTakesButtonsAway(t *testing.T) {
	r := newRig(t, setup{})
	sent := r.Post(chat.Delivery{Address: place(general, "")}, chat.Post{Markdown: "may I?", Buttons: []chat.Button{{Label: "Yes", Action: "yes"}}})
	part := r.Adapter.Render(chat.Post{Markdown: "done, see https://a.example"})[0]
	d := chat.Delivery{Address: place(general, ""), Message: sent[0].Message, Payload: part.Payload}
	if _, err := r.Adapter.Edit(r.Ctx, d); err != nil {
		t.Fatal(err)
	}
	if m := r.Server.Sent(general)[0]; len(m.Buttons()) != 0 || len(m.History) != 1 {
		t.Errorf("buttons %v, history %v", m.Buttons(), m.History)
	}
	d.Message = "1.000001"
	if _, err := r.Adapter.Edit(r.Ctx, d); chat.KindOf(err) != chat.Permanent {
		t.Errorf("edit of nothing: %v", err)
	}
}

func TestEachPartCanBeEdited(t *testing.T) {
	r := newRig(t, setup{})
	for i, part := range r.Adapter.Render(chat.Post{Markdown: strings.Repeat("Ünïcode & <angles> ", 900)}) {
		sent, err := r.Adapter.Send(r.Ctx, chat.Delivery{Address: place(general, ""), Payload: part.Payload})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Adapter.Edit(r.Ctx, chat.Delivery{Address: place(general, ""), Message: sent.Message, Payload: part.Payload}); err != nil {
			t.Errorf("part %d: %v", i, err)
		}
	}
}

func TestPrivateIsSeenByOneAlone(t *testing.T) {
	who := identity(ada)
	direct := func(r *rig) string { return r.Server.Direct(ada) }
	shared := func(*rig) string { return general }
	for _, c := range []struct {
		name    string
		prepare func(r *rig, d *chat.Delivery)
		where   func(*rig) string
		viewer  string
	}{
		{"in a channel", func(*rig, *chat.Delivery) {}, shared, ada},
		{"the bot is not in it", func(r *rig, _ *chat.Delivery) { r.Server.Leave(general, simulator.BotUser) }, direct, ""},
		{"the person is not in it", func(r *rig, _ *chat.Delivery) { r.Server.Leave(general, ada) }, direct, ""},
		{"by the handle of a command, the bot not in it", func(r *rig, d *chat.Delivery) {
			d.Interaction = interactionOf(r)
			r.Server.Leave(general, simulator.BotUser)
		}, shared, ada},
		{"by a handle that has expired", func(r *rig, d *chat.Delivery) {
			d.Interaction = interactionOf(r)
			d.Interaction.Expires = time.Now().Add(-time.Second)
			r.Server.Leave(general, simulator.BotUser)
		}, direct, ""},
		{"by a handle that leads elsewhere", func(r *rig, d *chat.Delivery) {
			d.Interaction = &chat.Interaction{Token: "https://slack.com.evil.example/x", Expires: time.Now().Add(time.Hour)}
		}, shared, ada},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, setup{})
			d := chat.Delivery{Address: place(general, ""), Private: &who}
			c.prepare(r, &d)
			sent := r.Post(d, chat.Post{Markdown: "for you"})
			got := r.Server.Sent(c.where(r))
			if len(got) != 1 || got[0].Viewer != c.viewer || got[0].Text != "for you" || sent[0].Message == "" {
				t.Errorf("sent: %+v", got)
			}
		})
	}
}

func TestACommandAmongPeopleWithoutTheBotIsAnsweredByItsHandle(t *testing.T) {
	r := newRig(t, setup{})
	h := adaptertest.NewRecorder()
	r.Start(h)
	between := r.Server.Between(ada, guest)
	r.Server.Slash(ada, between, "help")
	e := h.Events(r.Ctx, t, 1)[0]
	r.Post(chat.Delivery{Key: "k", Address: e.Address, Interaction: e.Interaction}, chat.Post{Markdown: "for you"})
	if got := r.Server.Sent(between); len(got) != 1 || got[0].Viewer != ada || got[0].Text != "for you" {
		t.Errorf("sent: %+v", got)
	}
}

// interactionOf is what a slash command can be answered with.
func interactionOf(r *rig) *chat.Interaction {
	r.T.Helper()
	kept := make(chan chat.Event, 1)
	stop := r.Start(handler(func(_ context.Context, e chat.Event) error {
		kept <- e
		return nil
	}))
	r.Server.Slash(ada, general, "status")
	e := <-kept
	if err := stop(); err != nil {
		r.T.Fatal(err)
	}
	return e.Interaction
}

type handler func(context.Context, chat.Event) error

// Handle implements chat.Handler.
func (f handler) Handle(ctx context.Context, e chat.Event) error { return f(ctx, e) }

func TestFilesGoOutInThreeSteps(t *testing.T) {
	r := newRig(t, setup{config: func(c *slack.Config) {
		c.OpenBlob = func(_ context.Context, a chat.Address, hash string) (io.ReadCloser, error) {
			if hash == "none" {
				return nil, errors.New("no such blob")
			}
			return io.NopCloser(strings.NewReader("of " + hash + " in " + a.Chat)), nil
		}
	}})
	root := r.Server.Past(simulator.Speech{User: ada, Channel: general, Text: "root"})
	data := bytes.Repeat([]byte("x\x00y"), 70_000)
	sent := r.Post(chat.Delivery{Address: place(general, root)}, chat.Post{Markdown: "here", Files: []chat.Upload{
		{Name: "../a\u202eb.bin", Data: data}, {Name: "b.txt", Blob: "h1"},
	}})
	got := r.Server.Sent(general)
	if len(got) != 3 || got[1].Thread != root || len(got[1].Files) != 1 {
		t.Fatalf("sent: %+v", got)
	}
	if !bytes.Equal(r.Server.Content(got[1].Files[0]), data) || string(r.Server.Content(got[2].Files[0])) != "of h1 in "+general {
		t.Error("other bytes arrived")
	}
	if err := r.Adapter.Remove(r.Ctx, place(general, ""), sent[1].Message); err != nil || len(r.Server.Sent(general)) != 2 {
		t.Errorf("remove: %v", err)
	}
	for name, u := range map[string]chat.Upload{"empty": {Name: "e"}, "lost": {Name: "l", Blob: "none"}} {
		part := r.Adapter.Render(chat.Post{Files: []chat.Upload{u}})[0]
		if _, err := r.Adapter.Send(r.Ctx, chat.Delivery{Address: place(general, ""), Payload: part.Payload}); chat.KindOf(err) != chat.Permanent || !part.Fixed {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAFileLostOnTheWayHadNoEffect(t *testing.T) {
	r := newRig(t, setup{})
	part := r.Adapter.Render(chat.Post{Files: []chat.Upload{{Name: "a.txt", Data: []byte("x")}}})[0]
	d := chat.Delivery{Key: "k", Address: place(general, ""), Payload: part.Payload}
	for method, want := range map[string]chat.ErrorKind{
		"files.getUploadURLExternal": chat.Transient, "upload": chat.Transient, "files.completeUploadExternal": chat.UnknownOutcome,
	} {
		r.Server.Break(simulator.Fault{Method: method, Cut: simulator.CutBefore})
		if _, err := r.Adapter.Send(r.Ctx, d); chat.KindOf(err) != want {
			t.Errorf("%s: %v", method, err)
		}
	}
	if _, found, err := r.Adapter.Find(r.Ctx, d); found || err == nil {
		t.Errorf("a file was looked for: %v, %v", found, err)
	}
}

func TestErrorsHaveTheirKinds(t *testing.T) {
	r := newRig(t, setup{})
	part := r.Adapter.Render(chat.Post{Markdown: "hi"})[0]
	for _, c := range []struct {
		fault simulator.Fault
		want  chat.ErrorKind
	}{
		{simulator.Fault{Error: "token_revoked"}, chat.NotAllowed},
		{simulator.Fault{Error: "missing_scope"}, chat.NotAllowed},
		{simulator.Fault{Error: "not_in_channel"}, chat.NotAllowed},
		{simulator.Fault{Error: "restricted_action_read_only_channel"}, chat.NotAllowed},
		{simulator.Fault{Error: "is_archived"}, chat.Gone},
		{simulator.Fault{Error: "channel_not_found"}, chat.Gone},
		{simulator.Fault{Error: "thread_not_found"}, chat.Gone},
		{simulator.Fault{Error: "invalid_blocks"}, chat.Permanent},
		{simulator.Fault{Error: "something_new"}, chat.Permanent},
		{simulator.Fault{Error: "ratelimited"}, chat.RateLimited},
		{simulator.Fault{Error: "internal_error"}, chat.UnknownOutcome},
		{simulator.Fault{Error: "request_timeout"}, chat.Transient},
		{simulator.Fault{RetryAfter: 30}, chat.RateLimited},
		{simulator.Fault{Code: 502, Body: "<html>"}, chat.UnknownOutcome},
		{simulator.Fault{Code: 200, Body: "<html>"}, chat.UnknownOutcome},
		{simulator.Fault{Code: 200, Body: "{}"}, chat.UnknownOutcome},
		{simulator.Fault{Code: 302, Body: ""}, chat.UnknownOutcome},
		{simulator.Fault{Cut: simulator.CutBefore}, chat.UnknownOutcome},
	} {
		c.fault.Method = "chat.postMessage"
		r.Server.Break(c.fault)
		_, err := r.Adapter.Send(r.Ctx, chat.Delivery{Address: place(general, "1.2"), Payload: part.Payload})
		var e *chat.Error
		if !errors.As(err, &e) || e.Kind != c.want {
			t.Errorf("%+v: %v", c.fault, err)
			continue
		}
		if e.Kind == chat.RateLimited && (e.RetryAfter <= 0 || e.Whole) || e.Thread != (c.fault.Error == "thread_not_found") {
			t.Errorf("%+v: %+v", c.fault, e)
		}
		if bot := c.fault.Error == "token_revoked" || c.fault.Error == "missing_scope"; e.Kind == chat.NotAllowed && e.Whole != bot {
			t.Errorf("%+v: refused as a whole: %v", c.fault, e.Whole)
		}
	}
}

func TestADeliveryIsFoundByItsKey(t *testing.T) {
	r := newRig(t, setup{})
	root := r.Server.Past(simulator.Speech{User: ada, Channel: general, Text: "root"})
	for range 450 { // more than two pages
		r.Server.Past(simulator.Speech{User: ada, Channel: general, Thread: root, Text: "talk"})
		r.Server.Past(simulator.Speech{User: ada, Channel: general, Text: "talk"})
	}
	part := r.Adapter.Render(chat.Post{Markdown: "the answer"})[0]
	for _, a := range []chat.Address{place(general, root), place(general, ""), place(r.Server.Direct(ada), "")} {
		d := chat.Delivery{Key: "turn/" + a.String(), Address: a, Payload: part.Payload}
		if _, found, err := r.Adapter.Find(r.Ctx, d); found || err != nil {
			t.Errorf("%s: found before: %v, %v", a, found, err)
		}
		r.Server.Break(simulator.Fault{Method: "chat.postMessage", Cut: simulator.CutAfter})
		if _, err := r.Adapter.Send(r.Ctx, d); chat.KindOf(err) != chat.UnknownOutcome {
			t.Fatalf("%s: %v", a, err)
		}
		got, found, err := r.Adapter.Find(r.Ctx, d)
		sent := r.Server.Sent(a.Chat)
		if !found || err != nil || got.Message != sent[len(sent)-1].TS {
			t.Errorf("%s: %+v, %v, %v", a, got, found, err)
		}
	}
}

func TestWithoutHistoryAnOutcomeStaysUnknown(t *testing.T) {
	r := newRig(t, setup{opts: simulator.Options{Scopes: "chat:write"}})
	part := r.Adapter.Render(chat.Post{Markdown: "x"})[0]
	_, found, err := r.Adapter.Find(r.Ctx, chat.Delivery{Key: "k", Address: place(general, ""), Payload: part.Payload})
	if found || chat.KindOf(err) != chat.NotAllowed {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestWithoutTheRightToSendFilesWordsAreSent(t *testing.T) {
	r := newRig(t, setup{opts: simulator.Options{Scopes: "chat:write"}})
	to := chat.Delivery{Key: "k", Address: place(general, "")}
	to.Payload = r.Payload(chat.Post{Files: []chat.Upload{{Name: "a.txt", Data: []byte("a")}}})
	_, err := r.Adapter.Send(r.Ctx, to)
	if e, ok := errors.AsType[*chat.Error](err); !ok || e.Kind != chat.NotAllowed || e.Whole {
		t.Errorf("the file's error is %+v", e)
	}
	r.Post(to, chat.Post{Markdown: "words"})
}

func TestTypingIsShownInAssistantThreadsAlone(t *testing.T) {
	r := newRig(t, setup{})
	direct := r.Server.Direct(ada)
	root := r.Server.Past(simulator.Speech{User: ada, Channel: direct, Text: "root"})
	for _, a := range []chat.Address{place(direct, root), place(direct, ""), place(general, "1.2"), place(direct, "1.2")} {
		if err := r.Adapter.Typing(r.Ctx, a); err != nil {
			t.Errorf("%s: %v", a, err)
		}
	}
	if got := r.Server.Statuses(); !slices.Equal(got, []simulator.Status{{Channel: direct, Thread: root, Text: "is thinking…"}}) {
		t.Errorf("statuses: %v", got)
	}
	r.Server.Break(simulator.Fault{Method: "assistant.threads.setStatus", Error: "missing_scope"})
	for range 3 {
		if err := r.Adapter.Typing(r.Ctx, place(direct, root)); err != nil {
			t.Error(err)
		}
	}
	if n := r.Server.Calls("assistant.threads.setStatus"); n != 3 {
		t.Errorf("called %d times", n)
	}
}

func TestRemovingTwiceIsNoError(t *testing.T) {
	r := newRig(t, setup{})
	sent := r.Post(chat.Delivery{Address: place(general, "")}, chat.Post{Markdown: "going"})
	for range 2 {
		if err := r.Adapter.Remove(r.Ctx, place(general, ""), sent[0].Message); err != nil {
			t.Error(err)
		}
	}
}
