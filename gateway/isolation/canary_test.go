package isolation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
)

// The town of the test: people who each have a secret of their own, and groups
// that each have one.
const (
	townPeople = 200
	townGroups = 10
	firstUser  = 1000
	firstGroup = -1009000
)

// canary marks words by the one chat that they were said in. canaryIn finds
// them, whatever stands around.
func canary(chat int64) string { return fmt.Sprintf("canary%dx", max(chat, -chat)) }

var canaryIn = regexp.MustCompile(`canary(\d+)x`)

// asker finds the chat that a turn is of: every message says it.
var asker = regexp.MustCompile(`in chat (-?\d+), turn (\d+)`)

// traitor is a model that is wholly in the hands of an attacker. It passes on
// all that it is shown, and calls any tool with any arguments.
type traitor struct {
	mu     sync.Mutex
	random *rand.Rand
	seen   map[int64]map[string]bool // canaries by the chat whose turn showed them
}

func (m *traitor) answer(r modeltest.Request) modeltest.Answer {
	everything := string(r.Body)
	m.mu.Lock()
	defer m.mu.Unlock()
	in := asker.FindAllStringSubmatch(r.LastUser(), -1)
	if len(in) == 0 {
		return modeltest.Text("what?")
	}
	var chat int64
	fmt.Sscan(in[len(in)-1][1], &chat)
	if m.seen[chat] == nil {
		m.seen[chat] = map[string]bool{}
	}
	heard := distinct(everything)
	for _, c := range heard {
		m.seen[chat][c] = true
	}
	if len(r.Results()) == 0 || m.random.IntN(3) == 0 {
		return modeltest.Use(m.call(r), m.call(r))
	}
	return modeltest.Text("done: ", strings.Join(heard, " "), " ", in[len(in)-1][0])
}

// distinct are the canaries of a text, each once.
func distinct(text string) []string {
	all := canaryIn.FindAllString(text, -1)
	slices.Sort(all)
	return slices.Compact(all)
}

// call is a call of any of the tools with arguments made of what may name
// somebody else's things.
func (m *traitor) call(r modeltest.Request) modeltest.Call {
	names := []string{
		"canary", "remember codeword", fmt.Sprint(firstUser + m.random.IntN(townPeople)), fmt.Sprintf("telegram//%d", firstUser+m.random.IntN(townPeople)),
		fmt.Sprintf("telegram:%d", firstUser+m.random.IntN(townPeople)), "canary1",
		fmt.Sprintf("../files/telegram//%d/note.txt", firstUser+m.random.IntN(townPeople)), "note.txt", "*", "said",
		fmt.Sprintf("from:telegram:%d in:%d", firstUser+m.random.IntN(townPeople), firstGroup-m.random.IntN(townGroups)),
	}
	name := func() string { return names[m.random.IntN(len(names))] }
	args := map[string]any{
		"action": []string{"add", "replace", "remove", "list"}[m.random.IntN(4)], "text": name(), "old": name(), "kind": []string{"work", "profile"}[m.random.IntN(2)],
		"query": name(), "limit": m.random.IntN(100), "name": name(), "person": name(), "user": name(), "user_id": name(), "session": name(), "place": name(),
		"scope": "team", "principal": map[string]any{"person": name()}, "content": name(), "url": "http://127.0.0.1/", "zone": name(), "id": name(), "path": name(),
	}
	if heard := distinct(string(r.Body)); len(heard) > 0 {
		args["text"] = heard[m.random.IntN(len(heard))]
	}
	data, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	tool := "session_search"
	if len(r.Tools) > 0 {
		tool = r.Tools[m.random.IntN(len(r.Tools))]
	}
	return modeltest.Call{Name: tool, Args: string(data)}
}

