package discord_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"
)

func texts(events []chat.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, e.Text)
	}
	return all
}

func TestUnknownComponentsCostNothing(t *testing.T) {
	r := newRig(t, simulator.Options{})
	kept := r.run()
	odd := []map[string]any{{"type": 18, "component": map[string]any{"type": 21, "options": 7}}}
	r.Server.Speak(simulator.Speech{User: ada, Channel: direct, Text: "still here", Extra: map[string]any{"components": odd}})
	form := r.Server.Interact(ada, direct, map[string]any{"type": 5, "data": map[string]any{
		"custom_id": "patch:t1", "components": []map[string]any{{"type": 18, "component": map[string]any{"type": 99, "custom_id": "body", "value": "new"}}},
	}})
	events := kept.Events(r.Ctx, t, 2)
	if events[0].Text != "still here" || events[0].Author.Identity.ID != ada {
		t.Errorf("the message came as %+v", events[0])
	}
	if events[1].Form == nil || events[1].Form.Values["body"] != "new" {
		t.Errorf("the form came as %+v", events[1])
	}
	r.Await("an answer to the form", func() bool { return r.Server.Answered(form) })
}

func TestUnknownDispatchesAreToldOfOnce(t *testing.T) {
	r := newRig(t, simulator.Options{})
	kept := r.run()
	for range 3 {
		r.Server.Dispatch("SOUNDBOARD_CHORUS", map[string]any{"channel_id": lobby})
	}
	r.Server.Dispatch("MESSAGE_CREATE", "no message at all")
	r.Server.Say(ada, lobby, "after that")
	kept.Events(r.Ctx, t, 1)
	if log := r.Log.Await(t, r.Ctx, "SOUNDBOARD_CHORUS"); strings.Count(log, "SOUNDBOARD_CHORUS") != 1 {
		t.Errorf("log: %s", log)
	}
	found := false
	for _, f := range r.Adapter.Check(r.Ctx) {
		found = found || strings.Contains(f.What, "SOUNDBOARD_CHORUS")
	}
	if !found {
		t.Error("no finding about it")
	}
}

func TestAZombieConnectionIsGivenUpAtTheNextHeartbeat(t *testing.T) {
	r := newRig(t, simulator.Options{})
	kept := r.run()
	r.Server.Mute(true)
	before := r.Server.Heartbeats()
	r.Log.Await(t, r.Ctx, "a heartbeat was not acknowledged")
	if n := r.Server.Heartbeats() - before; n > 2 { // one may be on its way to the next connection
		t.Errorf("after %d heartbeats", n)
	}
	r.Server.Mute(false)
	r.Await("a resumed session", func() bool { return r.Server.Resumes() > 0 && r.Server.Ready() > 0 })
	r.Server.Say(ada, direct, "back again")
	kept.Events(r.Ctx, t, 1)
}

func TestFatalCloseCodesEndRunWithARemedy(t *testing.T) {
	for code, remedy := range map[int]string{
		4004: "reset it in the developer portal", 4013: "update talaria", 4014: "turn on Message Content Intent", 4011: "too many servers",
	} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			r := newRig(t, simulator.Options{})
			done := make(chan error, 1)
			go func() { done <- r.Adapter.Run(r.Ctx, adaptertest.NewRecorder()) }()
			r.listening()
			r.Server.CloseWith(code)
			if err := <-done; err == nil || !strings.Contains(err.Error(), remedy) {
				t.Errorf("Run: %v", err)
			}
			if n := r.Server.Identifies() + r.Server.Resumes(); n != 1 {
				t.Errorf("%d attempts", n)
			}
		})
	}
}

func TestAMissingIntentIsToldAtStart(t *testing.T) {
	r := newRig(t, simulator.Options{NoContent: true})
	if err := r.Adapter.Run(r.Ctx, adaptertest.NewRecorder()); err == nil || !strings.Contains(err.Error(), "Message Content Intent") {
		t.Errorf("Run: %v", err)
	}
	bad := 0
	for _, f := range r.Adapter.Check(r.Ctx) {
		if !f.OK && strings.Contains(f.Remedy, "Message Content Intent") {
			bad++
		}
	}
	if bad != 1 {
		t.Errorf("%d findings", bad)
	}
}

