package slack_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/slack"
	"talaria/adapters/slack"
	"talaria/core/chat"
)

func TestUnknownEventsAreAcknowledged(t *testing.T) {
	for _, mode := range []slack.Mode{slack.Socket, slack.HTTP} {
		t.Run(string(mode), func(t *testing.T) {
			r := newRig(t, setup{mode: mode, opts: simulator.Options{Tries: -1}})
			h := adaptertest.NewRecorder()
			r.Start(h)
			r.Server.Emit(map[string]any{"type": "telepathy", "channel": map[string]any{"id": general}})
			r.Server.Say(ada, r.Server.Direct(ada), "after it")
			if e := h.Events(r.Ctx, t, 1)[0]; e.Text != "after it" {
				t.Errorf("came %+v", e)
			}
			r.settled()
			r.Log.Await(t, r.Ctx, "telepathy")
			if f := r.Adapter.Check(r.Ctx); !slices.ContainsFunc(f, func(f chat.Finding) bool { return strings.Contains(f.What, "telepathy") }) {
				t.Errorf("findings: %v", f)
			}
		})
	}
}

func TestTheNextSocketIsOpenBeforeTheOldOneIsClosed(t *testing.T) {
	r := newRig(t, setup{})
	h := adaptertest.NewRecorder()
	r.Start(h)
	direct := r.Server.Direct(ada)
	r.Await("a socket", func() bool { open, _, _ := r.Server.Sockets(); return open == 1 })
	r.Server.Refresh()
	r.Server.Say(ada, direct, "meanwhile")
	r.Await("another socket", func() bool { _, opened, most := r.Server.Sockets(); return opened == 2 && most == 2 })
	r.Await("the old one to go", func() bool { open, _, _ := r.Server.Sockets(); return open == 1 })
	r.Server.Say(ada, direct, "afterwards")
	h.Events(r.Ctx, t, 2)
	r.settled()
}

func TestAnotherProcessWithTheSameAppIsToldOf(t *testing.T) {
	r := newRig(t, setup{})
	r.Start(adaptertest.NewRecorder())
	r.Await("a socket", func() bool { open, _, _ := r.Server.Sockets(); return open == 1 })
	if strings.Contains(r.Log.String(), "other processes") {
		t.Error("it takes itself for another")
	}
	log := adaptertest.NewLog()
	second, err := slack.New(slack.Config{BotToken: r.Server.BotToken(), AppToken: r.Server.AppToken(), APIURL: r.Server.URL()}, log.Logger(slog.LevelInfo))
	if err != nil {
		t.Fatal(err)
	}
	two := &rig{adaptertest.NewRig(t, r.Server, second, log)}
	two.Start(adaptertest.NewRecorder())
	log.Await(t, r.Ctx, "other processes")
}

func TestADroppedSocketIsReplacedAndNothingIsLost(t *testing.T) {
	r := newRig(t, setup{opts: simulator.Options{Tries: -1}})
	tried := make(chan struct{}, 1)
	var broken atomic.Bool
	broken.Store(true)
	h := adaptertest.NewRecorder()
	h.Answer = func(chat.Event, int) error {
		if !broken.Load() {
			return nil
		}
		select {
		case tried <- struct{}{}:
		default:
		}
		return errStore
	}
	r.Start(h)
	direct := r.Server.Direct(ada)
	r.Server.Say(ada, direct, "one")
	<-tried
	r.Server.Disconnect()
	r.Server.Say(ada, direct, "two")
	broken.Store(false)
	r.settled()
	var got []string
	keys := map[string]bool{} // what is read back after the gap may be delivered too, with the same key
	for _, e := range h.Events(r.Ctx, t, 2) {
		if !keys[e.Key()] {
			got = append(got, e.Text)
		}
		keys[e.Key()] = true
	}
	if !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("came as %v", got)
	}
}

