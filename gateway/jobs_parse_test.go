package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPhrasesAreParsedByLines(t *testing.T) {
	s := newShell(t)
	s.in = `{"id":"a","phrase":"every weekday at 9:10","zone":"Europe/Rome","now":"2027-05-12T14:20:00+02:00"}
{"id":"b","phrase":"每90分钟","zone":"Asia/Shanghai","now":"2027-05-12T14:20:00+08:00"}
{"id":"c","phrase":"30m","zone":"UTC","now":"2027-05-12T14:20:00Z"}
{"id":"d","phrase":"every other Monday at 8","zone":"UTC","now":"2027-05-12T14:20:00Z"}
`
	stdout, stderr, code := s.run("jobs", "parse", "--jsonl")
	want := `{"id":"a","kind":"recurring","next3":["2027-05-13T09:10:00+02:00","2027-05-14T09:10:00+02:00","2027-05-17T09:10:00+02:00"],"cron":"10 9 * * 1-5","zone":"Europe/Rome","text":"every weekday at 09:10 (Europe/Rome)"}
{"id":"b","kind":"recurring","next3":["2027-05-12T15:50:00+08:00","2027-05-12T17:20:00+08:00","2027-05-12T18:50:00+08:00"],"zone":"Asia/Shanghai","every_seconds":5400,"text":"每90分钟（Asia/Shanghai）"}
{"id":"c","kind":"reject","next3":[],"reason":"Once after that time, or every time it has passed?","cause":"ambiguous","suggestions":["in 30 minutes","every 30 minutes"],"text":"Once after that time, or every time it has passed?"}
{"id":"d","kind":"recurring","next3":["2027-05-17T08:00:00Z","2027-05-31T08:00:00Z","2027-06-14T08:00:00Z"],"zone":"UTC","text":"every 2 weeks, on Monday at 08:00, from 17 May 2027 on (UTC)"}
`
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || code != exitDone {
		t.Errorf("exit %d, %q (-want +got):\n%s", code, stderr, diff)
	}
}

func TestAPhraseIsParsedForAPerson(t *testing.T) {
	s := newShell(t)
	at := []string{"jobs", "parse", "--zone", "Europe/Rome", "--now", "2027-05-12T14:20:00+02:00"}
	stdout, _, code := s.run(append(at, "tomorrow at noon")...)
	want := "once, on Thursday, 13 May 2027 at 12:00 (Europe/Rome)\n  Thu 2027-05-13 12:00 +02:00\n"
	if stdout != want || code != exitDone {
		t.Errorf("exit %d, %q, want %q", code, stdout, want)
	}
	stdout, _, code = s.run(append(at, "Feb 30 at 9")...)
	if !strings.HasPrefix(stdout, "There is no such date.\n") || code != exitFailed {
		t.Errorf("exit %d, %q", code, stdout)
	}
}

func TestAnUnknownZoneOfALineIsBadInput(t *testing.T) {
	s := newShell(t)
	s.in = `{"id":"a","phrase":"at 9","zone":"Nowhere/Land","now":"2027-05-12T14:20:00Z"}` + "\n"
	_, stderr, code := s.run("jobs", "parse", "--jsonl")
	if code != exitUsage || !strings.Contains(stderr, "line 1") {
		t.Errorf("exit %d, %q", code, stderr)
	}
}
