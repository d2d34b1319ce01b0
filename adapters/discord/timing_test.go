package discord

import (
	"fmt"
	"testing"
	"time"

	"talaria/adapters/wire"
	"talaria/core/chat"
)

func TestANewSessionWaitsOneToFiveSeconds(t *testing.T) {
	for range 100 {
		if d := newSessionPause(); d < time.Second || d > 5*time.Second {
			t.Fatalf("%s", d)
		}
	}
}

func TestCallsStopShortOfBeingShutOut(t *testing.T) {
	now := time.Unix(1000, 0)
	p := newPace(func() time.Time { return now })
	r := request{op: "createMessage", scope: "1"}
	for range invalidBudget {
		p.learn(r, &wire.Exchange{Status: 403})
	}
	err := p.allow(r)
	if e, ok := err.(*chat.Error); !ok || e.Kind != chat.RateLimited || !e.Whole || e.RetryAfter != invalidWindow {
		t.Errorf("allowed: %v", err)
	}
	if p.invalidCalls() != invalidBudget {
		t.Errorf("%d counted", p.invalidCalls())
	}
	now = now.Add(invalidWindow)
	if err := p.allow(r); err != nil || p.invalidCalls() != 0 {
		t.Errorf("in the next window: %v", err)
	}
}

func TestTheSessionConfirmsNothingThatIsOpen(t *testing.T) {
	s := &session{}
	if err := s.load(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.begin("one", "", 1)
	for seq := int64(2); seq <= 5; seq++ {
		if !s.take(seq) {
			t.Errorf("%d was taken before", seq)
		}
	}
	for _, step := range []struct{ settled, kept int64 }{{3, 1}, {5, 1}, {2, 3}, {4, 5}} {
		if s.settle("one", step.settled); s.kept() != step.kept {
			t.Errorf("after %d: %d, not %d", step.settled, s.kept(), step.kept)
		}
	}
	if s.take(5) {
		t.Error("taken twice")
	}
	s.take(6)
	s.begin("two", "", 1)
	if s.settle("one", 6); s.kept() != 1 {
		t.Errorf("a settled dispatch of the last session confirms %d of this one", s.kept())
	}
}

func TestAChannelIsKnownBeforeItsFirstMessageIsKept(t *testing.T) {
	s := &session{}
	if err := s.load(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.hear("1", "new", "1000")
	s.read("1", "read", "500")
	s.hear("1", "read", "1001")
	s.begin("two", "", 1)
	if behind := s.behind(); behind["new"].Last != "999" || behind["read"].Last != "500" {
		t.Errorf("behind: %+v", behind)
	}
}

func TestTheOldestChannelIsForgotten(t *testing.T) {
	s := &session{}
	if err := s.load(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range recentChannels + 10 {
		s.read("1", fmt.Sprint("c", i), fmt.Sprint(1_000_000+i))
	}
	s.begin("one", "", 1)
	if behind := s.behind(); len(behind) != recentChannels || behind["c0"].Last != "" {
		t.Errorf("%d channels", len(behind))
	}
}