func TestWhatWasSaidWithNoSocketOpenIsReadBack(t *testing.T) {
	r := newRig(t, setup{})
	h := adaptertest.NewRecorder()
	r.Start(h)
	direct := r.Server.Direct(ada)
	root := r.Server.Past(simulator.Speech{User: ada, Channel: general, Text: "root"})
	r.Server.Say(ada, direct, "heard")
	r.Server.Speak(simulator.Speech{User: ada, Channel: general, Thread: root, Text: "<@" + simulator.BotUser + "> heard too"})
	h.Events(r.Ctx, t, 3) // the mention comes as two
	r.settled()
	r.Server.Break(simulator.Fault{Method: "apps.connections.open", Times: -1, Error: "internal_error"})
	r.Server.Disconnect()
	for _, s := range []simulator.Speech{
		{User: ada, Channel: direct, Text: "missed"},
		{User: guest, Channel: general, Thread: root, Text: "missed in the thread"},
		{User: simulator.BotUser, Channel: direct, Text: "mine"},
	} {
		r.Server.Past(s) // Slack tells of none of them
	}
	r.Server.Heal()
	var got []string
	for _, e := range h.Events(r.Ctx, t, 5)[3:] {
		got = append(got, e.Text)
		if e.Author.Name == "" || e.Author.Guest != (e.Author.Identity.ID == guest) {
			t.Errorf("author %+v", e.Author)
		}
	}
	if slices.Sort(got); !slices.Equal(got, []string{"missed", "missed in the thread"}) {
		t.Errorf("read back: %v", got)
	}
}

func TestAnEventThatCannotBeKeptStaysUnacknowledged(t *testing.T) {
	r := newRig(t, setup{opts: simulator.Options{AckTime: 100 * time.Millisecond, Tries: -1}})
	r.Adapter.Hurry(func(int) time.Duration { return time.Hour }, 0, 0) // one try each time that it comes
	h := adaptertest.NewRecorder()
	h.Answer = func(e chat.Event, n int) error {
		if e.Text == "poison" && n < 3 {
			return errStore
		}
		return nil
	}
	r.Start(h)
	direct := r.Server.Direct(ada)
	r.Server.Say(ada, direct, "poison")
	r.Server.Say(ada, direct, "and on")
	events := h.Events(r.Ctx, t, 2)
	r.settled()
	if events[0].Text != "and on" || events[1].Text != "poison" {
		t.Errorf("came as %q, %q", events[0].Text, events[1].Text)
	}
}

func TestWhatComesAgainWhileItIsBeingKeptIsHandedOverOnce(t *testing.T) {
	r := newRig(t, setup{opts: simulator.Options{AckTime: 30 * time.Millisecond, Tries: -1}})
	var calls atomic.Int32
	release := make(chan struct{})
	r.Start(handler(func(context.Context, chat.Event) error {
		calls.Add(1)
		<-release
		return nil
	}))
	r.Server.Say(ada, r.Server.Direct(ada), "slow")
	r.Await("it to come again", func() bool { return r.Server.Deliveries()[0].Offered > 1 })
	close(release)
	r.settled()
	if n := calls.Load(); n != 1 {
		t.Errorf("handed over %d times", n)
	}
}

func TestWhatCannotBeAcknowledgedIsNotHandedOver(t *testing.T) {
	r := newRig(t, setup{})
	h := adaptertest.NewRecorder()
	r.Start(h)
	r.Await("a socket", func() bool { open, _, _ := r.Server.Sockets(); return open == 1 })
	for _, m := range []string{`no json`, `[]`, `{"type":"events_api","payload":{"type":"event_callback","team_id":"` + simulator.Team +
		`","event":{"type":"message","channel":"D1","user":"UADA01","ts":"5.1","text":"twice?"}}}`} {
		r.Server.WriteRaw(m)
	}
	r.Server.Say(ada, r.Server.Direct(ada), "after them")
	if e := h.Events(r.Ctx, t, 1)[0]; e.Text != "after them" {
		t.Errorf("came %+v", e)
	}
}

func TestARefusedAppTokenIsToldWithARemedy(t *testing.T) {
	r := newRig(t, setup{config: func(c *slack.Config) { c.AppToken = "xapp-wrong-one" }})
	err := r.Adapter.Run(r.Ctx, adaptertest.NewRecorder())
	if err == nil || !strings.Contains(err.Error(), "install the app again") || strings.Contains(err.Error(), "wrong-one") {
		t.Errorf("Run: %v", err)
	}
}

func TestANewTicketIsAskedForAfterEachFailure(t *testing.T) {
	r := newRig(t, setup{})
	r.Server.Break(simulator.Fault{Method: "apps.connections.open", Times: 2, Error: "internal_error"})
	r.Server.Break(simulator.Fault{Method: "apps.connections.open", Code: 200, Body: `{"ok":true,"url":"wss://slack.com.evil.example/"}`})
	r.Server.Break(simulator.Fault{Method: "apps.connections.open", RetryAfter: 1})
	h := adaptertest.NewRecorder()
	r.Start(h)
	r.Server.Say(ada, r.Server.Direct(ada), "at last")
	h.Events(r.Ctx, t, 1)
}

