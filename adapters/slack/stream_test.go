package slack_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	simulator "talaria/adapters/fake/slack"
	"talaria/adapters/slack"
	"talaria/core/chat"
)

// growing is an answer in a thread while it is written.
type growing struct {
	*rig
	d chat.Delivery
}

func newGrowing(t *testing.T) *growing {
	t.Helper()
	r := newRig(t, setup{})
	asked := r.Server.Say(ada, general, "tell me")
	return &growing{r, chat.Delivery{
		Key: "slack:" + asked + "/000", Address: place(general, asked), Growth: &chat.Growth{For: identity(ada), After: asked},
	}}
}

func (g *growing) preview(markdown string) chat.Delivery {
	g.T.Helper()
	part, ok := g.Adapter.Preview(markdown)
	if !ok {
		g.T.Fatalf("no preview of %q", markdown)
	}
	d := g.d
	d.Payload = part.Payload
	return d
}

// begin sends the first words.
func (g *growing) begin(markdown string) {
	g.T.Helper()
	r, err := g.Adapter.Send(g.Ctx, g.preview(markdown))
	if err != nil {
		g.T.Fatal(err)
	}
	g.d.Message = r.Message
}

func (g *growing) edit(d chat.Delivery) {
	g.T.Helper()
	if _, err := g.Adapter.Edit(g.Ctx, d); err != nil {
		g.T.Fatal(err)
	}
}

// finish puts the answer in.
func (g *growing) finish(p chat.Post) {
	g.T.Helper()
	d := g.d
	d.Payload = g.Adapter.Render(p)[0].Payload
	d.Growth = &chat.Growth{For: d.Growth.For, After: d.Growth.After, Whole: true}
	g.edit(d)
}

// final checks that there is the one message, finished and with its key.
func (g *growing) final(text string) simulator.Message {
	g.T.Helper()
	sent := g.Server.Sent(general)
	if len(sent) != 1 {
		g.T.Fatalf("%d messages: %+v", len(sent), sent)
	}
	if m := sent[0]; m.Text != text || m.Streaming || !strings.Contains(string(m.Metadata), g.d.Key) {
		g.T.Errorf("message %+v", m)
	}
	return sent[0]
}

func TestAnAnswerGrowsInAStreamAndEndsAsItWasRendered(t *testing.T) {
	g := newGrowing(t)
	g.begin("one **two** thr")
	if m := g.Server.Sent(general)[0]; m.Text != "one **two** " || !m.Streaming || m.Recipient != ada {
		t.Errorf("began as %+v", m)
	}
	g.edit(g.preview("one **two** three four"))
	g.edit(g.preview("one **two** three fourt")) // nothing new to be shown
	if m := g.Server.Sent(general)[0]; m.Text != "one **two** three " || g.Server.Calls("chat.appendStream") != 1 {
		t.Errorf("grew to %q", m.Text)
	}
	g.finish(chat.Post{Markdown: "one **two** three fourteen", Buttons: []chat.Button{{Label: "Go", Action: "go"}}})
	if m := g.final("one *two* three fourteen"); len(m.Buttons()) != 1 {
		t.Errorf("buttons of %+v", m)
	}
}

func TestAnAddressIsNeverStreamed(t *testing.T) {
	g := newGrowing(t)
	g.begin("look at ")
	g.edit(g.preview("look at https://x.example/?q=1 and"))
	if m := g.Server.Sent(general)[0]; m.Streaming || !strings.Contains(m.Text, "https://x.example/?q=1") {
		t.Errorf("shown as %+v", m)
	}
	g.edit(g.preview("look at https://x.example/?q=1 and more"))
	g.finish(chat.Post{Markdown: "look at it"})
	g.final("look at it")
	if n := g.Server.Calls("chat.stopStream"); n != 1 {
		t.Errorf("stopped %d times", n)
	}
}

func TestWhereSlackRefusesAStreamTheAnswerIsEdited(t *testing.T) {
	for _, refusal := range []simulator.Fault{{Error: "unknown_method"}, {Error: "channel_type_not_supported"}, {RetryAfter: 30}} {
		g := newGrowing(t)
		refusal.Method = "chat.startStream"
		g.Server.Break(refusal)
		g.begin("one two")
		g.edit(g.preview("one two three"))
		g.finish(chat.Post{Markdown: "done"})
		if m := g.final("done"); len(m.History) != 2 {
			t.Errorf("%+v: shown as %q", refusal, m.History)
		}
	}
	r := newRig(t, setup{})
	top := growing{r, chat.Delivery{Key: "k", Address: place(r.Server.Direct(ada), ""), Growth: &chat.Growth{For: identity(ada)}}}
	top.begin("one two")
	if n := r.Server.Calls("chat.startStream"); n != 0 {
		t.Error("streamed on the top level of a direct conversation")
	}
}

func TestAStreamThatSlackClosedIsEdited(t *testing.T) {
	g := newGrowing(t)
	g.begin("one two")
	g.Server.CloseStreams()
	g.edit(g.preview("one two three"))
	g.finish(chat.Post{Markdown: "done"})
	g.final("done")
}

// A crash leaves a stream open, whose id may not be known.
func TestAStreamOfBeforeACrashBecomesTheAnswer(t *testing.T) {
	g := newGrowing(t)
	g.Server.Break(simulator.Fault{Method: "chat.startStream", Cut: simulator.CutAfter})
	if _, err := g.Adapter.Send(g.Ctx, g.preview("one two")); err == nil || chat.KindOf(err) != chat.UnknownOutcome {
		t.Fatalf("a lost answer is told as %v", err)
	}
	g.Adapter = newAdapter(t, slack.Config{
		BotToken: g.Server.BotToken(), AppToken: g.Server.AppToken(), APIURL: g.Server.URL(),
	}, slog.New(slog.DiscardHandler))
	g.Adapter.Hurry(quick, 0, 0)
	d := g.preview("one two")
	r, found, err := g.Adapter.Find(g.Ctx, d)
	if err != nil || !found {
		t.Fatalf("found %v, %v", found, err)
	}
	g.d.Message = r.Message
	g.finish(chat.Post{Markdown: "done"})
	g.final("done")
	d.Key = "another"
	if _, found, err := g.Adapter.Find(g.Ctx, d); found || err != nil {
		t.Errorf("a finished stream was taken for another's: %v", err)
	}
}

func FuzzStreamedText(f *testing.F) {
	for _, s := range []string{"one two", "see https://a.example x", "<!here> x", "mail me@a.example ", "a [b](c) d", "go to evil.example/x now", "wide\u00a0blank\u3000x", strings.Repeat("\xb0", 4000)} {
		f.Add(s)
	}
	server := simulator.New(f, simulator.Options{})
	a, err := slack.New(slack.Config{BotToken: server.BotToken(), AppToken: server.AppToken(), APIURL: server.URL()}, slog.New(slog.DiscardHandler))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		part, ok := a.Preview(markdown)
		if !ok || !utf8.ValidString(markdown) {
			return
		}
		var p struct {
			Grown struct{ Text string } `json:"grown"`
		}
		if err := json.Unmarshal(part.Payload, &p); err != nil {
			t.Fatal(err)
		}
		text := p.Grown.Text
		if !strings.HasPrefix(markdown, text) || len(text) > 4000 || strings.ContainsAny(text, "<@") || strings.Contains(text, "://") {
			t.Errorf("%q is streamed as %q", markdown, text)
		}
	})
}
