package isolation_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
)

// TestACardIsSharedOnlyAfterAYesToWhatWasShown follows a card of a person's own
// into a group.
func TestACardIsSharedOnlyAfterAYesToWhatWasShown(t *testing.T) {
	onBothStores(t, func(t *testing.T, storeURL string) {
		w := newWorld(t, storeURL, modeltest.Echo())
		w.telegram.Group(group, admin, leaver, stayer)
		w.asks(admin, group, "/settings here on", "full members")
		const secret = "the release train leaves on quokkaday"
		id := regexp.MustCompile("Noted as ([a-z0-9]{6})").FindStringSubmatch(w.asks(leaver, leaver, "/memory add "+secret, "Noted"))[1]
		before := len(w.said(leaver, 0))
		w.asks(leaver, group, "/memory@"+fake.BotName+" share "+id, "asked you")
		w.hears(leaver, before, "Shall everybody.*(?s:.*)quokkaday")
		w.asks(stayer, stayer, "/memory share yes", "nothing that waits")
		w.asks(stayer, group, "/memory@"+fake.BotName, "nothing here yet")
		for _, said := range w.said(group, 0) {
			if strings.Contains(said, "quokkaday") {
				t.Fatalf("shown before the yes: %q", said)
			}
		}
		w.asks(leaver, leaver, "/memory share yes", "Shared")
		w.asks(stayer, group, "/memory@"+fake.BotName, "quokkaday")
		w.asks(leaver, group, "/memory@"+fake.BotName+" undo", "no longer remembered: "+secret)
	})
}

func TestMemoryIsSeenAndChangedInChat(t *testing.T) {
	w := newWorld(t, "sqlite:"+t.TempDir()+"/t.db", modeltest.Echo())
	subjects := strings.Fields("ant bee cat dog eel fox gnu hen ibis jay kiwi lynx mole newt owl pig")
	for n, subject := range subjects {
		w.asks(leaver, leaver, fmt.Sprintf("/memory add the %s lives in house %d", subject, n+100), "Noted")
	}
	w.asks(leaver, leaver, "/memory", `page 1 of 2(?s:.*)lives in house 115`)
	w.asks(leaver, leaver, "/memory 2", `page 2 of 2(?s:.*)lives in house 100`)
	found := w.asks(leaver, leaver, "/memory search lynx", "lynx lives in house 111")
	id := regexp.MustCompile("([a-z0-9]{6}) the lynx").FindStringSubmatch(found)[1]
	w.asks(leaver, leaver, "/memory edit "+id+" the lynx lives in the woods", "says now: the lynx lives in the woods")
	w.asks(leaver, leaver, "/memory undo", "says again: the lynx lives in house 111")
	w.asks(leaver, leaver, "/memory delete "+id, "Deleted: the lynx lives in house 111")
	w.asks(leaver, leaver, "/memory undo", "remembered again: the lynx lives in house 111")
	w.asks(leaver, leaver, "/memory edit "+id+" "+strings.Repeat("long ", 200), "too long to remember: 999 characters, and a card holds at most 500")
	w.asks(leaver, leaver, "/memory delete nosuch", "no card here has that id")
	w.asks(stayer, stayer, "/memory delete "+id, "no card here has that id")
}

func TestWhatIsKnownOfAPersonIsTheirsToSetRight(t *testing.T) {
	system := make(chan string, 10)
	w := newWorld(t, "sqlite:"+t.TempDir()+"/t.db", func(r modeltest.Request) modeltest.Answer {
		system <- r.System
		if strings.Contains(r.LastUser(), "espresso") && len(r.Results()) == 0 {
			return modeltest.Use(modeltest.Call{Name: "memory", Args: `{"action":"add","kind":"profile","text":"likes espresso"}`})
		}
		return modeltest.Text("fine")
	})
	w.asks(leaver, leaver, "note that I am one who likes espresso", "fine")
	w.asks(leaver, leaver, "/whoami", `1\. likes espresso .*% sure; you said so(?s:.*)2\. time zone: UTC(?s:.*)4\. quiet hours: none`)
	w.asks(leaver, leaver, "/whoami zone Atlantis/Sunk", "no time zone")
	w.asks(leaver, leaver, "/whoami zone Asia/Shanghai", `2\. time zone: Asia/Shanghai`)
	w.asks(leaver, leaver, "/whoami language Klingon", `language: Klingon`)
	w.asks(leaver, leaver, "/new", "fresh start")
	for range len(system) {
		<-system
	}
	w.asks(leaver, leaver, "hello", "fine")
	if prompt := <-system; !strings.Contains(prompt, "Asia/Shanghai") || !strings.Contains(prompt, "Klingon") {
		t.Errorf("the model is not told: %s", prompt)
	}
	w.asks(leaver, leaver, "/whoami quiet 22-7", `quiet hours: 22:00 to 7:00`)
	w.asks(leaver, leaver, "/whoami quiet 25-7", `two hours of the day`)
	w.asks(leaver, leaver, "/whoami correct 1 likes green tea", "I believed: likes espresso(?s:.*)likes green tea")
	w.asks(leaver, leaver, "/whoami strike 1", "Struck: likes green tea")
	w.asks(leaver, leaver, "/whoami strike 9", "no line")
	w.asks(leaver, leaver, "/whoami strike 1", "time zone: UTC") // the zone is the first line now
	w.telegram.Group(group, admin, leaver)
	w.asks(admin, group, "/settings here on", "full members")
	if said := w.asks(leaver, group, "/whoami@"+fake.BotName, "your role here"); strings.Contains(said, "quiet") {
		t.Errorf("told in a group: %q", said)
	}
}

func TestSearchFollowsEditsAndKnowsTimes(t *testing.T) {
	onBothStores(t, func(t *testing.T, storeURL string) {
		w := newWorld(t, storeURL, func(modeltest.Request) modeltest.Answer { return modeltest.Text("noted") })
		w.telegram.Group(group, admin, leaver)
		w.asks(admin, group, "/settings here on", "full members")
		n, began := len(w.said(group, 0)), time.Now()
		in := w.telegram.Speak(fake.Speech{User: leaver, Chat: group, Text: "@" + fake.BotName + " the meeting is in room heron"})
		w.hears(group, n, "noted")
		w.asks(leaver, leaver, "/search heron", `heron`)
		w.telegram.Rewrite(group, in.Message, "@"+fake.BotName+" the meeting is in room pelican")
		for range 50 { // the edit is told by nobody
			if strings.Contains(w.asks(leaver, leaver, "/search pelican", "."), "room pelican") {
				break
			}
			pause(t)
		}
		if want := fmt.Sprintf("https://t.me/c/5551/%d", in.Message); !linked(w, leaver, want) {
			t.Errorf("no link to %s", want)
		}
		w.asks(leaver, leaver, "/search heron", "Nothing was found")
		today := w.asks(leaver, leaver, "/search what did we talk about today", ".")
		yesterday := w.asks(leaver, leaver, "/search what did we talk about yesterday", ".")
		if time.Now().Day() != began.Day() {
			return // at midnight the one became the other
		}
		if !strings.Contains(today, "room pelican") || !strings.Contains(yesterday, "Nothing was found") {
			t.Errorf("found of today: %q; of yesterday: %q", today, yesterday)
		}
	})
}

// linked reports whether a message of the bot's in a chat holds a link.
func linked(w *world, chat int64, url string) bool {
	for _, m := range w.telegram.Sent(chat) {
		for _, e := range m.Entities {
			if e.URL == url {
				return true
			}
		}
	}
	return false
}
