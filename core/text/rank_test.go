package text_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"talaria/core/text"
)

// corpus is a small collection with what ranking needs to know of it.
type corpus []text.Document

func (c *corpus) add(id, thread string, number int, s string) {
	*c = append(*c, text.Document{ID: id, Thread: thread, Number: number, Counts: text.Counts(s)})
}

func (c corpus) ask(query string) []string {
	q := text.NewQuery(query)
	stats := text.Stats{Documents: len(c), Holding: map[string]int{}}
	var holding []text.Document
	for _, d := range c {
		holds := false
		for _, n := range d.Counts {
			stats.Length += n
		}
		for _, term := range q.Terms() {
			if d.Counts[term] > 0 {
				stats.Holding[term]++
				holds = true
			}
		}
		if holds {
			holding = append(holding, d)
		}
	}
	var ids []string
	for _, s := range q.Rank(stats, holding, len(c)*10) {
		ids = append(ids, s.ID)
	}
	return ids
}

func TestRank(t *testing.T) {
	var c corpus
	for n, s := range []string{
		"we talked about the weather", "the build is green", "lunch at noon", "the weather is fine", "green tea for everybody",
	} {
		c.add(string(rune('a'+n)), "", 0, s)
	}
	c.add("k", "", 0, "The deployment of billing failed because the disk was full")
	c.add("l", "", 0, "deployment deployment deployment")
	c.add("m", "", 0, "天气很好，我们去颐和园")
	c.add("n", "", 0, "我們去頤和園")
	for _, q := range []struct {
		name, ask string
		want      []string
	}{
		{"most of the question before one word often", "why did the billing deployment fail", []string{"k", "l"}},
		{"equals by the later id", "weather", []string{"d", "a"}},
		{"the spelling asked for first", "頤和園", []string{"n", "m"}},
		{"all words whole before one of them", "颐和园 天气", []string{"m"}},
		{"parts of a word that nothing holds whole", "颐和好", []string{"m", "n"}},
		{"the other spelling", "颐和园", []string{"m", "n"}},
		{"nothing but filler", "what was it", nil},
		{"unknown words", "zebra", nil},
	} {
		t.Run(q.name, func(t *testing.T) {
			if diff := cmp.Diff(q.want, c.ask(q.ask)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRankReturnsTheBestOfMany(t *testing.T) {
	q := text.NewQuery("disk full alarm")
	stats := text.Stats{Holding: map[string]int{}}
	var docs []text.Document
	for n := range 500 {
		s := "disk"
		if n%7 == 0 {
			s += " full"
		}
		if n%91 == 0 {
			s += " alarm"
		}
		d := text.Document{ID: fmt.Sprintf("%03d", n), Counts: text.Counts(s)}
		docs = append(docs, d)
		stats.Add(q, d.Counts)
	}
	all := q.Rank(stats, docs, len(docs))
	if len(all) != len(docs) || all[0].ID != "455" {
		t.Fatalf("%d ranked, first %s", len(all), all[0].ID)
	}
	for _, limit := range []int{1, 6, 80, 499} {
		if diff := cmp.Diff(all[:limit], q.Rank(stats, docs, limit)); diff != "" {
			t.Errorf("the first %d differ: %s", limit, diff)
		}
	}
}

func TestTheOrderOfDocumentsDoesNotMatter(t *testing.T) {
	q := text.NewQuery("disk full")
	stats := text.Stats{Holding: map[string]int{}}
	var docs []text.Document
	for n := range 60 {
		counts := text.Counts([]string{"disk", "full", "disk full"}[n%3])
		docs = append(docs, text.Document{
			ID: fmt.Sprintf("%02d", n), Thread: []string{"", "a", "b"}[n%4%3], Number: 1 + n*n%31, Counts: counts,
		})
		stats.Add(q, counts)
	}
	want := q.Rank(stats, docs, 40)
	slices.Reverse(docs)
	if diff := cmp.Diff(want, q.Rank(stats, docs, 40)); diff != "" {
		t.Errorf("given the other way round: %s", diff)
	}
}

func TestNeighboursLendMeaning(t *testing.T) {
	var c corpus
	c.add("1", "t", 1, "Where shall we hold the offsite?")
	c.add("3", "t", 3, "an offsite needs a budget")
	c.add("9", "other", 2, "Lisbon")
	got := c.ask("offsite")
	if diff := cmp.Diff([]string{"1", "3", ""}, got[:3]); diff != "" {
		t.Errorf("the answer between two turns about it must come next: %s", diff)
	}
	for _, id := range got {
		if id == "9" {
			t.Error("another thread was lent something")
		}
	}
}

func TestTelling(t *testing.T) {
	order := []string{
		"ok?", "Shall we deploy on Monday, or is it better to wait for the end of the freeze that was announced?",
		"We deploy on Monday; the freeze that was announced ends on Sunday, and billing has agreed to it.",
	}
	for i := 1; i < len(order); i++ {
		if text.Telling(order[i-1]) >= text.Telling(order[i]) {
			t.Errorf("%q tells no less than %q", order[i-1], order[i])
		}
	}
}

func TestAnswered(t *testing.T) {
	for _, c := range []struct{ question, better, worse string }{
		{"When did the kiln break?", "the kiln broke last week", "the kiln broke badly"},
		{"窑什么时候坏的", "窑是上周坏的", "窑坏得厉害"},
		{"how long did it take", "it took three months", "it took patience"},
		{"Who mends the kiln?", "most of it is done by Ida", "most of it is done by hand"},
		{"which book is about glaze", `it is in "clay and fire"`, "it is in the shop"},
		{"what about the kiln", "I mend the kiln", "mend the kiln"},
		{"what about the kiln", "the kiln was mended", "the kiln is new"},
	} {
		q := text.NewQuestion(c.question)
		if b, w := q.Answered(c.better), q.Answered(c.worse); b <= w {
			t.Errorf("%q: %q is worth %.2f, %q %.2f", c.question, c.better, b, c.worse, w)
		}
	}
}

func TestNames(t *testing.T) {
	q := text.NewQuestion("What did Ana and the 小明 say of Bob's kiln?")
	for name, want := range map[string]bool{
		"Ana": true, "ana maria": true, "小明": true, "Bob": true, "Cid": false, "": false, "?": false, "The Boss": false, "An": false,
	} {
		if q.Names(name) != want {
			t.Errorf("names %q: %v", name, !want)
		}
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("nothing to see here. ", 20) + "The disk of\nbilling-db was full, so the deployment failed. " + strings.Repeat("And so on. ", 20)
	s := text.NewQuery("billing deployment failure").Snippet(long, 80)
	if want := "…The disk of billing-db was full, so the deployment failed. And so on. And so…"; s.Text != want {
		t.Errorf("snippet %q, want %q", s.Text, want)
	}
	var marked []string
	for _, m := range s.Marks {
		marked = append(marked, s.Text[m.Start:m.End])
	}
	if diff := cmp.Diff([]string{"billing", "deployment"}, marked); diff != "" {
		t.Error(diff)
	}

	s = text.NewQuery("頤和園").Snippet(strings.Repeat("好", 100)+"我们去颐和园看看"+strings.Repeat("好", 100), 12)
	if len(s.Marks) != 1 || s.Text[s.Marks[0].Start:s.Marks[0].End] != "颐和园" {
		t.Errorf("snippet %q with %v", s.Text, s.Marks)
	}
	if s := text.NewQuery("absent").Snippet("short text", 80); s.Text != "short text" || s.Marks != nil {
		t.Errorf("without a match: %+v", s)
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("disk full", "the disk\x00 of ﬁles was full", 10)
	f.Add("ｶﾞﾗｽ", "ガラスｶﾞﾗｽ\xff", 3)
	f.Fuzz(func(t *testing.T, query, s string, width int) {
		width = min(max(width, 1), 300)
		got := text.NewQuery(query).Snippet(s, width)
		if utf8.ValidString(s) && !utf8.ValidString(got.Text) {
			t.Fatalf("snippet of valid text is broken: %q", got.Text)
		}
		last := 0
		for _, m := range got.Marks {
			if m.Start < last || m.End <= m.Start || m.End > len(got.Text) {
				t.Fatalf("marks %v of %q", got.Marks, got.Text)
			}
			last = m.End
		}
		text.Telling(s)
		text.NewQuestion(query).Answered(s)
	})
}
