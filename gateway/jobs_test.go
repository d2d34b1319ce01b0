package main

import (
	"strings"
	"testing"
)

func TestAJobOfTheConfigurationHasItsNameInTheShell(t *testing.T) {
	s := newShell(t)
	s.in = "hello\n" // the configuration's jobs are made by a bot that starts
	file := s.write("config.toml", `
[scheduler.jobs.standup]
when = "every day at 9:30"
owner = "console"
say = "Stand-up in five minutes."
`)
	if _, stderr, code := s.run("chat", "--config", file); code != 0 {
		t.Fatal(stderr)
	}
	for _, call := range []struct{ args, want string }{
		{"jobs list", "console (standup)"},
		{"jobs show standup", "Stand-up in five minutes."},
		{"jobs set standup jitter 2m", "2m"},
		{"jobs pause standup", "paused"},
	} {
		if out, stderr, code := s.run(strings.Fields(call.args)...); code != 0 || !strings.Contains(out, call.want) {
			t.Errorf("%s: exit code %d, %s%s", call.args, code, out, stderr)
		}
	}
	for _, args := range []string{"jobs show nosuch", "jobs set nosuch jitter 2m"} {
		if _, stderr, code := s.run(strings.Fields(args)...); code != 1 || !strings.Contains(stderr, "talaria jobs list shows them") {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
}