func TestPeopleAreNamedAndGuestsMarked(t *testing.T) {
	r := newRig(t, setup{})
	r.Server.People(simulator.Person{ID: "UFAR01", Name: "Far", Home: "T0OTHER"})
	r.Server.Channel(general, "UFAR01")
	h := adaptertest.NewRecorder()
	r.Start(h)
	for _, who := range []string{ada, guest, "UFAR01"} {
		r.Server.Say(who, general, "<@"+simulator.BotUser+"> ask <@"+ada+">")
	}
	var got []string
	for _, e := range h.Events(r.Ctx, t, 6) { // each as message and as app_mention
		if e.Text != "ask @Ada" {
			t.Errorf("text %q", e.Text)
		}
		guest := ""
		if e.Author.Guest {
			guest = " (guest)"
		}
		if line := e.Author.Name + guest; !slices.Contains(got, line) {
			got = append(got, line)
		}
	}
	if !slices.Equal(got, []string{"Ada", "Gus (guest)", "Far (guest)"}) {
		t.Errorf("authors: %v", got)
	}
	if n := r.Server.Calls("users.info"); n != 3 {
		t.Errorf("asked %d times", n)
	}
}

func TestASlashCommandHasAHandle(t *testing.T) {
	for _, mode := range []slack.Mode{slack.Socket, slack.HTTP} {
		t.Run(string(mode), func(t *testing.T) {
			r := newRig(t, setup{mode: mode, opts: simulator.Options{Tries: -1}})
			h := adaptertest.NewRecorder()
			r.Start(h)
			r.Server.Slash(ada, general, "brief add &lt;8:00&gt;")
			e := h.Events(r.Ctx, t, 1)[0]
			if e.Command == nil || e.Command.Name != "brief" || e.Command.Args != "add <8:00>" || e.At.IsZero() {
				t.Fatalf("came %+v", e)
			}
			if e.Interaction == nil || e.Interaction.Token == "" || time.Until(e.Interaction.Expires) < 29*time.Minute {
				t.Errorf("handle %+v", e.Interaction)
			}
			r.settled()
		})
	}
}

// door opens a form for every command.
type door struct{ spec chat.FormSpec }

// Answer implements chat.Door.
func (d door) Answer(_ context.Context, e chat.Event) (chat.Reply, error) {
	if e.Kind != chat.Command && e.Kind != chat.Press {
		return chat.Reply{}, nil
	}
	return chat.Reply{Form: &d.spec}, nil
}

func TestAFormIsOpenedAndComesBack(t *testing.T) {
	r := newRig(t, setup{})
	r.Adapter.UseDoor(door{chat.FormSpec{
		Title: "A title that is longer than a modal's", Action: "skill.edit", Token: "tok_1",
		Fields: []chat.Field{{Name: "body", Label: "Body", Lines: 5, Value: "old"}},
	}})
	h := adaptertest.NewRecorder()
	r.Start(h)
	r.Server.Slash(ada, general, "skills edit x")
	r.Await("the form", func() bool { return len(r.Server.Views()) == 1 })
	r.Server.Submit(r.Server.Views()[0], ada, map[string]string{"body": "new"})
	e := h.Events(r.Ctx, t, 1)[0]
	if e.Kind != chat.Form || e.Form.Action != "skill.edit" || e.Form.Token != "tok_1" || e.Form.Values["body"] != "new" || e.Address.Chat != general {
		t.Errorf("came %+v", e)
	}
}

// A text that a form can't hold would come back cut.
func TestAPressWhoseFormWouldNotFitIsHandedOver(t *testing.T) {
	r := newRig(t, setup{})
	r.Adapter.UseDoor(door{chat.FormSpec{
		Title: "Edit", Action: "skill.edit", Fields: []chat.Field{{Name: "body", Label: "Body", Lines: 5, Value: strings.Repeat("é", 3001)}},
	}})
	h := adaptertest.NewRecorder()
	r.Start(h)
	r.Server.Slash(ada, general, "skills edit x")
	if e := h.Events(r.Ctx, t, 1)[0]; e.Kind != chat.Command || len(r.Server.Views()) != 0 {
		t.Errorf("came %+v beside %d forms", e, len(r.Server.Views()))
	}
}

