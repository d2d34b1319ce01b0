package command_test

import (
	"context"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/storage"
	"talaria/storage/sqlite"
	"talaria/storage/teststore"
)

func TestWhoamiShowsWhatWasConcludedAndHasItSetRight(t *testing.T) {
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := storage.New(d)
	defer s.Close()
	ann := chat.Identity{Platform: "slack", Workspace: "T1", ID: "ann"}
	directory, err := person.Open(t.Context(), s, person.Config{Admins: []chat.Identity{ann}}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	who, err := directory.Resolve(t.Context(), chat.Author{Identity: ann}, chat.Address{Platform: "slack", Workspace: "T1", Chat: "D1"}, true)
	if err != nil {
		t.Fatal(err)
	}
	shelf := memory.For(s, who)
	never := func(string, string) bool { return false }
	conclude := func(text, task, against string) {
		t.Helper()
		c := memory.Conclusion{Text: text, Confidence: 0.8}
		for n, id := range []string{task + "a", task + "b"} {
			c.For = append(c.For, memory.Evidence{Message: id, Task: id, Place: who.Place.String(), Spoken: true, At: time.Date(2026, 5, 3+n, 9, 0, 0, 0, time.UTC)})
		}
		if against != "" {
			c.Against = []memory.Evidence{{Message: against, Against: against, At: time.Date(2026, 5, 9, 9, 0, 0, 0, time.UTC)}}
		}
		if _, _, err := shelf.Conclude(t.Context(), c, never); err != nil {
			t.Fatal(err)
		}
	}
	conclude("prefers short answers", "one", "")
	// Cards stand in the order of their times, to the millisecond.
	for began := time.Now(); time.Since(began) < 2*time.Millisecond; {
		runtime.Gosched()
	}
	conclude("is learning Rust", "two", "three")
	var gone []string
	run := command.ForSelf(s, directory, func(_ context.Context, _ person.Principal, c memory.Card) error {
		gone = append(gone, c.Text)
		return nil
	})[0].Run
	for _, c := range []struct{ args, want string }{
		{"", "1. prefers short answers *(80% sure; concluded from what you said, 2×, last 3 May 2026 on slack, 4 May 2026 on slack)* *(not certain yet)*"},
		{"", "2. is learning Rust *(80% sure; concluded from what you said, 2×, last 3 May 2026 on slack, 4 May 2026 on slack; 1× you said otherwise)* *(not certain yet)*"},
		{"confirm 1", "Confirmed: prefers short answers"},
		{"", "1. prefers short answers *(90% sure;"},
		{"correct 2 is learning Go", "I believed: is learning Rust\n\nI know now: is learning Go"},
		{"", "2. is learning Go *(75% sure; you said so, 1×"},
		{"strike 1", "Struck: prefers short answers"},
		{"confirm 9", "no line"},
		{"confirm 2", "nothing to confirm"},
	} {
		post, err := run(t.Context(), command.Call{Who: who, Args: c.args})
		if err != nil || !strings.Contains(post.Markdown, c.want) {
			t.Errorf("%q: %q, %v; want %q", c.args, post.Markdown, err, c.want)
		}
	}
	if len(gone) != 1 || gone[0] != "prefers short answers" {
		t.Errorf("told of %q as deleted", gone)
	}
	conclude("prefers short answers", "four", "")
	conclude("is learning Rust", "five", "")
	cards, err := shelf.List(t.Context())
	if err != nil || len(cards) != 1 || cards[0].Text != "is learning Go" {
		t.Errorf("what was struck or corrected came back: %+v, %v", cards, err)
	}
}

// alone is /whoami for one person, in their direct conversation.
func alone(t *testing.T) (*storage.Store, person.Principal, func(context.Context, command.Call) (chat.Post, error)) {
	t.Helper()
	s := teststore.Memory(t)
	who := person.Principal{Person: "ann", Role: person.Member, Direct: true, Place: chat.Address{Platform: "test", Chat: "ann"}}
	directory, err := person.Open(t.Context(), s, person.Config{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return s, who, command.ForSelf(s, directory, nil)[0].Run
}

func TestATimeZoneIsToldByItsNameOrByAPlaceInIt(t *testing.T) {
	s, who, run := alone(t)
	for _, c := range []struct{ said, want string }{
		{"Europe/Berlin", "Europe/Berlin"}, {"asia/tokyo", "Asia/Tokyo"}, {"上海", "Asia/Shanghai"}, {"Etc/GMT+3", "Etc/GMT+3"},
		{"Atlantis", "Etc/GMT+3"}, {"off", ""}, {"utc", "UTC"},
	} {
		if _, err := run(t.Context(), command.Call{Who: who, Args: "zone " + c.said}); err != nil {
			t.Fatal(err)
		}
		if v, err := person.ReadSettings(t.Context(), s, who); err != nil || v.Zone != c.want {
			t.Errorf("%s: zone %q, %v, want %q", c.said, v.Zone, err, c.want)
		}
	}
}

func TestASettingIsTakenAwayByTheWordsThatPeopleHaveForIt(t *testing.T) {
	s, who, run := alone(t)
	for _, word := range []string{"off", "Auto", "none", "自动", "关闭"} {
		for _, said := range []string{"zone Asia/Tokyo", "language German", "quiet 22-7", "zone " + word, "language " + word, "quiet " + word} {
			if _, err := run(t.Context(), command.Call{Who: who, Args: said}); err != nil {
				t.Fatal(err)
			}
		}
		if v, err := person.ReadSettings(t.Context(), s, who); err != nil || v.Zone+v.Language != "" || v.Quiet != nil {
			t.Errorf("%s leaves %+v, %v", word, v, err)
		}
	}
}

func TestALanguageThatTheTextsAreNotInIsToldSo(t *testing.T) {
	_, who, run := alone(t)
	for name, told := range map[string]bool{"German": true, "Klingon": true, "English": false, "中文": false, "zh-TW": false} {
		post, err := run(t.Context(), command.Call{Who: who, Args: "language " + name})
		if err != nil || strings.Contains(post.Markdown, "in English or Chinese") != told {
			t.Errorf("%s: %v, %s", name, err, post.Markdown)
		}
	}
}

func TestQuietHoursAreHoursOfTheDay(t *testing.T) {
	s, who, run := alone(t)
	for hours, want := range map[string]*person.Quiet{"22-7": {From: 22, To: 7}, "20-24": {From: 20}, "22-99": nil, "25-7": nil, "0-24": nil} {
		if err := person.ChangeSettings(t.Context(), s, who, func(v *person.Settings) { v.Quiet = nil }); err != nil {
			t.Fatal(err)
		}
		post, err := run(t.Context(), command.Call{Who: who, Args: "quiet " + hours})
		settings, errRead := person.ReadSettings(t.Context(), s, who)
		if err != nil || errRead != nil || !cmp.Equal(settings.Quiet, want) {
			t.Errorf("%s: %+v, %v, %v", hours, settings.Quiet, err, errRead)
		}
		if want == nil && !strings.Contains(post.Markdown, "such as `/whoami quiet 22-7`") {
			t.Errorf("%s is answered with %q", hours, post.Markdown)
		}
	}
}