func TestASilentServerHoldsNothingUp(t *testing.T) {
	r := newRig(t, simulator.Options{})
	r.Adapter.Hurry(quick, 30*time.Millisecond)
	r.Server.Silent(true)
	stop := r.Start(adaptertest.NewRecorder())
	r.Log.Await(t, r.Ctx, "wait for the gateway's hello")
	r.Server.Silent(false)
	r.listening()
	if err := stop(); err != nil {
		t.Errorf("Run: %v", err)
	}
	silent := newRig(t, simulator.Options{}) // and while it waits for as long as it likes
	silent.Server.Silent(true)
	stop = silent.Start(adaptertest.NewRecorder())
	silent.Await("a connection", func() bool { return silent.Server.Connections() > 0 })
	if err := stop(); err != nil {
		t.Errorf("Run: %v", err)
	}
}

func TestInvalidSessionIsResumedOrBegunAnew(t *testing.T) {
	r := newRig(t, simulator.Options{})
	kept := r.run()
	r.Server.Invalidate(true)
	r.Await("a resumed session", func() bool { return r.Server.Resumes() == 1 && r.Server.Ready() > 0 })
	if n := r.Server.Identifies(); n != 1 {
		t.Errorf("%d sessions begun though the first could be resumed", n)
	}
	r.Server.Invalidate(false)
	r.Await("a new session", func() bool { return r.Server.Identifies() == 2 })
	r.listening()
	r.Server.Say(ada, direct, "hello again")
	kept.Events(r.Ctx, t, 1)
}

func TestWhatIsSaidBetweenConnectionsComesOnce(t *testing.T) {
	for name, interrupt := range map[string]func(*simulator.Server){
		"dropped": (*simulator.Server).Drop, "asked to reconnect": (*simulator.Server).Reconnect,
		"closed": func(s *simulator.Server) { s.CloseWith(4000) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, simulator.Options{})
			kept := r.run()
			r.Server.Say(ada, direct, "one")
			kept.Events(r.Ctx, t, 1)
			interrupt(r.Server)
			r.Server.Say(ada, direct, "two")
			r.Await("a resumed session", func() bool { return r.Server.Resumes() == 1 })
			r.Server.Say(ada, direct, "three")
			if got := texts(kept.Events(r.Ctx, t, 3)); !slices.Equal(got, []string{"one", "two", "three"}) {
				t.Errorf("came: %q", got)
			}
		})
	}
}

func TestWhatIsBeingKeptIsNotTakenAgain(t *testing.T) {
	r := newRig(t, simulator.Options{})
	kept := adaptertest.NewRecorder()
	keeping, release := make(chan struct{}, 9), make(chan struct{})
	kept.Answer = func(e chat.Event, _ int) error {
		if e.Text == "one" {
			keeping <- struct{}{}
			<-release
		}
		return nil
	}
	r.Start(kept)
	r.listening()
	r.Server.Say(ada, direct, "one")
	<-keeping
	r.Server.Drop()
	r.Await("a resumed session", func() bool { return r.Server.Resumes() == 1 })
	r.Server.Say(ada, lobby, "two")
	kept.Events(r.Ctx, t, 1) // so that what was repeated has been taken
	close(release)
	r.Server.Say(ada, direct, "three")
	if got := texts(kept.Events(r.Ctx, t, 3)); !slices.Equal(got, []string{"two", "one", "three"}) {
		t.Errorf("came: %q", got)
	}
}

func TestWhatCannotBeKeptIsLeftToDiscord(t *testing.T) {
	const said = 20
	r := newRig(t, simulator.Options{})
	r.Adapter.Hold(4)
	kept := adaptertest.NewRecorder()
	release := make(chan struct{})
	kept.Answer = func(chat.Event, int) error {
		<-release
		return nil
	}
	r.Start(kept)
	r.listening()
	var want []string
	for i := range said {
		want = append(want, fmt.Sprint("message ", i))
		r.Server.Say(ada, direct, want[i])
	}
	r.Log.Await(t, r.Ctx, "too many events wait to be kept")
	close(release)
	if got := texts(kept.Events(r.Ctx, t, said)); !slices.Equal(got, want) {
		t.Errorf("came: %q", got)
	}
}