func TestHistoryIsInOrderWithOwnMessages(t *testing.T) {
	r := newRig(t, setup{})
	root := r.Server.Past(simulator.Speech{User: ada, Channel: general, Text: "root"})
	r.Server.Past(simulator.Speech{User: guest, Channel: general, Thread: root, Text: "one"})
	mark := r.Server.Past(simulator.Speech{User: ada, Channel: general, Thread: root, Text: "two"})
	r.Server.Past(simulator.Speech{User: simulator.BotUser, Channel: general, Thread: root, Text: "mine"})
	r.Server.Past(simulator.Speech{User: ada, Channel: general, Text: "top"})
	for _, c := range []struct {
		at    chat.Address
		after string
		limit int
		want  []string
	}{
		{place(general, root), "", 10, []string{"root", "one", "two", "mine"}},
		{place(general, root), "", 2, []string{"root", "mine"}},
		{place(general, root), mark, 10, []string{"mine"}},
		{place(general, ""), "", 10, []string{"root", "top"}},
		{place(general, ""), root, 10, []string{"top"}},
	} {
		events, err := r.Adapter.History(r.Ctx, c.at, c.after, c.limit)
		var got []string
		for _, e := range events {
			got = append(got, e.Text)
			if e.Address.Chat != general || e.Key() == "" || e.Author.Self != (e.Text == "mine") || !e.Author.Self && e.Author.Name == "" {
				t.Errorf("event %+v", e)
			}
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s after %q: %v, %v", c.at, c.after, got, err)
		}
	}
}

