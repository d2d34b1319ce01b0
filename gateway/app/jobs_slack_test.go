package app_test

import (
	"regexp"
	"testing"

	"talaria/adapters/fake/slack"
)

func TestAThreadUnderAReminderInSlackIsAboutIt(t *testing.T) {
	w := newWorkspace(t)
	heard := func(pattern string) (found slack.Message) {
		t.Helper()
		fits := regexp.MustCompile(pattern)
		w.await(pattern, func() bool {
			for _, m := range w.Sent(general) {
				if fits.MatchString(m.Text) {
					found = m
				}
			}
			return found.TS != ""
		})
		return found
	}
	w.Slash(eva, general, "jobs add every weekday at 9:00 remind us to bring 3 red apples")
	id := regexp.MustCompile("Job `([a-z2-7]+)`").FindStringSubmatch(heard("Job `").Text)[1]
	w.Slash(eva, general, "jobs run "+id)
	said := heard("^Reminder: bring 3 red apples$")
	if said.Thread != "" {
		t.Errorf("a reminder for the channel was said in thread %s", said.Thread)
	}
	w.Speak(slack.Speech{User: tom, Channel: general, Thread: said.TS, Text: "save it to list.txt"})
	w.Speak(slack.Speech{User: tom, Channel: general, Thread: said.TS, Text: "read list.txt"})
	if reply := heard("(?s)list.txt.*Reminder: bring 3 red apples"); reply.Thread != said.TS {
		t.Errorf("answered in thread %q, not under the reminder", reply.Thread)
	}
}
