package telegram_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/telegram"
	"talaria/core/chat"
)

func TestAnOpenUpdateHoldsTheOffsetButNotTheOthers(t *testing.T) {
	r := newRig(t, nil)
	release := make(chan struct{})
	h := adaptertest.NewRecorder()
	h.Answer = func(e chat.Event, _ int) error {
		if e.Text == "slow" {
			<-release
		}
		return nil
	}
	slow := r.Server.Say(1, 1, "slow")
	r.Server.Say(2, 2, "quick")
	r.Start(h)
	h.Events(r.Ctx, t, 1)
	r.Server.Say(3, 3, "after the poll")
	for _, e := range h.Events(r.Ctx, t, 2) {
		if e.Text == "slow" {
			t.Error("kept while it was held")
		}
	}
	if n := r.Server.Unconfirmed(); n != 3 {
		t.Errorf("%d updates unconfirmed, not 3", n)
	}
	close(release)
	r.confirmed()
	if u := r.Server.Update(slow); u.Offered < 2 {
		t.Errorf("the open update was offered %d times only", u.Offered)
	}
	if n := len(h.Events(r.Ctx, t, 3)); n != 3 {
		t.Errorf("%d events, not 3: an open update was handed over again", n)
	}
}

func TestStopConfirmsWhatWasKept(t *testing.T) {
	r := newRig(t, nil)
	h := adaptertest.NewRecorder()
	stop := r.Start(h)
	r.Server.Say(ada, ada, "last words")
	h.Events(r.Ctx, t, 1)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if n := r.Server.Unconfirmed(); n != 0 {
		t.Errorf("%d updates would come again", n)
	}
}

func TestAnotherPollerIsToldAndNotFought(t *testing.T) {
	r := newRig(t, nil)
	pauses := make(chan int)
	r.Adapter.Hurry(func(attempt int) time.Duration {
		select {
		case pauses <- attempt:
		case <-r.Ctx.Done():
		}
		return 0
	}, 0)
	r.Server.Break(simulator.Fault{Method: "getUpdates", Times: 3, Code: http.StatusConflict,
		Description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"})
	r.Start(adaptertest.NewRecorder())
	// Each failure asks for its own pause and, being a conflict, for a longer.
	for _, want := range []int{1, 3, 2, 4, 3, 5} {
		if got := <-pauses; got != want {
			t.Fatalf("pause %d, not %d", got, want)
		}
		if want == 4 {
			findings := r.Adapter.Check(r.Ctx)
			told := slices.ContainsFunc(findings, func(f chat.Finding) bool {
				return !f.OK && strings.Contains(f.What, "another program") && f.Remedy != ""
			})
			if !told {
				t.Errorf("findings: %+v", findings)
			}
		}
	}
	r.Log.Await(t, r.Ctx, "polling failed")
	r.Await("a poll that works", func() bool { return r.Server.Calls("getUpdates") > 3 })
}

func TestPollingWaitsAsLongAsItIsTold(t *testing.T) {
	r := newRig(t, nil)
	r.Server.Break(simulator.Fault{Method: "getUpdates", Code: http.StatusTooManyRequests,
		Description: "Too Many Requests: retry after 1", RetryAfter: 1})
	begin := time.Now()
	h := adaptertest.NewRecorder()
	r.Server.Say(ada, ada, "hello")
	r.Start(h)
	h.Events(r.Ctx, t, 1)
	if waited := time.Since(begin); waited < time.Second {
		t.Errorf("polled again after %v", waited)
	}
}

func TestNoTokenInTheLogOfAServerThatIsAway(t *testing.T) {
	r := newRig(t, nil)
	r.Server.Unplug()
	stop := r.Start(adaptertest.NewRecorder())
	text := r.Log.Await(t, r.Ctx, "not reached")
	if err := stop(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if strings.Contains(text, "SIMULATED") {
		t.Error("the token is in the log")
	}
}

func TestUnknownKindsAreRecordedAndConfirmed(t *testing.T) {
	r := newRig(t, nil)
	h := adaptertest.NewRecorder()
	r.Start(h)
	r.Server.Inject("brand_new_thing", map[string]any{"id": 1})
	r.Server.Say(ada, ada, "hello")
	h.Events(r.Ctx, t, 1)
	r.confirmed()
	r.Log.Await(t, r.Ctx, "brand_new_thing")
	findings := r.Adapter.Check(r.Ctx)
	if !slices.ContainsFunc(findings, func(f chat.Finding) bool { return strings.Contains(f.What, "brand_new_thing") }) {
		t.Errorf("findings: %+v", findings)
	}
}

func TestAPoisonedEventIsParkedAndTriedAgain(t *testing.T) {
	r := newRig(t, nil)
	kept := &adaptertest.Checkpoint{}
	r.Adapter.UseCheckpoint(kept)
	h := adaptertest.NewRecorder()
	h.Answer = func(e chat.Event, _ int) error {
		if e.Text == "poison" {
			return errStore
		}
		return nil
	}
	stop := r.Start(h)
	r.Server.Say(ada, ada, "poison")
	r.Server.Say(ada, ada, "and on")
	h.Events(r.Ctx, t, 1)
	r.confirmed()
	if !strings.Contains(kept.String(), "poison") {
		t.Fatalf("parked: %s", kept)
	}
	findings := r.Adapter.Check(r.Ctx)
	if !slices.ContainsFunc(findings, func(f chat.Finding) bool { return !f.OK && strings.Contains(f.What, "parked") }) {
		t.Errorf("findings: %+v", findings)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}

	healed := adaptertest.NewRecorder()
	stop = r.Start(healed)
	if e := healed.Events(r.Ctx, t, 1)[0]; e.Text != "poison" {
		t.Errorf("after the restart came %q", e.Text)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(kept.String(), "poison") {
		t.Errorf("still parked: %s", kept)
	}
}

func TestNothingIsParkedWhileTheStoreIsAway(t *testing.T) {
	r := newRig(t, nil)
	r.Adapter.UseCheckpoint(&adaptertest.Checkpoint{Err: errStore})
	const enough = 20 // far more than it takes to park
	tried := make(chan struct{})
	h := adaptertest.NewRecorder()
	h.Answer = func(_ chat.Event, n int) error {
		if n == enough {
			close(tried)
			return nil
		}
		return errStore
	}
	r.Server.Say(ada, ada, "keep me")
	r.Start(h)
	<-tried
	h.Events(r.Ctx, t, 1)
	r.confirmed()
}

func TestAnAlbumIsOneEventAndConfirmedAsAWhole(t *testing.T) {
	r := newRig(t, nil)
	h := adaptertest.NewRecorder()
	h.Answer = func(e chat.Event, n int) error {
		if n == 1 {
			if got := r.Server.Unconfirmed(); got < 3 {
				t.Errorf("%d updates unconfirmed before the album was kept", got)
			}
			return errStore
		}
		return nil
	}
	for i, caption := range []string{"first", "", "third"} {
		r.Server.Speak(simulator.Speech{User: ada, Chat: ada, Text: caption, Album: "a1",
			File: &simulator.File{Name: fmt.Sprintf("f%d", i), Data: []byte("x")}})
	}
	r.Server.Say(ada, ada, "what are these?")
	r.Start(h)
	events := h.Events(r.Ctx, t, 2)
	if got := events[0]; len(got.Attachments) != 3 || got.Text != "[1] first\n[3] third" {
		t.Errorf("album: %d files, %q", len(got.Attachments), got.Text)
	}
	if got := events[1].Text; got != "what are these?" {
		t.Errorf("then came %q", got)
	}
	r.confirmed()
}