// TestAnotherReplicaResumesTheSession counts sessions and resumes exactly. A second
// resume would mean that a replica lost its connection, or resumed twice. Heartbeats
// are rare here: one that a busy machine acknowledges late ends a connection too, as
// it should, which is resumed, loses nothing, and would be counted.
func TestAnotherReplicaResumesTheSession(t *testing.T) {
	r := newRig(t, simulator.Options{Heartbeat: time.Hour})
	checkpoint := &adaptertest.Checkpoint{}
	r.Adapter.UseCheckpoint(checkpoint)
	first := adaptertest.NewRecorder()
	refused := make(chan struct{}, 100)
	first.Answer = func(e chat.Event, _ int) error {
		if e.Text == "two" {
			refused <- struct{}{}
			return errStore
		}
		return nil
	}
	stop := r.Start(first)
	r.listening()
	r.Server.Say(ada, direct, "one")
	r.Server.Say(ada, direct, "two")
	r.Server.Say(ada, lobby, "three, elsewhere")
	first.Events(r.Ctx, t, 2)
	<-refused
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	r.Await("a close that leaves the session", func() bool { return slices.Equal(r.Server.Closes(), []int{4000}) })
	r.Server.Say(ada, direct, "four")
	r.Adapter = r.another()
	r.Adapter.UseCheckpoint(checkpoint)
	second := r.run()
	got := texts(second.Events(r.Ctx, t, 3))
	slices.Sort(got) // two channels
	if want := []string{"four", "three, elsewhere", "two"}; !slices.Equal(got, want) {
		t.Errorf("came: %q", got)
	}
	if i, n := r.Server.Identifies(), r.Server.Resumes(); i != 1 || n != 1 {
		t.Errorf("%d begun, %d resumed", i, n)
	}
}

