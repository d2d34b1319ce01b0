package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestReportsInTheShell(t *testing.T) {
	s := talked(t)
	if out, _, code := s.run("reflection", "list"); code != 0 || !strings.Contains(out, "no reports") {
		t.Fatalf("exit code %d: %s", code, out)
	}
	out, stderr, code := s.run("reflection", "trigger", "--depth", "quick")
	if code != 0 || !strings.Contains(out, "Review of") || !strings.Contains(out, "quick") {
		t.Fatalf("exit code %d, %s: %s", code, stderr, out)
	}
	list, _, _ := s.run("reflection", "list", "--json")
	var rep struct{ ID, Depth, Request string }
	if err := json.Unmarshal([]byte(list), &rep); err != nil || rep.Depth != "quick" || !strings.Contains(rep.Request, "summarise the meeting") {
		t.Fatalf("%v: %s", err, list)
	}
	for _, args := range [][]string{{"reflection", "show", rep.ID}, {"reflection", "show", "--json", rep.ID[len(rep.ID)-8:]}, {"reflection", "list"}} {
		if out, stderr, code := s.run(args...); code != 0 || !strings.Contains(out, "summarise the meeting") {
			t.Errorf("%v: exit code %d, %s: %s", args, code, stderr, out)
		}
	}
	for args, want := range map[string]int{"reflection trigger --depth thorough": 2, "reflection show nosuch": 1} {
		if _, stderr, code := s.run(strings.Fields(args)...); code != want || stderr == "" {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
}