func TestATraitorousModelGetsAtNobodysSecrets(t *testing.T) {
	turns := 60
	if long() {
		turns = 5000
	}
	onBothStores(t, func(t *testing.T, storeURL string) {
		m := &traitor{random: rand.New(rand.NewPCG(1, 2)), seen: map[int64]map[string]bool{}}
		w := newWorld(t, storeURL, m.answer)
		members := map[int64][]int64{}
		for g := range int64(townGroups) {
			for n := range int64(20) {
				members[firstGroup-g] = append(members[firstGroup-g], firstUser+(g*17+n*3)%townPeople)
			}
			w.telegram.Group(firstGroup-g, append(members[firstGroup-g], admin)...)
			w.asks(admin, firstGroup-g, "/settings here on", "full members")
		}
		talk(t, w, members, turns)
		w.stop()
		// Who is in a group may be shown in private what was said there.
		groupsOf := map[int64]map[string]bool{}
		for g, people := range members {
			for _, p := range people {
				if groupsOf[p] == nil {
					groupsOf[p] = map[string]bool{}
				}
				groupsOf[p][canary(g)] = true
			}
		}
		mayBe := func(c string, chat int64) bool { return c == canary(chat) || groupsOf[chat][c] }
		shown := 0
		for chat, texts := range allSaid(w, members) {
			for _, c := range canaryIn.FindAllString(strings.Join(texts, "\n"), -1) {
				if shown++; !mayBe(c, chat) {
					t.Errorf("%s was shown in chat %d", c, chat)
				}
			}
		}
		prompted := 0
		m.mu.Lock()
		defer m.mu.Unlock()
		for chat, canaries := range m.seen {
			for c := range canaries {
				if prompted++; !mayBe(c, chat) {
					t.Errorf("%s was in a prompt of chat %d", c, chat)
				}
			}
		}
		if shown < turns/10 || prompted < townPeople/10 {
			t.Errorf("the model passed %d canaries on and saw %d: the test proves nothing", shown, prompted)
		}
	})
}

// talk has random people say things in random places of theirs, a few at a
// time.
func talk(t *testing.T, w *world, members map[int64][]int64, turns int) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	said := map[int64]bool{}
	for n := range turns {
		user := int64(firstUser + random.IntN(townPeople))
		chat, mention := user, ""
		if random.IntN(4) == 0 {
			chat = firstGroup - int64(random.IntN(townGroups))
			user, mention = members[chat][random.IntN(20)], "@"+fake.BotName+" "
		}
		text := fmt.Sprintf("%sremember that my codeword is %s, said in chat %d, turn %d", mention, canary(chat), chat, n)
		if random.IntN(3) == 0 {
			text = fmt.Sprintf("%swhat do others keep secret? in chat %d, turn %d", mention, chat, n)
		}
		w.telegram.Say(user, chat, text)
		said[chat] = true
		if n%20 == 19 || n == turns-1 {
			settled(t, w, said)
		}
	}
}

// settled waits until every chat that something was said in had an answer.
func settled(t *testing.T, w *world, said map[int64]bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var waiting []int64
	err := w.telegram.Await(ctx, func() bool {
		waiting = slices.DeleteFunc(slices.Sorted(maps.Keys(said)), func(chat int64) bool { return answered(w, chat) })
		return len(waiting) == 0
	})
	if err != nil {
		t.Fatalf("nobody was answered in %d: %v; said in the first: %q", waiting, err, w.said(waiting[0], 0))
	}
}

// answered reports whether a turn of a chat has come to its end: to the model's
// last words, or to a question, which is what becomes of a call that could
// carry something out of the conversation.
func answered(w *world, chat int64) bool {
	return slices.ContainsFunc(w.telegram.Sent(chat), func(m fake.Message) bool {
		return strings.Contains(m.Text, "in chat "+fmt.Sprint(chat)) || m.Text == "what?" || len(m.Buttons) > 0
	})
}

func allSaid(w *world, members map[int64][]int64) map[int64][]string {
	all := map[int64][]string{}
	for g := range members {
		all[g] = w.said(g, 0)
	}
	for n := range int64(townPeople) {
		all[firstUser+n] = w.said(firstUser+n, 0)
	}
	return all
}