func TestMissedMessagesAreFetchedAfterAGap(t *testing.T) {
	r := newRig(t, simulator.Options{})
	checkpoint := &adaptertest.Checkpoint{}
	r.Adapter.UseCheckpoint(checkpoint)
	stop := r.Start(adaptertest.NewRecorder())
	r.listening()
	r.Server.Say(ada, direct, "before")
	r.Server.Say(ada, thread, "before, in a thread")
	r.Await("what was said before", func() bool {
		sent := r.Server.Messages(thread)
		return r.Server.Acknowledged(sent[len(sent)-1].ID)
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	r.Server.ForgetSessions()
	var want []string
	for i := range 120 { // more than a page
		want = append(want, fmt.Sprintf("missed %d", i))
		r.Server.Say(ada, direct, want[i])
	}
	r.Server.Say(ada, thread, "missed in a thread")
	r.Adapter = r.another()
	r.Adapter.UseCheckpoint(checkpoint)
	kept := r.run()
	var inDirect []string
	for _, e := range kept.Events(r.Ctx, t, 121) {
		if e.Address == toDirect {
			inDirect = append(inDirect, e.Text)
		} else if e.Address != toThread || e.Text != "missed in a thread" {
			t.Errorf("in %s came %q", e.Address, e.Text)
		}
	}
	if !slices.Equal(inDirect, want) {
		t.Errorf("came: %q", inDirect)
	}
}

func TestNoSessionIsBegunWhenNoneAreLeft(t *testing.T) {
	r := newRig(t, simulator.Options{})
	r.Server.Exhaust()
	stop := r.Start(adaptertest.NewRecorder())
	r.Log.Await(t, r.Ctx, "no sessions are left for today")
	if err := stop(); err != nil || r.Server.Connections() > 0 || r.Server.Identifies() > 0 {
		t.Errorf("%v, %d connections", err, r.Server.Connections())
	}
}

func TestAThreadIsKnownAfterATakeover(t *testing.T) {
	r := newRig(t, simulator.Options{})
	checkpoint := &adaptertest.Checkpoint{}
	r.Adapter.UseCheckpoint(checkpoint)
	first := adaptertest.NewRecorder()
	stop := r.Start(first)
	r.listening()
	r.Server.Say(ada, direct, "so that it is up")
	first.Events(r.Ctx, t, 1)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	r.Adapter = r.another() // is told of no channels: the session goes on
	r.Adapter.UseCheckpoint(checkpoint)
	kept := r.run()
	r.Server.Say(ada, thread, "in the thread")
	role := map[string]any{"content": "<@&" + simulator.BotRole + "> hi", "mention_roles": []string{simulator.BotRole}}
	r.Server.Speak(simulator.Speech{User: ada, Channel: lobby, Extra: role})
	for _, e := range kept.Events(r.Ctx, t, 2) {
		if e.Text == "in the thread" && (e.Address != toThread || e.Addressed != chat.ByThread) {
			t.Errorf("address %s, addressed by %q", e.Address, e.Addressed)
		}
		if e.Text == "hi" && e.Addressed != chat.ByMention {
			t.Errorf("addressed by %q", e.Addressed)
		}
	}
}

func TestManyDeletedAtOnceAreToldOneByOne(t *testing.T) {
	r := newRig(t, simulator.Options{})
	kept := r.run()
	r.Server.Dispatch("MESSAGE_DELETE_BULK", map[string]any{"ids": []string{"7", "8"}, "channel_id": lobby, "guild_id": guild})
	for i, e := range kept.Events(r.Ctx, t, 2) {
		if e.Kind != chat.Delete || e.Message != []string{"7", "8"}[i] || e.Address != toLobby {
			t.Errorf("came: %+v", e)
		}
	}
}

func TestBeingPutOutOfAServerIsToldForItsChannels(t *testing.T) {
	r := newRig(t, simulator.Options{})
	kept := r.run()
	r.Server.Dispatch("GUILD_DELETE", map[string]any{"id": guild, "unavailable": true})
	r.Server.Say(ada, direct, "only an outage")
	kept.Events(r.Ctx, t, 1)
	r.Server.Dispatch("GUILD_DELETE", map[string]any{"id": guild})
	if e := kept.Events(r.Ctx, t, 2)[1]; e.Kind != chat.Leave || !e.Author.Self || e.Address != toLobby {
		t.Errorf("came: %+v", e)
	}
}

// A handler that answers, while connections are cut and calls fail: everything
// said is answered once. What failed without a clear outcome is sent again.
func TestNothingIsLostOrDoubledInAStorm(t *testing.T) {
	const people, said = 4, 25
	r := newRig(t, simulator.Options{NoRates: true})
	answering := adaptertest.NewRecorder()
	answering.Answer = func(e chat.Event, n int) error {
		if e.Kind != chat.Message || n == 1 && strings.HasSuffix(e.Message, "4") {
			return errStore
		}
		d := chat.Delivery{Key: e.Key(), Address: e.Address, ReplyTo: e.Message, Payload: r.Adapter.Render(text("re: " + e.Text))[0].Payload}
		_, err := r.Adapter.Send(r.Ctx, d)
		return err
	}
	r.Start(answering)
	r.listening()
	// A session that breaks off before the adapter has read of it can't be
	// resumed, and nobody could say what was said in it.
	r.Server.Say(ada, direct, "are you there?")
	r.Await("the first answer", func() bool { return r.Server.Tally(nil).Answered == 1 })
	for i := range said {
		switch i % 5 {
		case 1:
			r.Server.Break(simulator.Fault{Op: "createMessage", Cut: simulator.CutAfter, Times: 2})
		case 2:
			r.Server.Drop()
		case 3:
			r.Server.Break(simulator.Fault{Op: "createMessage", Status: 502, Times: 2})
		case 4:
			r.Server.Reconnect()
		}
		for p := range people {
			r.Server.Say(fmt.Sprint(ada, p), []string{direct, lobby, thread}[p%3], fmt.Sprintf("%d of %d", i, p))
		}
	}
	r.Await("every answer", func() bool { return len(r.Server.Tally(nil).Lost) == 0 })
	if tally := r.Server.Tally(nil); tally.Answered != 1+people*said || len(tally.Doubled)+len(tally.Disordered)+len(tally.Strays) > 0 {
		t.Errorf("tally: %+v", tally)
	}
}
