package memory_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/storage"
	"talaria/storage/teststore"
)

// members are the spaces that people are in; everybody has a conversation of
// their own.
type members map[person.ID][]string

func (m members) Readable(_ context.Context, p person.Principal) ([]chat.Address, error) {
	out := []chat.Address{p.Place.Place()}
	if p.Direct {
		for _, space := range m[p.Person] {
			out = append(out, chat.Address{Platform: "telegram", Chat: space})
		}
	}
	return out, nil
}

var monday = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// talk indexes what somebody says at a place, a minute after the one before.
func talk(t testing.TB, s *storage.Store, place chat.Address, session string, first int, lines ...string) {
	t.Helper()
	b := storage.On(person.ShardOf(place))
	for n, line := range lines {
		who, words, _ := strings.Cut(line, ": ")
		number := first + n
		memory.IndexTurns(b, place, memory.Turn{
			Session: session, Number: number, At: monday.Add(time.Duration(number) * time.Minute),
			Who: person.ID(strings.ToLower(who)), Name: who, Text: words, Message: fmt.Sprintf("%s/%d", session, number),
		})
	}
	if _, err := s.Commit(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

func search(t testing.TB, s *storage.Store, m members, p person.Principal, query string) []memory.Hit {
	t.Helper()
	hits, err := memory.NewSearcher(s, m, nil).Search(t.Context(), p, query, 5)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

func messages(hits []memory.Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Message)
	}
	return out
}

func TestSearchFindsWhatWasSaid(t *testing.T) {
	s := teststore.File(t)
	ana := inDM("ana")
	talk(t, s, ana.Place, "a", 1,
		"Ana: Which region does the billing database run in?", "Bot: It runs in Frankfurt, and its replica in Dublin.", "Ana: Thanks!")
	talk(t, s, ana.Place, "b", 1, "Ana: 下周去颐和园春游的预算是多少？", "Bot: 预算是每人三百元。")
	m := members{}

	hits := search(t, s, m, ana, "where did the billing database run")
	if diff := cmp.Diff([]string{"a/2", "a/1", "a/3"}, messages(hits)); diff != "" {
		t.Errorf("the answer is found by the question before it, and goes first: %s", diff)
	}
	h := hits[0]
	if h.Name != "Bot" || h.Before != "Which region does the billing database run in?" || h.After != "Thanks!" || !h.At.Equal(monday.Add(2*time.Minute)) {
		t.Errorf("hit %+v", h)
	}
	if hits := search(t, s, m, ana, "頤和園 預算"); len(hits) == 0 || hits[0].Message[0] != 'b' {
		t.Errorf("found %v", messages(hits))
	}
	if hits := search(t, s, m, ana, "zebra"); len(hits) != 0 {
		t.Errorf("found %v", messages(hits))
	}
	if hits := search(t, s, m, ana, "?!"); len(hits) != 0 {
		t.Errorf("found %v", messages(hits))
	}
}

func TestOfTurnsWithTheSameWordsTheOneThatAnswersGoesFirst(t *testing.T) {
	s := teststore.File(t)
	ana := inDM("ana")
	for n, line := range []string{
		"Bob: the kiln needs new bricks", "Cid: the kiln was repaired on Tuesday",
		"Bot: Bob: the glaze is blue", "Cid: the glaze is brown",
	} {
		talk(t, s, ana.Place, fmt.Sprint("s", n), 1, line)
	}
	for query, want := range map[string]string{
		"when was the kiln repaired":      "s1/1", // a time
		"what did Bob say about the kiln": "s0/1", // who said it
		"what did Cid say of the glaze":   "s3/1",
		"Bob's glaze":                     "s2/1", // who is quoted
	} {
		if hits := search(t, s, members{}, ana, query); len(hits) == 0 || hits[0].Message != want {
			t.Errorf("%q: %v, want %s first", query, messages(hits), want)
		}
	}
}

func TestIndexingATurnTwiceChangesNothing(t *testing.T) {
	s := teststore.File(t)
	ana := inDM("ana")
	for range 2 {
		talk(t, s, ana.Place, "a", 1, "Ana: the cable is in the drawer")
	}
	if hits := search(t, s, members{}, ana, "cable"); len(hits) != 1 {
		t.Errorf("found %v", messages(hits))
	}
}

func TestSearchReadsOnlyWhatThePersonMayRead(t *testing.T) {
	s := teststore.File(t)
	ana, bob := inDM("ana"), inDM("bob")
	talk(t, s, ana.Place, "ana", 1, "Ana: the launch code word is heron")
	talk(t, s, bob.Place, "bob", 1, "Bob: the launch code word is otter")
	talk(t, s, inSpace("ana", "room").Place, "room", 1, "Ana: the launch is on Thursday")
	talk(t, s, inSpace("cid", "board").Place, "board", 1, "Cid: the launch is cancelled")
	m := members{"ana": {"room"}, "bob": {"room"}, "cid": {"board"}}

	for _, c := range []struct {
		name string
		who  person.Principal
		want []string
	}{
		{"own conversation and own spaces", ana, []string{"ana/1", "room/1"}},
		{"the other one's", bob, []string{"bob/1", "room/1"}},
		{"asked in a space: that space alone", inSpace("ana", "room"), []string{"room/1"}},
		{"without a space", inDM("dan"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := messages(search(t, s, m, c.who, "launch"))
			slices.Sort(got)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	m["ana"] = nil // has left the room
	if got := messages(search(t, s, m, ana, "launch")); !slices.Equal(got, []string{"ana/1"}) {
		t.Errorf("after leaving: %v", got)
	}
}

func TestSweptTurnsAreGone(t *testing.T) {
	s := teststore.File(t)
	ana := inDM("ana")
	var lines []string
	for n := range 450 {
		lines = append(lines, fmt.Sprintf("%s: item %d of the list", []string{"Ana", "Bob"}[n%2], n))
	}
	talk(t, s, ana.Place, "a", 1, lines...)
	removed, err := memory.Sweep(t.Context(), s, ana.Place, func(u memory.Turn) bool { return u.Who == "bob" })
	if err != nil || removed != 225 {
		t.Errorf("removed %d, %v", removed, err)
	}
	left := 0
	err = memory.Turns(t.Context(), s, ana.Place, func(u memory.Turn) error {
		left++
		if u.Who != "ana" || u.Session != "a" || u.Number%2 != 1 {
			t.Errorf("left: %+v", u)
		}
		return nil
	})
	if err != nil || left != 225 {
		t.Errorf("%d left, %v", left, err)
	}
	if hits := search(t, s, members{}, ana, "item 201"); len(hits) == 0 || slices.Contains(messages(hits), "a/202") {
		t.Errorf("found %v", messages(hits))
	}
	var places []string
	for shard := range storage.Shards {
		err := memory.Places(t.Context(), s, shard, func(a chat.Address) error { places = append(places, a.Chat); return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"dm-ana"}, places); diff != "" {
		t.Error(diff)
	}
}

// Whatever people do through their handles, nobody is shown what another one
// keeps to himself. Each secret is marked with whose it is.
func TestIsolation(t *testing.T) {
	const people, spaces, steps = 50, 6, 600
	s := teststore.File(t)
	r := rand.New(rand.NewPCG(1, 2))
	m := members{}
	for n := range people {
		for sp := range spaces {
			if r.IntN(3) == 0 {
				m[person.ID(fmt.Sprint("p", n))] = append(m[person.ID(fmt.Sprint("p", n))], fmt.Sprint("s", sp))
			}
		}
	}
	searcher := memory.NewSearcher(s, m, nil)
	var shown, leaks int
	for step := range steps {
		name := fmt.Sprint("p", r.IntN(people))
		p, allowed := inDM(name), []string{"canary-" + name + "-"}
		if mine := m[person.ID(name)]; len(mine) > 0 && r.IntN(2) == 0 {
			p, allowed = inSpace(name, mine[r.IntN(len(mine))]), nil
			allowed = append(allowed, "canary-"+p.Place.Chat+"-")
		} else {
			for _, sp := range mine {
				allowed = append(allowed, "canary-"+sp+"-")
			}
		}
		secret := fmt.Sprintf("canary-%s-%d plan budget", p.Place.Chat, step)
		if p.Direct {
			secret = fmt.Sprintf("canary-%s-%d plan budget", name, step)
		}
		h := memory.For(s, p)
		var out []string
		see := func(v any, err error) {
			out = append(out, fmt.Sprintf("%+v %v", v, err))
		}
		switch r.IntN(9) {
		case 0, 1:
			see(h.Add(t.Context(), memory.Work, secret, said(secret)))
		case 2:
			see(h.Add(t.Context(), memory.Profile, "canary-"+name+fmt.Sprintf("-%d likes budget", step), said("")))
			out = nil // it is echoed to whoever just said it
		case 3:
			talk(t, s, p.Place, name, step, name+": "+secret)
		case 4:
			see(searcher.Search(t.Context(), p, "budget plan canary", 20))
		case 5:
			see(h.Snapshot(t.Context()))
			see(h.Recall(t.Context(), "the budget plan of canary", ""))
		case 6:
			see(h.List(t.Context()))
			see(h.Search(t.Context(), "canary budget"))
		case 7:
			see(h.Remove(t.Context(), fmt.Sprintf("canary-p%d", r.IntN(people)), said("")))
		case 8:
			see(h.Replace(t.Context(), fmt.Sprintf("canary-p%d", r.IntN(people)), secret, said("")))
			see(h.Changes(t.Context()))
		}
		for _, o := range out {
			for rest := o; ; {
				i := strings.Index(rest, "canary-")
				if i < 0 {
					break
				}
				rest = rest[i:]
				shown++
				if !slices.ContainsFunc(allowed, func(a string) bool { return strings.HasPrefix(rest, a) }) {
					leaks++
					t.Errorf("step %d: %s in %s was shown %.40q", step, name, p.Place.Chat, rest)
				}
				rest = rest[len("canary-"):]
			}
		}
	}
	if shown < steps/2 {
		t.Errorf("only %d canaries were seen at all: the test looks at nothing", shown)
	}
}

func TestSearchCorpus(t *testing.T) {
	corpus := `{"id":"1","user":"u","session":1,"at":"2026-03-02T09:00:00Z","text":"Where is the spare key?"}
{"id":"2","user":"u","session":1,"text":"Behind the printer on the second floor."}

{"id":"3","user":"v","session":"x","text":"The spare key is lost."}
`
	var out strings.Builder
	in := `{"id":"q1","user":"u","query":"spare key"}` + "\n" + `{"id":"q2","user":"w","query":"spare key"}` + "\n"
	if err := memory.SearchCorpus(t.Context(), teststore.File(t), nil, strings.NewReader(corpus), strings.NewReader(in), &out, 5); err != nil {
		t.Fatal(err)
	}
	want := `{"id":"q1","ids":["2","1"]}` + "\n" + `{"id":"q2","ids":[]}` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct{ what, corpus, in string }{
		{"corpus", "{", ""}, {"query", corpus, "nonsense"},
	} {
		err := memory.SearchCorpus(t.Context(), teststore.File(t), nil, strings.NewReader(c.corpus), strings.NewReader(c.in), &out, 5)
		if err == nil || !strings.Contains(err.Error(), "line 1 of the "+c.what) {
			t.Errorf("broken %s: %v", c.what, err)
		}
	}
}
