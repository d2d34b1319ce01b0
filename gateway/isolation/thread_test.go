package isolation_test

import (
	"regexp"
	"strings"
	"sync"
	"testing"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
)

// TestAThreadGoesOnWithoutWhoWasForgotten has two people talk in one topic. The
// session is shared and in the program's memory when one of them leaves.
func TestAThreadGoesOnWithoutWhoWasForgotten(t *testing.T) {
	onBothStores(t, func(t *testing.T, storeURL string) {
		var mu sync.Mutex
		last := ""
		w := newWorld(t, storeURL, func(r modeltest.Request) modeltest.Answer {
			mu.Lock()
			defer mu.Unlock()
			last = string(r.Body)
			return modeltest.Text("echo: ", r.LastUser())
		})
		const topic = 77
		w.telegram.Group(group, admin, leaver, stayer)
		w.telegram.Topic(group, topic)
		w.asks(admin, group, "/settings here on", "full members")
		speak := func(user int64, text, answer string) {
			n := len(w.said(group, 0))
			w.telegram.Speak(fake.Speech{User: user, Chat: group, Thread: topic, Text: "@" + fake.BotName + " " + text})
			w.hears(group, n, answer)
		}
		speak(leaver, "my word is "+mine, mine)
		speak(stayer, "my word is "+others, others)
		mu.Lock()
		if !strings.Contains(last, mine) {
			t.Fatal("the session is not shared: the test proves nothing")
		}
		mu.Unlock()

		s := w.store()
		code := regexp.MustCompile(`/forget me ([a-z0-9]{8})`).FindStringSubmatch(w.asks(leaver, leaver, "/forget me", "/forget me [a-z0-9]{8}"))[1]
		w.asks(leaver, leaver, "/forget me "+code, "You are forgotten")
		for len(places(t, w, s)) > 0 {
			pause(t)
		}
		speak(stayer, "go on", "go on")
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(last, mine) || !strings.Contains(last, others) {
			t.Errorf("what the model is sent afterwards: %s", last)
		}
	})
}
