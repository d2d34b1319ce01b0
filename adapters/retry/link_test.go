package retry_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"talaria/adapters/retry"
)

func TestALinkTellsWhenEventsShouldComeAndDoNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l retry.Link
		away := errors.New("no route")
		expect := func(when string, want bool) {
			t.Helper()
			if err := l.Probe(); (err == nil) != want {
				t.Errorf("%s: %v", when, err)
			}
		}
		expect("not to be connected", true)
		l.Begin()
		expect("connecting", false)
		l.Down(away)
		if err := l.Probe(); !errors.Is(err, away) {
			t.Errorf("the reason is %v", err)
		}
		l.Up()
		expect("up", true)
		l.Down(away)
		expect("just lost", true)
		time.Sleep(20 * time.Second)
		l.Down(away) // the next attempt; it has been away since the first
		time.Sleep(20 * time.Second)
		expect("lost for long", false)
		l.End()
		expect("ended", true)
	})
}
