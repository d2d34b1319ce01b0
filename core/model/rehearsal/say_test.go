package rehearsal_test

import (
	"strings"
	"testing"
)

// TestWhatIsToBeSaidIsSaid: a job that greets a channel says its words and
// nothing around them.
func TestWhatIsToBeSaidIsSaid(t *testing.T) {
	for say, want := range map[string]string{
		"say good morning": "Good morning", `say "the ship sails at noon"`: "The ship sails at noon", "Please say: hello, crew": "Hello, crew",
		"tell everybody that lunch is ready": "Lunch is ready", "wish the team a calm week": "A calm week",
		"说早上好": "早上好", "对大家说：开会了": "开会了", "跟大家说一声“明天放假”": "明天放假",
	} {
		if calls, answer := talk(t, someWorld(), ask(say)); len(calls) > 0 || strings.TrimRight(answer, ".。") != want {
			t.Errorf("%q calls %v and is answered %q, want %q", say, calls, answer, want)
		}
	}
	for _, say := range []string{"say what you know about me", "say something", "what did we say about tea?", "say the time", "tell us what time it is", "说点什么"} {
		if _, answer := talk(t, someWorld(), ask(say)); strings.Contains(strings.ToLower(say), strings.ToLower(strings.TrimRight(answer, "."))) {
			t.Errorf("%q is answered %q, as if these were the words", say, answer)
		}
	}
}

func TestAReminderOfNothingIsAskedFor(t *testing.T) {
	for say, want := range map[string]string{"remind me": "When, and of what?", "Please remind me.": "When, and of what?", "提醒我": "什么时候，提醒什么？", "请提醒我一下": "什么时候，提醒什么？"} {
		if calls, answer := talk(t, someWorld(), ask(say)); len(calls) > 0 || !strings.Contains(answer, want) {
			t.Errorf("%q calls %v and is answered %q", say, calls, answer)
		}
	}
}