func TestFilesAreTakenFromSlackAlone(t *testing.T) {
	r := newRig(t, setup{})
	id := r.Server.AddFile("a.png", "image/png", []byte("PNG"))
	page := r.Server.AddFile("a.html", "text/html", []byte("<p>mine"))
	if b, err := r.Adapter.Download(r.Ctx, chat.Attachment{Ref: page}); err != nil {
		t.Errorf("a page of a person's: %v", err)
	} else {
		b.Close()
	}
	for name, f := range map[string]simulator.Fault{
		"sign-in page": {Method: "file", Code: http.StatusOK, Body: "<!DOCTYPE html><title>Sign in</title>"},
		"redirect":     {Method: "file", Code: http.StatusFound},
		"forbidden":    {Method: "file", Code: http.StatusForbidden},
	} {
		r.Server.Break(f)
		if _, err := r.Adapter.Download(r.Ctx, chat.Attachment{Ref: id}); chat.KindOf(err) != chat.NotAllowed || !strings.Contains(err.Error(), "files:read") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, address := range []string{"https://files.slack.com.evil.example/a", "http://files.slack.com/a", "https://u:p@slack.com/a", "://"} {
		r.Server.Redirect(id, address)
		if _, err := r.Adapter.Download(r.Ctx, chat.Attachment{Ref: id}); chat.KindOf(err) != chat.Permanent {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := r.Adapter.Download(r.Ctx, chat.Attachment{Ref: "F404"}); chat.KindOf(err) != chat.Permanent {
		t.Errorf("no file: %v", err)
	}
}

func TestMissingScopesAreFindings(t *testing.T) {
	r := newRig(t, setup{opts: simulator.Options{Scopes: "chat:write,app_mentions:read"}})
	var missing []string
	for _, f := range r.Adapter.Check(r.Ctx) {
		if !f.OK {
			missing = append(missing, f.What)
		}
	}
	said := strings.Join(missing, "\n")
	if len(missing) < 10 || !strings.Contains(said, "scope channels:history: ") || strings.Contains(said, "scope chat:write: ") {
		t.Errorf("findings: %q", missing)
	}
}

func TestWhatWasSaidWhileItWasAwayIsReadBack(t *testing.T) {
	for _, mode := range []slack.Mode{slack.Socket, slack.HTTP} {
		t.Run(string(mode), func(t *testing.T) {
			r := newRig(t, setup{mode: mode, opts: simulator.Options{Tries: -1}})
			r.Adapter.UseCheckpoint(&adaptertest.Checkpoint{})
			direct := r.Server.Direct(ada)
			before := adaptertest.NewRecorder()
			stop := r.Start(before)
			r.Server.Say(ada, direct, "heard")
			before.Events(r.Ctx, t, 1)
			if err := stop(); err != nil {
				t.Fatal(err)
			}
			r.Server.Past(simulator.Speech{User: ada, Channel: direct, Text: "missed"})
			after := adaptertest.NewRecorder()
			r.Start(after)
			if e := after.Events(r.Ctx, t, 1)[0]; e.Text != "missed" || e.Addressed != chat.ByDM || r.Adapter.Exclusive() != "" {
				t.Errorf("read back %+v", e)
			}
		})
	}
}

func TestTheSameRequestAHundredTimesIsOneEvent(t *testing.T) {
	r := newRig(t, setup{mode: slack.HTTP})
	var calls atomic.Int32
	r.Start(handler(func(context.Context, chat.Event) error {
		calls.Add(1)
		return nil
	}))
	r.Server.Say(ada, r.Server.Direct(ada), "up?")
	r.settled()
	calls.Store(0)
	var posting sync.WaitGroup
	for range 100 {
		posting.Go(func() {
			if got := r.post(http.MethodPost, "application/json", callback(simulator.Team, "again"), nil); got.Code != http.StatusOK {
				t.Errorf("answered %d", got.Code)
			}
		})
	}
	posting.Wait()
	if n := calls.Load(); n != 1 {
		t.Errorf("handed over %d times", n)
	}
}

func TestEditsAndDeletionsComeAsSuch(t *testing.T) {
	r := newRig(t, setup{})
	h := adaptertest.NewRecorder()
	r.Start(h)
	direct := r.Server.Direct(ada)
	ts := r.Server.Say(ada, direct, "first")
	r.Server.Edit(direct, ts, "second")
	r.Server.Edit(direct, ts, "second") // as with a preview: nothing changed
	r.Server.Delete(direct, ts)
	events := h.Events(r.Ctx, t, 3)
	r.settled()
	edit, gone := events[1], events[2]
	if edit.Kind != chat.Edit || edit.Text != "second" || edit.Message != ts || edit.Key() == events[0].Key() {
		t.Errorf("edit: %+v", edit)
	}
	if gone.Kind != chat.Delete || gone.Message != ts || gone.Address != events[0].Address {
		t.Errorf("deletion: %+v", gone)
	}
}

func TestWhoIsNoMember(t *testing.T) {
	r := newRig(t, setup{})
	r.Server.People(simulator.Person{ID: "UFAR01", Home: "T0OTHER"}, simulator.Person{ID: "UBOT01", Bot: true})
	elsewhere := identity(ada)
	elsewhere.Workspace = "T0OTHER"
	for _, who := range []chat.Identity{identity("UFAR01"), identity("UBOT01"), identity("U404"), identity(guest), elsewhere} {
		if member, err := r.Adapter.Member(r.Ctx, place(general, ""), who); member || err != nil {
			t.Errorf("%s: %v, %v", who, member, err)
		}
	}
	r.Server.Break(simulator.Fault{Method: "users.info", Times: 2, Error: "internal_error"})
	r.Server.People(simulator.Person{ID: "UNEW01"})
	if member, err := r.Adapter.Member(r.Ctx, place(general, ""), identity("UNEW01")); member || err == nil {
		t.Errorf("while it can't be asked: %v, %v", member, err)
	}
	if member, err := r.Adapter.Member(r.Ctx, place(general, ""), identity("UNEW01")); !member || err != nil {
		t.Errorf("asked again: %v, %v", member, err)
	}
}

func TestAPrivateChannelHasNoMembersButThoseWhoAreInIt(t *testing.T) {
	r := newRig(t, setup{})
	const private = "C0PRIV01"
	var crowd []string
	for n := range 1200 { // more than one page
		crowd = append(crowd, fmt.Sprintf("UC%05d", n))
	}
	r.Server.Private(private, append(crowd, "UZZ001")...)
	r.Server.People(simulator.Person{ID: "UOUT01"})
	for id, want := range map[string]bool{"UC00001": true, "UZZ001": true, "UOUT01": false} {
		if in, err := r.Adapter.Member(r.Ctx, place(private, ""), identity(id)); in != want || err != nil {
			t.Errorf("%s: %v, %v", id, in, err)
		}
	}
	if in, err := r.Adapter.Member(r.Ctx, place(general, ""), identity("UOUT01")); !in || err != nil {
		t.Errorf("in a public channel: %v, %v", in, err)
	}
	if in, err := r.Adapter.Member(r.Ctx, place("C404", ""), identity("UOUT01")); in || chat.KindOf(err) != chat.Gone {
		t.Errorf("in no channel: %v, %v", in, err)
	}
}
