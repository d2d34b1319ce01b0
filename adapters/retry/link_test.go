package retry_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
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

func TestAnOutageIsToldOnceAndThenEachHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		l := retry.Link{Platform: "telegram", Log: slog.New(slog.NewTextHandler(&log, nil))}
		expect := func(when string, warnings, connected int) {
			t.Helper()
			text := log.String()
			log.Reset()
			if strings.Count(text, "level=WARN") != warnings || strings.Count(text, "msg=connected") != connected {
				t.Errorf("%s:\n%s", when, text)
			}
			if warnings > 0 && !(strings.Contains(text, "platform=telegram") && strings.Contains(text, "no route") && strings.Contains(text, "api_url")) {
				t.Errorf("%s: the platform, the reason or the remedy is missing:\n%s", when, text)
			}
		}
		fail := func(d time.Duration) {
			for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(20 * time.Second) {
				l.Down(errors.New("no route"))
			}
		}
		l.Begin()
		fail(50 * time.Minute)
		expect("never connected", 1, 0)
		fail(2 * time.Hour)
		expect("for hours", 2, 0)
		l.Up()
		l.Up()
		expect("at last", 0, 1)
		fail(time.Second)
		l.Up()
		expect("a short break", 0, 0)
		fail(time.Minute)
		l.Up()
		expect("a long one", 1, 1)
		l.End()
		expect("ended", 0, 0)
	})
}
